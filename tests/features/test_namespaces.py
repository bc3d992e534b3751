"""Several namespaces at once: which is active, what follows which wallet, how each of them ends."""

from __future__ import annotations

from typing import Any

import pytest

from tests.chain_double import ChainDouble
from tests.driver import ADDRESS, Driver, session
from tests.features.namespaces import (
    BITCOIN,
    BTC,
    DOT,
    ETHEREUM,
    PHANTOM,
    PHANTOM_EVM,
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
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.text.texts import FAILED_TO_DISCONNECT, FAILED_TO_FIND_CONNECTOR, WALLET_INTERRUPTED
from walletmodal.features.account.active import ActiveState, active_namespace
from walletmodal.features.account.state import ACCOUNTS, account
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.features.wallets.state import WalletsState

pytestmark = [
    pytest.mark.usefixtures("every_chain"),
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
]

BOTH = {"eip155": session(), "solana": told(SOLANA, SOL)}


async def statuses(driver: Driver) -> dict[Namespace, str]:
    """How each namespace stands."""
    shell = await driver.state(ShellState)
    return {namespace: (await account(shell, namespace)).status for namespace in ACCOUNTS}


async def active(driver: Driver) -> tuple[str, str]:
    """The namespace whose account is shown, and the active network."""
    return await active_namespace(await driver.state(ShellState)), (await driver.state(NetworksState)).active


async def connecting(driver: Driver, connector: str, namespace: str) -> dict[str, Any]:
    """A visitor with nothing or something connected has chosen a wallet, and where it has several, a kind of chain."""
    await driver.call("open", view="Connect")
    await driver.fire(ChoiceState.select("connector", connector))
    if (await driver.state(ShellState)).view == "ConnectingMultiChain":
        await driver.fire(ConnectState.choose(namespace))
    return (await driver.commands("wallet.connect"))[0]


async def test_the_first_account_makes_its_namespace_the_active_one(driver: Driver) -> None:
    await driver.load(wallets=WALLETS)
    await driver.tell(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)})
    assert await active(driver) == ("solana", SOLANA)


async def test_two_namespaces_are_connected_at_once(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH)
    assert await statuses(driver) == {
        "eip155": "connected",
        "solana": "connected",
        "bip122": "disconnected",
        "polkadot": "disconnected",
    }


async def test_connecting_a_wallet_makes_its_namespace_the_active_one(driver: Driver) -> None:
    await driver.connect(wallets=WALLETS)
    await connecting(driver, "Phantom", "solana")
    await driver.tell(wallets=WALLETS, sessions=BOTH)
    assert (await active(driver), (await driver.state(ShellState)).open) == (("solana", SOLANA), False)


async def test_a_wallet_is_told_which_network_is_meant(driver: Driver) -> None:
    await driver.load(wallets=WALLETS)
    command = await connecting(driver, "Phantom", "bip122")
    assert command["params"] == {
        "namespace": "bip122",
        "connector": "Phantom",
        "timeout": 120_000,
        "chain": BITCOIN,
    }


async def test_a_wallet_that_declines_leaves_the_other_namespace_as_it_is(driver: Driver) -> None:
    await driver.connect(wallets=WALLETS)
    await driver.reply(await connecting(driver, "Phantom", "solana"), code=4001, message="no")
    assert (await active(driver), await statuses(driver)) == (
        ("eip155", ETHEREUM),
        {"eip155": "connected", "solana": "disconnected", "bip122": "disconnected", "polkadot": "disconnected"},
    )


async def test_a_wallet_without_an_account_of_the_namespace_gave_no_answer(driver: Driver) -> None:
    await driver.connect(wallets=WALLETS)
    await driver.reply(await connecting(driver, "Phantom", "solana"), value={"accounts": [ADDRESS], "chain": "x"})
    assert (await driver.state(ConnectState)).phase == "error"


async def test_after_a_reload_the_remembered_namespace_is_active(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH, storage=remembered(activeNetworkId=SOLANA_DEVNET))
    assert await active(driver) == ("solana", SOLANA_DEVNET)


async def test_the_remembered_namespace_is_waited_for(driver: Driver) -> None:
    storage = remembered(activeNetworkId=SOLANA, connectors={"eip155": "io.metamask.test", "solana": "Phantom"})
    await driver.load(wallets=WALLETS, settled=False, storage=storage, sessions={"eip155": session()})
    before = await active(driver)
    await driver.tell(wallets=WALLETS, storage=storage, sessions=BOTH)
    assert (before, await active(driver)) == (("solana", SOLANA), ("solana", SOLANA))


async def test_a_remembered_namespace_that_does_not_come_back_is_not_shown(driver: Driver) -> None:
    storage = remembered(activeNetworkId=SOLANA, connectors={"eip155": "io.metamask.test", "solana": "Phantom"})
    await driver.load(wallets=WALLETS, settled=False, storage=storage, sessions={"eip155": session()})
    await driver.tell(wallets=WALLETS, storage=storage, sessions={"eip155": session()})
    assert await active(driver) == ("eip155", ETHEREUM)


async def test_the_active_account_that_goes_leaves_the_other_one(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH, storage=remembered(activeNetworkId=SOLANA))
    await driver.call("open")
    await driver.tell(wallets=WALLETS, sessions={"eip155": session()})
    assert (await active(driver), (await driver.state(ShellState)).open) == (("eip155", ETHEREUM), False)


async def test_an_account_that_is_not_shown_goes_quietly(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH)
    await driver.call("open")
    await driver.tell(wallets=WALLETS, sessions={"eip155": session()})
    told_of = await statuses(driver)
    assert (told_of["solana"], (await driver.state(ShellState)).open) == ("disconnected", True)


async def test_opening_for_a_namespace_shows_its_account(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH)
    await driver.call("open", namespace="solana")
    assert (await active(driver), (await driver.state(ShellState)).view) == (("solana", SOLANA), "Account")


async def test_opening_for_a_namespace_without_an_account_offers_its_wallets(driver: Driver) -> None:
    await driver.connect(wallets=WALLETS)
    await driver.call("open", namespace="polkadot")
    wallets = await driver.state(WalletsState)
    assert [c.id for c in wallets._connectors()] == ["talisman"]
    assert ((await driver.state(ShellState)).view, await active(driver)) == ("Connect", ("eip155", ETHEREUM))


async def test_what_is_opened_next_offers_all_wallets_again(driver: Driver) -> None:
    await driver.load(wallets=WALLETS)
    await driver.call("open", namespace="polkadot")
    await driver.call("close")
    assert (await driver.state(WalletsState))._filter == ""


async def test_the_host_sees_every_account_on_its_own_network(driver: Driver) -> None:
    sessions = {**BOTH, "bip122": told(BITCOIN, BTC), "polkadot": told(POLKADOT, DOT, connector="talisman")}
    await driver.load(wallets=WALLETS, sessions=sessions)
    shell = await driver.state(ShellState)
    shown = {namespace: (await account(shell, namespace)).public["caipAddress"] for namespace in ACCOUNTS}
    assert shown == {
        "eip155": f"{ETHEREUM}:{ADDRESS}",
        "solana": f"{SOLANA}:{SOL}",
        "bip122": f"{BITCOIN}:{BTC}",
        "polkadot": f"{POLKADOT}:{DOT}",
    }


# Disconnecting


async def test_one_namespace_is_disconnected_alone(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH)
    await driver.call("disconnect", namespace="solana")
    assert [c["params"] for c in await driver.commands("wallet.disconnect")] == [
        {"namespace": "solana", "connector": "Phantom"}
    ]


async def test_the_disconnect_row_ends_the_account_that_is_shown(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH, storage=remembered(activeNetworkId=SOLANA))
    await driver.fire(ActiveState.disconnect)
    assert [c["params"]["namespace"] for c in await driver.commands("wallet.disconnect")] == ["solana"]


async def test_a_wallet_of_two_namespaces_is_left_in_one_of_them(driver: Driver) -> None:
    sessions = {"solana": told(SOLANA, SOL), "bip122": told(BITCOIN, BTC)}
    await driver.load(wallets=WALLETS, sessions=sessions)
    await driver.call("disconnect", namespace="bip122")
    assert [c["params"]["namespace"] for c in await driver.commands("wallet.disconnect")] == ["bip122"]


async def test_a_pairing_ends_in_all_of_its_namespaces_with_one_command(driver: Driver) -> None:
    sessions = {"eip155": paired(ETHEREUM, ADDRESS), "solana": paired(SOLANA, SOL)}
    await driver.load(sessions=sessions)
    await driver.call("disconnect", namespace="solana")
    shell = await driver.state(ShellState)
    working = [namespace for namespace in ACCOUNTS if (await account(shell, namespace)).disconnecting]
    assert (len(await driver.commands("wallet.disconnect")), working) == (1, ["eip155", "solana"])


async def test_a_pairing_that_is_ending_is_not_ended_again_from_its_other_namespace(driver: Driver) -> None:
    await driver.load(sessions={"eip155": paired(ETHEREUM, ADDRESS), "solana": paired(SOLANA, SOL)})
    await driver.call("disconnect", call_id="one", namespace="solana")
    await driver.call("disconnect", call_id="two", namespace="eip155")
    await driver.reply((await driver.commands("wallet.disconnect"))[0])
    assert (await driver.answer("two"))["ok"] is True


async def test_the_host_ends_all_connections(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH)
    await driver.call("disconnect")
    commands = await driver.commands("wallet.disconnect")
    await driver.tell(wallets=WALLETS, sessions={})
    await driver.reply(commands[0])
    before = await driver.settled("call-disconnect")
    await driver.reply(commands[1])
    told_of = (await driver.news())[-1]
    assert (before, (await driver.answer("call-disconnect"))["ok"]) == (None, True)
    assert (told_of["event"], told_of["properties"]) == ("DISCONNECT_SUCCESS", {"namespace": "all"})


async def test_one_of_several_that_does_not_end_is_an_error_for_the_host(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions=BOTH)
    await driver.call("disconnect")
    first, second = await driver.commands("wallet.disconnect")
    await driver.reply(first, code=-32603, message="no")
    await driver.reply(second)
    error = (await driver.answer("call-disconnect"))["error"]
    assert (error["message"], (await driver.state(ToastState)).message) == (FAILED_TO_DISCONNECT, FAILED_TO_DISCONNECT)


# A wallet of several namespaces


async def test_a_wallet_of_several_namespaces_asks_which_is_meant(driver: Driver) -> None:
    await driver.load(wallets=[PHANTOM_EVM, PHANTOM])
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "app.phantom"))
    connect, shell = await driver.state(ConnectState), await driver.state(ShellState)
    assert (shell.view, list(connect.choices)) == ("ConnectingMultiChain", ["eip155", "solana", "bip122"])
    assert await driver.commands("wallet.connect") == []


@pytest.mark.parametrize(("namespace", "connector"), [("eip155", "app.phantom"), ("bip122", "Phantom")])
async def test_the_chosen_namespace_is_asked_of_its_own_connector(
    driver: Driver, namespace: str, connector: str
) -> None:
    await driver.load(wallets=[PHANTOM_EVM, PHANTOM])
    command = await connecting(driver, "app.phantom", namespace)
    assert (command["params"]["namespace"], command["params"]["connector"]) == (namespace, connector)


async def test_a_namespace_that_the_wallet_has_no_more_is_not_asked_for(driver: Driver) -> None:
    await driver.load(wallets=[PHANTOM_EVM, PHANTOM])
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "app.phantom"))
    await driver.tell(wallets=[PHANTOM_EVM])
    await driver.fire(ConnectState.choose("solana"))
    assert (await driver.commands("wallet.connect"), (await driver.state(ToastState)).message) == (
        [],
        FAILED_TO_FIND_CONNECTOR,
    )


async def test_only_the_asked_namespace_of_a_wallet_is_connected(driver: Driver) -> None:
    await driver.load(wallets=WALLETS)
    await driver.call("open", namespace="solana")
    await driver.fire(ChoiceState.select("connector", "Phantom"))
    assert [c["params"]["namespace"] for c in await driver.commands("wallet.connect")] == ["solana"]


async def test_another_namespace_of_the_same_wallet_is_another_question(driver: Driver) -> None:
    await driver.load(wallets=WALLETS)
    await connecting(driver, "Phantom", "solana")
    command = await connecting(driver, "Phantom", "bip122")
    assert (command["params"]["namespace"], (await statuses(driver))["solana"]) == ("bip122", "disconnected")


async def test_an_interrupted_connect_is_offered_again_for_its_namespace(driver: Driver) -> None:
    storage = remembered(interrupted={"namespace": "bip122", "connector": "Phantom"})
    await driver.load(wallets=WALLETS, sessions={"eip155": session()}, storage=storage)
    connect = await driver.state(ConnectState)
    assert (connect.error, (await driver.state(ShellState)).view) == (WALLET_INTERRUPTED, "ConnectingExternal")
    await driver.fire(ConnectState.retry)
    assert (await driver.commands("wallet.connect"))[0]["params"]["namespace"] == "bip122"


async def test_an_interrupted_connect_that_the_wallet_has_granted_is_not_offered_again(driver: Driver) -> None:
    storage = remembered(interrupted={"namespace": "solana", "connector": "Phantom"})
    await driver.load(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)}, storage=storage)
    assert (await driver.state(ShellState)).open is False


@pytest.mark.parametrize("network", [ETHEREUM, POLYGON])
async def test_an_evm_wallet_brings_its_own_network(driver: Driver, network: str) -> None:
    await driver.load(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)})
    await connecting(driver, "io.metamask.test", "eip155")
    await driver.tell(wallets=WALLETS, sessions={**BOTH, "eip155": session(chain=network.partition(":")[2])})
    assert await active(driver) == ("eip155", network)


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize(
    ("namespace", "connected"),
    [("bip122", told(BITCOIN, BTC)), ("polkadot", told(POLKADOT, DOT, connector="talisman"))],
)
async def test_a_network_without_balances_raises_no_alarm(
    driver: Driver, chain: ChainDouble, namespace: Namespace, connected: dict[str, Any], down: bool
) -> None:
    chain.down = down
    await driver.load(wallets=WALLETS, sessions={namespace: connected})
    await driver.call("open", namespace=namespace)
    active, alert = await driver.state(ActiveState), await driver.state(AlertState)
    held = await account(active, namespace)
    assert (active.namespace, held.status, held.balance_state) == (namespace, "connected", "unavailable")
    assert (active.tabs, (await driver.state(ToastState)).message, alert.message) == ([], "", "")
