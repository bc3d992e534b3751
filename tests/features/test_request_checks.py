"""What is refused before anybody decides about it, and what only the wallet knows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.test_request_policy import (
    DECIDE,
    asked,
    audit,
    error,
)
from walletmodal.core.requests.methods import METHODS, methods_of_kinds
from walletmodal.deployment import Deployment

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.mark.parametrize(
    ("method", "params", "refused"),
    [
        ("wallet_sendCalls", [{"calls": [{"to": "0x"}] * 1_000}], 5740),
        ("wallet_sendCalls", [{"calls": [{"to": "0x"}] * 10_000}], -32005),
        ("wallet_sendCalls", [{"calls": [{"to": OTHER}], "chainId": "0xdead"}], 5710),
        ("wallet_sendCalls", [{"calls": [{"to": OTHER}], "chainId": "0x89"}], 4901),
        ("wallet_sendCalls", [{"calls": [{"to": OTHER}], "atomicRequired": "yes"}], -32602),
        ("eth_signTypedData_v4", [ADDRESS, '{"message":' + '{"a":' * 1000 + "1" + "}" * 1001], -32602),
        ("eth_signTypedData_v4", [ADDRESS, "[]"], -32602),
        ("wallet_grantPermissions", [{}] * 101, -32602),
        ("wallet_requestExecutionPermissions", [{}] * 9, -32602),
        ("eth_sendTransaction", [{"from": ADDRESS, "to": OTHER, "data": "0x01", "input": "0x02"}], -32602),
    ],
)
async def test_what_nobody_could_decide_about_is_refused(
    driver: Driver, method: str, params: Any, refused: int
) -> None:
    await driver.connect()
    await driver.request(method, params)
    assert ((await error(driver))[0], await asked(driver)) == (refused, [])


async def test_typed_data_nested_a_thousand_deep_is_refused_as_an_object_too(driver: Driver) -> None:
    deep: Any = 1
    for _ in range(1000):
        deep = {"a": deep}
    await driver.connect()
    await driver.request("eth_signTypedData_v4", [ADDRESS, {"message": deep}])
    assert ((await error(driver))[0], await asked(driver)) == (-32602, [])


async def test_calls_that_wait_under_the_same_id_are_refused(driver: Driver) -> None:
    await driver.connect()
    for call in ("first", "second"):
        await driver.request("wallet_sendCalls", [{"id": "mine", "calls": [{"to": OTHER}]}], call_id=call)
    assert (await error(driver, "second"), len(await asked(driver))) == (
        (5720, "There is already a bundle submitted with this ID."),
        1,
    )


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("wallet_getCapabilities", [ADDRESS, ["0x1"]]),
        ("wallet_getCapabilities", [ADDRESS.lower()]),
        ("wallet_getCapabilities", None),
        ("wallet_getCallsStatus", ["0x1"]),
        ("wallet_showCallsStatus", ["0x1"]),
        ("wallet_getAssets", [{"account": ADDRESS}]),
    ],
)
async def test_what_only_the_wallet_knows_is_asked_of_it(
    driver: Driver, decides: DECIDE, deployed: Deployment, method: str, params: Any
) -> None:
    decides("return Deny('not a read')")
    await driver.connect()
    await driver.request(method, params)
    assert (await asked(driver), await audit(deployed)) == ([method], [])


ENDS = {"expiry": 4_000_000_000}


@pytest.mark.parametrize(
    ("grants", "refused"),
    [
        ([{"address": ADDRESS.lower(), **ENDS}], None),
        ([{"chainId": "0x1", **ENDS}], None),
        ([{"address": OTHER}], 4100),
        ([{"address": ADDRESS}, {"account": OTHER}], 4100),
        ([{"address": ADDRESS, "chainId": "0x1", **ENDS}], None),
        ([{"chainId": "0x89"}], 4901),
        ([{"chainId": "0x1"}, {"chainId": 137}], 4901),
        ([{"chainId": "0xdead"}], 5710),
    ],
)
async def test_permissions_are_granted_for_own_accounts_on_the_active_network_alone(
    driver: Driver, grants: list[Any], refused: int | None
) -> None:
    await driver.connect()
    await driver.request("wallet_grantPermissions", grants)
    assert await asked(driver) == ([] if refused else ["wallet_grantPermissions"])
    if refused:
        assert (await error(driver))[0] == refused


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("wallet_getCapabilities", [OTHER]),
        ("wallet_getAssets", [{"account": OTHER}]),
    ],
)
async def test_of_another_account_the_wallet_is_not_asked(driver: Driver, method: str, params: Any) -> None:
    await driver.connect()
    await driver.request(method, params)
    assert ((await error(driver))[0], await asked(driver)) == (4100, [])


@pytest.mark.parametrize("method", sorted(methods_of_kinds("wallet_read")))
async def test_without_a_wallet_nobody_knows(driver: Driver, method: str) -> None:
    await driver.load()
    await driver.request(method, ["0x1"])
    assert (await error(driver))[0] == 4100


ANYWAY: list[Any] = [None, [], {}, [5], ["x"], [[]]]
UNFORMED: dict[str, list[Any]] = {
    **dict.fromkeys((spec.name for spec in METHODS["eip155"].values() if spec.kind == "wallet"), ANYWAY),
    "personal_sign": [*ANYWAY, ["0x00"], ["0x00", 5], ["0x00", "bob"]],
    "eth_sendTransaction": [*ANYWAY, [{}], [{"from": 5}]],
    "wallet_sendCalls": [*ANYWAY, [{}], [{"from": 5, "calls": []}]],
    "wallet_grantPermissions": [*ANYWAY, [{"from": 5}]],
    "wallet_getCallsStatus": [None, [], {}, [5], [[]]],
    "wallet_showCallsStatus": [None, [], {}, [5], [[]]],
    "wallet_getAssets": [*ANYWAY, [{}], {"account": OTHER}],
    "wallet_getCapabilities": [{}, [5], [[]]],
}


@pytest.mark.parametrize("method", sorted(UNFORMED))
async def test_parameters_without_the_form_of_their_method_are_called_so(driver: Driver, method: str) -> None:
    await driver.connect()
    found = []
    for number, params in enumerate(UNFORMED[method]):
        await driver.request(method, params, call_id=str(number))
        found.append((params, (await error(driver, str(number)))[0]))
    assert (found, await asked(driver)) == ([(params, -32602) for params in UNFORMED[method]], [])
