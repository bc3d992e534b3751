"""The account follows the wallet, its balance follows the chain, and disconnecting ends both."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.chain_double import ChainDouble
from tests.driver import ADDRESS, METAMASK, ORIGIN, OTHER, Driver, session
from tests.patience import PATIENCE
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.text.texts import ADDRESS_COPIED, BALANCE_UNAVAILABLE, FAILED_TO_COPY, FAILED_TO_DISCONNECT
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.disconnecting import MAX_CALLS
from walletmodal.features.account.state import SolanaState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

RABBY = {**METAMASK, "id": "io.rabby.test", "name": "Rabby", "rdns": "io.rabby.test"}


async def test_the_address_is_shown_in_its_checksummed_spelling(driver: Driver) -> None:
    await driver.connect(address=ADDRESS.lower())
    assert (await driver.account()).address == ADDRESS


@pytest.mark.parametrize(
    "bad",
    [
        {"connector": "io.metamask.test", "accounts": [], "chain": "1"},
        {"connector": "io.metamask.test", "accounts": ["0x1234"], "chain": "1"},
        {"connector": "io.metamask.test", "accounts": [ADDRESS[:-1] + "F"], "chain": "1"},
        {"connector": "io.metamask.test", "accounts": [ADDRESS], "chain": "0x1"},
        {"connector": "io.metamask.test", "accounts": [ADDRESS], "chain": 1},
        {"connector": "", "accounts": [ADDRESS], "chain": "1"},
        {"connector": "io.metamask.test", "accounts": ADDRESS, "chain": "1"},
        None,
        [],
    ],
)
async def test_a_session_that_makes_no_sense_is_none(driver: Driver, bad: Any) -> None:
    await driver.load(sessions={"eip155": bad})
    assert (await driver.account()).status == "disconnected"


async def test_a_balance_is_read_from_the_chain(driver: Driver) -> None:
    await driver.connect()
    account = await driver.account()
    assert (account.balance, account.balance_symbol, account.balance_state) == ("1.234", "ETH", "known")


async def test_a_chain_that_cannot_be_read_leaves_everything_else_working(driver: Driver, chain: ChainDouble) -> None:
    chain.down = True
    await driver.connect()
    account = await driver.account()
    assert (account.status, account.balance_state) == ("connected", "unavailable")


async def test_a_closed_modal_says_nothing_of_an_unavailable_balance(driver: Driver, chain: ChainDouble) -> None:
    chain.down = True
    await driver.connect()
    assert (await driver.state(ToastState)).message == ""


async def test_an_open_modal_says_that_the_balance_is_unavailable(driver: Driver, chain: ChainDouble) -> None:
    await driver.connect()
    await driver.call("open")
    chain.down = True
    await driver.tell(sessions={"eip155": session(OTHER)})
    assert (await driver.state(ToastState)).message == BALANCE_UNAVAILABLE


async def test_another_address_never_shows_the_balance_of_the_one_before(driver: Driver, chain: ChainDouble) -> None:
    await driver.connect()
    chain.down = True
    await driver.tell(sessions={"eip155": session(OTHER)})
    assert (await driver.account()).balance == ""


async def test_another_chain_never_shows_the_balance_of_the_one_before(driver: Driver, chain: ChainDouble) -> None:
    await driver.connect()
    chain.down = True
    await driver.tell(sessions={"eip155": session(chain="137")})
    account = await driver.account()
    assert (account.balance, account.balance_symbol) == ("", "POL")


async def test_a_late_balance_of_an_old_address_is_dropped(driver: Driver, chain: ChainDouble) -> None:
    chain.held = asyncio.Event()
    loading = asyncio.create_task(driver.connect())
    await asyncio.wait_for(chain.asked.wait(), PATIENCE)
    chain.balance = 5 * 10**18
    switching = asyncio.create_task(driver.tell(sessions={"eip155": session(OTHER)}))
    await chain.asked_for(ChainId("eip155", "1"), OTHER)
    chain.held.set()
    await asyncio.gather(loading, switching)
    account = await driver.account()
    assert (account.address, account.balance) == (OTHER, "5")


async def test_an_account_change_in_the_wallet_is_followed(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session(OTHER)})
    account = await driver.account()
    assert (account.address, account.caip_address) == (OTHER, f"eip155:1:{OTHER}")


async def test_a_wallet_that_forgets_the_page_closes_the_modal(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.tell(sessions={})
    assert ((await driver.account()).status, (await driver.state(ShellState)).open) == ("disconnected", False)


async def test_nothing_of_a_forgotten_account_is_left(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={})
    account = await driver.account()
    left = (
        account.address,
        account.caip_address,
        account.balance,
        account.connector,
        account.explorer_url,
    )
    assert left == ("", "", "", "", "")
    assert (await driver.state(BridgeState))._connections.held == ()


async def test_an_embedded_modal_shows_connect_when_its_wallet_is_gone(driver: Driver) -> None:
    await driver.connect(options={"enableEmbedded": True})
    await driver.call("open")
    await driver.tell(sessions={})
    assert (await driver.state(ShellState)).view == "Connect"


async def test_an_embedded_modal_shows_the_account_of_a_remembered_wallet(driver: Driver) -> None:
    await driver.load(options={"enableEmbedded": True}, settled=False)
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.state(ShellState)).view == "Account"


async def test_an_embedded_modal_shows_the_account_after_connecting(driver: Driver) -> None:
    await driver.load(options={"enableEmbedded": True})
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.state(ShellState)).view == "Account"


async def test_disconnect_asks_the_browser_to_forget_the_wallet(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(ActiveState.disconnect)
    command = (await driver.commands("wallet.disconnect"))[0]
    assert command["params"] == {"namespace": "eip155", "connector": "io.metamask.test"}


async def test_two_clicks_on_disconnect_ask_once(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(ActiveState.disconnect)
    await driver.fire(ActiveState.disconnect)
    assert len(await driver.commands("wallet.disconnect")) == 1


async def test_a_disconnected_wallet_is_gone_and_the_modal_closed(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.fire(ActiveState.disconnect)
    await driver.tell(sessions={})
    await driver.reply((await driver.commands("wallet.disconnect"))[0])
    assert ((await driver.account()).status, (await driver.state(ShellState)).open) == ("disconnected", False)


async def test_a_late_answer_to_disconnect_leaves_the_next_wallet_alone(driver: Driver) -> None:
    await driver.connect(wallets=[METAMASK, RABBY])
    await driver.fire(ActiveState.disconnect)
    await driver.tell(sessions={}, wallets=[METAMASK, RABBY])
    await driver.fire(ChoiceState.select("connector", "io.rabby.test"))
    await driver.tell(sessions={"eip155": session(OTHER, connector="io.rabby.test")}, wallets=[METAMASK, RABBY])
    await driver.reply((await driver.commands("wallet.disconnect"))[0])
    account = await driver.account()
    assert (account.status, account.address) == ("connected", OTHER)


async def test_a_late_answer_to_disconnect_does_not_close_what_was_opened_since(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(ActiveState.disconnect)
    await driver.tell(sessions={})
    await driver.call("open")
    await driver.reply((await driver.commands("wallet.disconnect"))[0])
    assert (await driver.state(ShellState)).open is True


async def test_a_disconnect_that_fails_keeps_the_account_and_says_so(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.fire(ActiveState.disconnect)
    await driver.reply((await driver.commands("wallet.disconnect"))[0], code=-32603, message="no")
    assert ((await driver.account()).status, (await driver.state(ToastState)).message) == (
        "connected",
        FAILED_TO_DISCONNECT,
    )


async def test_the_hosts_disconnect_is_answered_when_it_is_done(driver: Driver) -> None:
    await driver.connect()
    await driver.call("disconnect")
    assert await driver.settled("call-disconnect") is None
    await driver.reply((await driver.commands("wallet.disconnect"))[0])
    assert (await driver.answer("call-disconnect"))["ok"] is True


async def test_the_hosts_second_disconnect_is_answered_with_the_first(driver: Driver) -> None:
    await driver.connect()
    await driver.call("disconnect", call_id="one")
    await driver.call("disconnect", call_id="two")
    await driver.reply((await driver.commands("wallet.disconnect"))[0])
    assert (await driver.answer("two"))["ok"] is True


async def test_those_who_wait_for_one_disconnect_are_bounded(driver: Driver) -> None:
    await driver.connect()
    for number in range(MAX_CALLS + 1):
        await driver.call("disconnect", call_id=f"c{number}")
    assert (await driver.answer(f"c{MAX_CALLS}"))["error"]["code"] == -32005
    assert await driver.settled(f"c{MAX_CALLS - 1}") is None


@pytest.mark.parametrize("namespace", [None, "eip155", "solana"])
async def test_the_hosts_disconnect_without_a_wallet_is_answered_at_once(driver: Driver, namespace: str | None) -> None:
    await driver.load()
    await driver.call("disconnect", namespace=namespace)
    assert (await driver.answer("call-disconnect"))["ok"] is True


async def test_disconnecting_while_a_wallet_is_asked_does_not_disturb_it(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.call("disconnect")
    assert (await driver.account()).status == "connecting"


async def test_another_wallet_takes_the_place_of_the_connected_one(driver: Driver) -> None:
    await driver.connect(wallets=[METAMASK, RABBY])
    await driver.fire(ChoiceState.select("connector", "io.rabby.test"))
    await driver.tell(sessions={"eip155": session(OTHER, connector="io.rabby.test")}, wallets=[METAMASK, RABBY])
    account = await driver.account()
    assert (account.address, account.wallet_name) == (OTHER, "Rabby")


async def test_another_wallet_that_declines_leaves_the_connected_one(driver: Driver) -> None:
    await driver.connect(wallets=[METAMASK, RABBY])
    await driver.fire(ChoiceState.select("connector", "io.rabby.test"))
    await driver.reply((await driver.commands("wallet.connect"))[0], code=4001, message="no")
    assert (await driver.account()).status == "connected"


async def test_the_connected_wallet_may_be_chosen_again(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.reply((await driver.commands("wallet.connect"))[0], value={"accounts": [ADDRESS], "chain": "1"})
    assert ((await driver.state(ConnectState)).phase, (await driver.account()).status) == ("idle", "connected")


async def test_the_late_approval_of_the_first_of_two_wallets_counts(driver: Driver) -> None:
    await driver.load(wallets=[METAMASK, RABBY])
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.fire(ChoiceState.select("connector", "io.rabby.test"))
    await driver.tell(sessions={"eip155": session()}, wallets=[METAMASK, RABBY])
    assert (await driver.account()).wallet_name == "MetaMask"


async def test_only_the_second_of_two_wallets_is_waited_for(driver: Driver) -> None:
    await driver.load(wallets=[METAMASK, RABBY])
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.fire(ChoiceState.select("connector", "io.rabby.test"))
    assert [c["params"]["connector"] for c in await driver.commands("wallet.connect")] == ["io.rabby.test"]


async def test_a_reply_without_a_usable_session_is_an_error_not_a_wait(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.reply((await driver.commands("wallet.connect"))[0], value={"accounts": ["0x12"], "chain": "1"})
    assert (await driver.state(ConnectState)).phase == "error"


async def test_two_clicks_on_a_row_ask_the_wallet_once(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    first = (await driver.commands("wallet.connect"))[0]["id"]
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    assert [c["id"] for c in await driver.commands("wallet.connect")] == [first]


async def test_try_again_while_the_wallet_is_asked_asks_nobody(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    first = (await driver.commands("wallet.connect"))[0]["id"]
    await driver.fire(ConnectState.retry)
    assert [c["id"] for c in await driver.commands("wallet.connect")] == [first]


async def test_a_click_while_the_remembered_wallet_is_asked_leads_to_the_account(driver: Driver) -> None:
    await driver.load(settled=False)
    await driver.call("open")
    await driver.tell(sessions={"eip155": session()})
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view) == (True, "Account")


async def test_copying_is_confirmed(driver: Driver) -> None:
    await driver.fire(ActiveState.on_copied(True))
    assert (await driver.state(ToastState)).message == ADDRESS_COPIED


async def test_copying_that_failed_is_confessed(driver: Driver) -> None:
    await driver.fire(ActiveState.on_copied(False))
    assert (await driver.state(ToastState)).message == FAILED_TO_COPY


async def test_the_host_sees_the_account_as_the_protocol_says(driver: Driver) -> None:
    await driver.connect()
    told = (await driver.account()).public
    assert {key: told[key] for key in ("status", "caipAddress", "address", "balance", "balanceSymbol")} == {
        "status": "connected",
        "caipAddress": f"eip155:1:{ADDRESS}",
        "address": ADDRESS,
        "balance": "1.234",
        "balanceSymbol": "ETH",
    }


async def test_the_host_is_told_the_balance_exactly(driver: Driver, chain: ChainDouble) -> None:
    chain.balance = 2**60 + 1
    await driver.connect()
    assert (await driver.account()).public["nativeBalance"] == {
        "formatted": "1.152",
        "value": str(2**60 + 1),
        "symbol": "ETH",
        "decimals": 18,
    }


async def test_a_balance_that_cannot_be_read_is_not_told(driver: Driver, chain: ChainDouble) -> None:
    chain.down = True
    await driver.connect()
    assert (await driver.account()).public["nativeBalance"] is None


async def test_namespaces_do_not_mix(driver: Driver) -> None:
    await driver.connect()
    assert (await driver.state(SolanaState)).status == "disconnected"


async def test_an_unknown_network_of_the_wallet_still_has_an_account(driver: Driver) -> None:
    await driver.connect(chain="31337")
    account = await driver.account()
    assert (account.caip_address, account.explorer_url) == (f"eip155:31337:{ADDRESS}", "")


async def test_a_chain_that_the_deployment_does_not_offer_is_never_asked_for(
    driver: Driver, chain: ChainDouble
) -> None:
    await driver.connect(chain="31337")
    assert ((await driver.account()).balance_state, chain.asked.is_set()) == ("unavailable", False)


async def test_the_reply_before_the_snapshot_is_healed_by_the_snapshot(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.reply((await driver.commands("wallet.connect"))[0], value={"accounts": [ADDRESS], "chain": "1"})
    await driver.fire(BridgeState.on_init(driver.init(origin=ORIGIN, sessions={"eip155": session()})))
    assert ((await driver.state(ConnectState)).phase, (await driver.account()).status) == ("idle", "connected")
