"""What of a request can be shown before it is approved, and what cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.approving import all_confirmed as all_confirmed
from tests.features.approving import approve, asked, phase, refusal, seen, shown, sign
from walletmodal.features.approve.state import ApproveState

pytestmark = [
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
    pytest.mark.usefixtures("all_confirmed"),
]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("eth_signTypedData_v4", [ADDRESS, "{}"]),
        ("eth_signTypedData_v4", [ADDRESS, "no json"]),
        ("eth_signTypedData_v4", [ADDRESS, '{"a":' * 1000 + "1" + "}" * 1000]),
        ("eth_sendTransaction", [{"from": ADDRESS, "to": "nowhere"}]),
        ("wallet_sendCalls", [{"calls": [{"to": OTHER, "data": "0xzz"}]}]),
        ("wallet_sendCalls", [{"calls": [{"to": OTHER}] * 3000}]),
    ],
)
async def test_what_cannot_be_read_is_not_asked(driver: Driver, method: str, params: list[Any]) -> None:
    await driver.connect()
    await driver.request(method, params)
    assert (await asked(driver), await phase(driver), (await refusal(driver))[0] < 5800) == ([], "idle", True)


async def test_the_whole_of_a_long_message_can_be_read(driver: Driver) -> None:
    await driver.connect()
    await sign(driver, "x" * 5000)
    await driver.fire(ApproveState.show_all(await seen(driver)))
    assert (len((await shown(driver))["text"]), (await shown(driver))["hidden"]) == (5000, False)


async def test_a_first_look_stays_small(driver: Driver) -> None:
    await driver.connect()
    await sign(driver, "x" * 30_000)
    assert len((await shown(driver))["text"]) == 1200


async def test_the_visitor_confirms_a_transaction_as_large_as_the_network_takes_it(
    all_confirmed: None, driver: Driver
) -> None:
    await driver.connect()
    await driver.request("eth_sendTransaction", [{"from": ADDRESS, "to": ADDRESS, "data": "0x" + "ab" * 130_000}])
    assert await phase(driver) == "ready"
    await approve(driver)
    assert await asked(driver) == ["request"]
