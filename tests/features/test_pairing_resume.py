"""A pairing goes on after its session on the server was lost."""

from __future__ import annotations

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from tests.features.pairing_stage import PHONE, Row, approve, asked, choose, place, told
from tests.features.returning import returns
from walletmodal.core.text.texts import WALLET_DECLINED
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState


@pytest.fixture(autouse=True)
def relay(configure: Configure) -> None:
    """A deployment with a relay."""
    configure(RELAY_URL="ws://localhost:8700/relay")


async def test_the_pane_returns_with_its_wallet(driver: Driver, heir: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(PairingState.select_pane("web"))
    await returns(heir, driver)
    before, after = await driver.state(PairingState), await heir.state(PairingState)
    assert await place(heir) == (True, "ConnectingWalletConnect")
    assert (after.pane, after.wallet, after.tabs) == ("web", before.wallet, before.tabs)


async def test_the_question_returns_under_its_id(driver: Driver, heir: Driver) -> None:
    await choose(driver, PHONE.id)
    before = await asked(driver)
    await returns(heir, driver)
    assert await asked(heir) == before


async def test_an_approval_meanwhile_connects(driver: Driver, heir: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(PairingState.on_link_opened)
    await returns(heir, driver)
    await approve(heir, (await asked(heir))[0])
    assert (await place(heir))[0] is False
    assert (await told(heir, "CONNECT_SUCCESS"))[0]["name"] == "Tidewater Wallet"


async def test_what_went_wrong_returns(driver: Driver, heir: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.reply((await asked(driver))[0], code=4001, message="no")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await driver.fire(ShellState.back)
    await returns(heir, driver)
    assert (await heir.state(PairingState)).error == WALLET_DECLINED


async def test_a_visitor_who_is_elsewhere_keeps_nothing_of_it(driver: Driver, heir: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(ShellState.back)
    await returns(heir, driver)
    assert (await heir.state(PairingState)).wallet["id"] == ""


async def test_a_wallet_can_be_chosen_after_the_return(driver: Driver, heir: Driver) -> None:
    await choose(driver)
    await returns(heir, driver)
    await heir.fire(ShellState.back)
    await heir.fire(Row.choose(PHONE.id))
    assert (await asked(heir))[0]["params"]["wallet"]["name"] == "Tidewater Wallet"
