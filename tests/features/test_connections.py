"""The bridge says who is connected; what a snapshot has changed is worked out once, for every handler."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.conftest import Rewire
from tests.features.namespaces import SOL, SOLANA, WALLETS, told
from walletmodal.core.connections.connections import Changes
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.account.state import Eip155State
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.shell.state import ShellState
from walletmodal.wiring import WIRING

EVM = {"eip155": session()}
BOTH = {**EVM, "solana": told(SOLANA, SOL)}


@pytest.fixture
def heard(rewire: Rewire) -> list[Changes]:
    """What the handlers of a snapshot were given, in the order of the snapshots."""
    found: list[Changes] = []

    async def hear(_state: Any, _snapshot: Any, changes: Changes) -> list[Any]:
        found.append(changes)
        return []

    rewire(on_snapshot=(*WIRING.on_snapshot, hear))
    return found


def came_and_went(changes: Changes) -> tuple[list[str], list[str]]:
    return sorted(changes.connected), sorted(changes.disconnected)


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_handlers_hear_who_came_and_went(driver: Driver, every_chain: None, heard: list[Changes]) -> None:
    await driver.load(wallets=WALLETS, sessions=EVM)
    await driver.tell(wallets=WALLETS, sessions=BOTH)
    await driver.tell(wallets=WALLETS, sessions={"solana": BOTH["solana"]})
    assert [came_and_went(each) for each in heard] == [(["eip155"], []), (["solana"], []), ([], ["eip155"])]


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_a_changed_option_is_no_news_of_the_wallets(driver: Driver, heard: list[Changes]) -> None:
    await driver.connect()
    await driver.call("options", options={"debug": False})
    assert [each.first for each in heard] == [True, False]
    assert came_and_went(heard[-1]) == ([], [])


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_to_the_next_page_every_account_is_news(driver: Driver, heard: list[Changes]) -> None:
    await driver.connect()
    await driver.reload(sessions=EVM)
    assert [(each.first, sorted(each.connected)) for each in heard] == [(True, ["eip155"])] * 2


async def test_what_is_connected_and_chosen_is_in_one_place(driver: Driver) -> None:
    await driver.load(sessions={"eip155": {**session(), "accounts": [ADDRESS, OTHER]}})
    await driver.fire(AddressesState.choose(OTHER))
    found = (await driver.state(BridgeState))._connections.of("eip155")
    assert found is not None
    assert (found.connector, found.accounts, found.chain) == ("io.metamask.test", (OTHER, ADDRESS), "1")


async def test_an_account_finds_its_network_in_a_state_that_is_loaded_alone(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(Eip155State.refresh_balance)
    assert (await driver.account()).balance_state == "known"


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_a_wallet_that_answers_late_leads_on_though_another_namespace_is_connected(
    driver: Driver, every_chain: None
) -> None:
    await driver.load(wallets=WALLETS, sessions=EVM)
    await driver.call("open", view="Connect", namespace="solana")
    await driver.tell(wallets=WALLETS, sessions=BOTH)
    assert not (await driver.state(ShellState)).open
