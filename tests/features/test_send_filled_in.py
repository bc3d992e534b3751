"""The form of a transfer that a host page fills in, and for how long the page is named as who has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import OTHER, Driver
from tests.features.send_stage import (
    RECEIVER,
    USDC_KEY,
    Stage,
    held,
    settles,
    world,
)
from walletmodal.core.chains.addresses import truncate
from walletmodal.deployment import Deployment
from walletmodal.features.send.state import SendState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


async def opened_by_the_host(driver: Driver, **given: object) -> SendState:
    """The form that the host page opens for a connected visitor."""
    await driver.load(sessions=held())
    await driver.call("open", view="WalletSend", arguments=given)
    await driver.fire(SendState.on_shown)
    await settles(driver)
    return await driver.state(SendState)


async def warned(driver: Driver) -> list[str]:
    told_ = [command["params"]["message"] for command in await driver.commands("host.warn")]
    return [sentence for sentence in told_ if "WalletSend" in sentence]


@pytest.mark.parametrize("token", ["usdc", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", USDC_KEY])
async def test_a_host_fills_it_in(driver: Driver, stage: Stage, token: str) -> None:
    filled = await opened_by_the_host(driver, token=token, amount="12.5", to=RECEIVER)
    assert (filled.token, filled.amount, filled.receiver, filled.label) == (USDC_KEY, "12.5", RECEIVER, "Preview Send")
    assert (bool(filled.host), await warned(driver)) == (True, [])


@pytest.mark.parametrize(
    ("given", "changes"),
    [
        ({"amount": "12.5"}, [SendState.type_amount("13")]),
        ({"to": RECEIVER}, [SendState.type_receiver(OTHER)]),
        ({"to": RECEIVER}, [SendState.paste(OTHER)]),
        ({"to": RECEIVER, "amount": "12.5"}, [SendState.type_amount("13"), SendState.type_receiver(OTHER)]),
    ],
)
async def test_the_host_is_named_until_nothing_of_it_is_left(
    driver: Driver, stage: Stage, given: dict[str, str], changes: list[Any]
) -> None:
    await opened_by_the_host(driver, **given)
    for change in changes:
        assert (await driver.state(SendState)).host
        await driver.fire(change)
    assert (await driver.state(SendState)).host == ""


async def test_a_receiver_from_the_host_page_is_named_as_such_whatever_amount_is_typed(
    driver: Driver, stage: Stage
) -> None:
    await opened_by_the_host(driver, token="USDC", to=RECEIVER)
    await driver.fire(SendState.type_amount("13"))
    filled = await driver.state(SendState)
    assert (filled.receiver, bool(filled.host)) == (RECEIVER, True)


async def test_the_host_is_named_by_its_address(driver: Driver, stage: Stage) -> None:
    """A page may call itself "you"."""
    await driver.load(sessions=held(), options={"metadata": {"name": "you"}})
    await driver.call("open", view="WalletSend", arguments={"to": RECEIVER})
    assert (await driver.state(SendState)).host == "localhost:8700"


async def test_what_a_host_gives_and_is_not_there_is_said_on_its_console(driver: Driver, stage: Stage) -> None:
    filled = await opened_by_the_host(driver, token="NONE", amount="-1")
    assert (filled.token, filled.amount, filled.label) == ("", "", "Select Token")
    assert await warned(driver) == [
        'open({view: "WalletSend"}): `amount` must be a decimal text above zero, such as "0.5"; it is left out.',
        'open({view: "WalletSend"}): the account has no one token "NONE"; it is left out.',
    ]


async def test_a_name_that_a_host_gives_is_looked_up(driver: Driver, stage: Stage) -> None:
    assert (await opened_by_the_host(driver, to="vitalik.eth")).receiver_address == truncate(RECEIVER)
