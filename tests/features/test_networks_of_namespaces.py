"""Networks of namespaces whose wallets have none of their own, and of pairings, which approve some."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.namespaces import (
    BITCOIN,
    ETHEREUM,
    POLKADOT,
    POLYGON,
    SOL,
    SOLANA,
    SOLANA_DEVNET,
    WALLETS,
    paired,
    remembered,
    told,
)
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.text.texts import CHAIN_NOT_SUPPORTED
from walletmodal.features.account.state import SolanaState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletsState

pytestmark = [
    pytest.mark.usefixtures("every_chain"),
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
]

BOTH = {"eip155": session(), "solana": told(SOLANA, SOL)}
ADDED = {"caipNetworkId": "polkadot:b0a8d493285c2df73290dfb7e61f870f", "name": "Kusama"}


async def networks(driver: Driver) -> NetworksState:
    """The networks as they stand."""
    return await driver.state(NetworksState)


async def listing(driver: Driver, **parts: Any) -> None:
    """A connected visitor looks at the list."""
    await driver.load(wallets=WALLETS, **parts)
    await driver.call("open")
    await driver.fire(NetworksState.open_list)


async def test_a_network_of_solana_is_switched_to_without_asking_the_wallet(driver: Driver) -> None:
    await listing(driver, sessions={"solana": told(SOLANA, SOL)})
    await driver.fire(NetworksState.choose(SOLANA_DEVNET))
    held = await driver.state(SolanaState)
    assert ((await networks(driver)).active, held.caip_address, await driver.commands("wallet.request")) == (
        SOLANA_DEVNET,
        f"{SOLANA_DEVNET}:{SOL}",
        [],
    )


async def test_the_balance_follows_the_chosen_network(driver: Driver) -> None:
    await listing(driver, sessions={"solana": told(SOLANA, SOL)})
    await driver.fire(NetworksState.choose(SOLANA_DEVNET))
    # The chain of these tests speaks for eip155 alone: asked for anew, it has nothing to say of another one.
    assert (await driver.state(SolanaState)).balance_state == "unavailable"


async def test_a_choice_outlasts_what_the_wallet_keeps_saying(driver: Driver) -> None:
    await listing(driver, sessions={"solana": told(SOLANA, SOL)})
    await driver.fire(NetworksState.choose(SOLANA_DEVNET))
    await driver.tell(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)})
    assert (await networks(driver)).active == SOLANA_DEVNET


async def test_a_choice_outlasts_a_reload(driver: Driver) -> None:
    await listing(driver, sessions={"solana": told(SOLANA, SOL)})
    await driver.fire(NetworksState.choose(SOLANA_DEVNET))
    await driver.reload(settled=False)
    await driver.tell(
        wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)}, storage=remembered(activeNetworkId=SOLANA_DEVNET)
    )
    assert (await networks(driver)).active == SOLANA_DEVNET


async def test_a_wallet_that_moves_on_is_followed(driver: Driver) -> None:
    await driver.load(sessions={"solana": paired(SOLANA, SOL, approved=[SOLANA, SOLANA_DEVNET])})
    await driver.tell(sessions={"solana": paired(SOLANA_DEVNET, SOL, approved=[SOLANA, SOLANA_DEVNET])})
    assert (await networks(driver)).active == SOLANA_DEVNET


async def test_a_network_of_another_connected_namespace_just_becomes_active(driver: Driver) -> None:
    await listing(driver, sessions=BOTH)
    await driver.fire(NetworksState.choose(SOLANA))
    shell = await driver.state(ShellState)
    assert ((await networks(driver)).active, shell.view, await driver.commands("wallet.request")) == (
        SOLANA,
        "Account",
        [],
    )


async def test_an_evm_network_that_the_wallet_is_on_needs_no_question(driver: Driver) -> None:
    await listing(driver, sessions=BOTH, storage=remembered(activeNetworkId=SOLANA))
    await driver.fire(NetworksState.choose(ETHEREUM))
    assert ((await networks(driver)).active, await driver.commands("wallet.request")) == (ETHEREUM, [])


async def test_an_evm_network_that_the_wallet_is_not_on_is_asked_for_and_becomes_active(driver: Driver) -> None:
    await listing(driver, sessions=BOTH, storage=remembered(activeNetworkId=SOLANA))
    await driver.fire(NetworksState.choose(POLYGON))
    command = (await driver.commands("wallet.request"))[0]
    await driver.tell(wallets=WALLETS, sessions={**BOTH, "eip155": session(chain="137")})
    await driver.reply(command)
    shell = await driver.state(ShellState)
    assert ((await networks(driver)).active, shell.view, command["params"]["chain"]) == (POLYGON, "Account", POLYGON)


async def test_a_network_without_an_account_leads_to_its_wallets(driver: Driver) -> None:
    await listing(driver, sessions={"eip155": session()})
    await driver.fire(NetworksState.choose(SOLANA_DEVNET))
    shell, before = await driver.state(ShellState), (await networks(driver)).active
    assert (shell.view, before) == ("SwitchActiveChain", ETHEREUM)
    await driver.fire(NetworksState.connect_other)
    shell, wallets = await driver.state(ShellState), await driver.state(WalletsState)
    assert (shell.view, shell.depth > 1, [c.id for c in wallets._connectors()]) == ("Connect", True, ["Phantom"])


async def test_the_network_that_led_there_is_the_one_that_is_connected(driver: Driver) -> None:
    await listing(driver, sessions={"eip155": session()})
    await driver.fire(NetworksState.choose(SOLANA_DEVNET))
    await driver.fire(NetworksState.connect_other)
    await driver.fire(ChoiceState.select("connector", "Phantom"))
    asked = (await driver.commands("wallet.connect"))[0]["params"]["chain"]
    await driver.tell(wallets=WALLETS, sessions=BOTH)
    assert (asked, (await networks(driver)).active) == (SOLANA_DEVNET, SOLANA_DEVNET)


async def test_what_a_pairing_has_not_approved_is_out_of_reach_and_stands_last(driver: Driver) -> None:
    await listing(driver, sessions={"eip155": paired(POLYGON, ADDRESS)})
    state = await networks(driver)
    assert (state.barred, state.rows[-1]["id"], state.active) == ([ETHEREUM], ETHEREUM, POLYGON)
    await driver.fire(NetworksState.choose(ETHEREUM))
    assert (await networks(driver)).active == POLYGON


async def test_a_pairing_switches_between_approved_networks_by_itself(driver: Driver) -> None:
    await listing(driver, sessions={"eip155": paired(ETHEREUM, ADDRESS, approved=[ETHEREUM, POLYGON])})
    await driver.fire(NetworksState.choose(POLYGON))
    assert ((await networks(driver)).active, await driver.commands("wallet.request")) == (POLYGON, [])


@pytest.mark.parametrize("said", [1, 2])
async def test_a_pairing_that_names_the_network_that_it_named_before_is_followed(driver: Driver, said: int) -> None:
    """The host has chosen another one meanwhile; quick changes to it and back come as one."""
    both = [ETHEREUM, POLYGON]
    await driver.load(sessions={"eip155": paired(ETHEREUM, ADDRESS, approved=both)})
    await driver.call("switchNetwork", caipNetworkId=POLYGON)
    assert (await networks(driver)).active == POLYGON
    await driver.tell(sessions={"eip155": {**paired(ETHEREUM, ADDRESS, approved=both), "said": said}})
    assert (await networks(driver)).active == ETHEREUM


async def test_a_pairing_that_says_nothing_new_stays_where_the_host_has_put_it(driver: Driver) -> None:
    both = [ETHEREUM, POLYGON]
    await driver.load(sessions={"eip155": {**paired(ETHEREUM, ADDRESS, approved=both), "said": 3}})
    await driver.call("switchNetwork", caipNetworkId=POLYGON)
    await driver.tell(sessions={"eip155": {**paired(ETHEREUM, ADDRESS, OTHER, approved=both), "said": 3}})
    assert (await networks(driver)).active == POLYGON


async def test_a_host_cannot_switch_to_what_a_pairing_has_not_approved(driver: Driver) -> None:
    await driver.load(sessions={"eip155": paired(POLYGON, ADDRESS)})
    await driver.call("switchNetwork", caipNetworkId=ETHEREUM)
    error = (await driver.answer("call-switchNetwork"))["error"]
    assert (error["code"], error["message"]) == (4902, CHAIN_NOT_SUPPORTED)


async def test_a_network_that_a_pairing_takes_back_is_left(driver: Driver) -> None:
    await driver.load(sessions={"eip155": paired(ETHEREUM, ADDRESS, approved=[ETHEREUM, POLYGON])})
    await driver.tell(sessions={"eip155": paired(ETHEREUM, ADDRESS, approved=[POLYGON])})
    assert (await networks(driver)).active == POLYGON


async def test_a_pairing_on_a_network_that_is_not_offered_uses_one_that_is(driver: Driver) -> None:
    await driver.load(sessions={"eip155": paired("eip155:56", ADDRESS, approved=["eip155:56", POLYGON])})
    assert ((await networks(driver)).active, (await driver.state(ShellState)).open) == (POLYGON, False)


async def test_a_pairing_without_any_offered_network_is_on_an_unsupported_one(driver: Driver) -> None:
    await driver.load(sessions={"eip155": paired("eip155:56", ADDRESS)})
    assert ((await networks(driver)).active, (await networks(driver)).unsupported) == ("eip155:56", True)


async def test_a_host_may_switch_to_a_namespace_without_an_account(driver: Driver) -> None:
    await driver.load(sessions={"eip155": session()})
    await driver.call("switchNetwork", caipNetworkId=BITCOIN)
    await driver.call("open")
    shell = await driver.state(ShellState)
    assert ((await driver.answer("call-switchNetwork"))["ok"], shell.connected, shell.view) == (True, False, "Connect")


async def test_a_network_that_the_host_chose_stays_although_another_namespace_is_connected(driver: Driver) -> None:
    await driver.load(sessions={"eip155": session()})
    await driver.call("switchNetwork", caipNetworkId=BITCOIN)
    await driver.tell(sessions={"eip155": session(chain="137")})
    assert (await networks(driver)).active == BITCOIN


async def test_a_host_adds_a_network_of_any_namespace(driver: Driver) -> None:
    await driver.load()
    currency = {"name": "Kusama", "symbol": "KSM", "decimals": 12}
    await driver.call("addNetwork", network={**ADDED, "nativeCurrency": currency})
    await driver.call("switchNetwork", caipNetworkId=ADDED["caipNetworkId"])
    state = await networks(driver)
    assert (state.active, state.active_name, state.active_symbol) == (ADDED["caipNetworkId"], "Kusama", "KSM")


async def test_removing_the_network_that_an_account_is_told_moves_it_to_another(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)})
    await driver.call("removeNetwork", caipNetworkId=SOLANA)
    held = await driver.state(SolanaState)
    assert ((await networks(driver)).active, held.caip_address) == (SOLANA_DEVNET, f"{SOLANA_DEVNET}:{SOL}")


async def test_the_last_network_of_a_namespace_cannot_be_removed(driver: Driver) -> None:
    await driver.load()
    await driver.call("removeNetwork", caipNetworkId=POLKADOT)
    assert (await driver.answer("call-removeNetwork"))["ok"] is False


async def test_the_host_reads_a_chain_id_of_another_namespace_as_text(driver: Driver) -> None:
    await driver.load(storage=remembered(activeNetworkId=SOLANA))
    public = (await networks(driver)).public
    assert (public["id"], public["name"]) == (SOLANA.partition(":")[2], bundled_networks()[SOLANA].name)
