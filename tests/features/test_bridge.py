"""Commands, replies, snapshots and calls: docs/protocol.md §3 and §4, with a browser that lies."""

from __future__ import annotations

from typing import Any

from tests.driver import ADDRESS, OTHER, Driver, session
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import deployment
from walletmodal.features.account.active import ActiveState
from walletmodal.features.bridge.state import MAX_NEWS, BridgeState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState

FOREIGN = "http://evil.example"


async def test_every_connect_of_the_socket_asks_for_everything_again(driver: Driver) -> None:
    await driver.load()
    first = (await driver.state(BridgeState)).sync
    await driver.fire(BridgeState.on_connect)
    assert (await driver.state(BridgeState)).sync not in ("", first)


async def test_an_origin_that_may_not_embed_is_not_served(driver: Driver) -> None:
    await driver.fire(BridgeState.on_init(driver.init(origin=FOREIGN, sessions={"eip155": session()})))
    assert (await driver.account()).status == "disconnected"


async def test_an_origin_that_may_not_embed_opens_nothing(driver: Driver) -> None:
    await driver.fire(BridgeState.on_init(driver.init(origin=FOREIGN)))
    await driver.call("open")
    assert (await driver.state(ShellState)).open is False


async def test_another_origin_ends_the_service_for_the_one_before(driver: Driver) -> None:
    await driver.load()
    await driver.fire(BridgeState.on_init(driver.init(origin=FOREIGN)))
    await driver.call("open")
    assert (await driver.state(ShellState)).open is False


async def test_a_snapshot_with_an_old_rev_changes_nothing(driver: Driver) -> None:
    await driver.load()
    old = driver.snapshot(sessions={"eip155": session(OTHER)})
    await driver.tell(sessions={"eip155": session(ADDRESS)})
    await driver.fire(BridgeState.on_snapshot(old))
    assert (await driver.account()).address == ADDRESS


async def test_a_snapshot_of_another_page_changes_nothing(driver: Driver) -> None:
    await driver.load()
    late = driver.snapshot(epoch="page-0", rev=10_000, sessions={"eip155": session()})
    await driver.fire(BridgeState.on_snapshot(late))
    assert (await driver.account()).status == "disconnected"


async def test_a_snapshot_before_init_changes_nothing(driver: Driver) -> None:
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.account()).status == "disconnected"


async def test_a_reply_is_accepted_once(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    command = (await driver.commands("wallet.connect"))[0]
    await driver.reply(command, code=4001, message="no")
    await driver.fire(ConnectState.retry)
    await driver.reply(command, code=4001, message="no")
    assert (await driver.state(ConnectState)).phase == "connecting"


async def test_a_reply_to_nothing_changes_nothing(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.reply({"id": "forged"}, value={"accounts": [OTHER], "chain": "1"})
    assert len(await driver.commands("wallet.connect")) == 1


async def test_a_reply_that_contradicts_itself_is_ignored(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    command = (await driver.commands("wallet.connect"))[0]
    error = {"code": 4001, "message": "no"}
    await driver.fire(
        BridgeState.on_reply({"id": command["id"], "epoch": driver.epoch, "ok": True, "value": None, "error": error})
    )
    assert (await driver.state(ConnectState)).phase == "connecting"


async def test_a_clicked_row_before_init_asks_its_wallet_after_it(driver: Driver) -> None:
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.load()
    assert len(await driver.commands("wallet.connect")) == 1


async def test_a_reloaded_frame_finds_the_modal_as_it_was(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await driver.reload_frame()
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view, shell.depth) == (True, "WhatIsAWallet", 2)


async def test_a_reloaded_frame_still_waits_for_its_wallet(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    before = await driver.commands("wallet.connect")
    await driver.reload_frame()
    assert await driver.commands("wallet.connect") == before


async def test_a_new_page_finds_the_modal_closed(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await driver.reload()
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view, shell.depth) == (False, "Connect", 1)


async def test_a_new_page_is_not_connecting(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.reload(settled=False)
    assert ((await driver.state(ConnectState)).phase, (await driver.account()).status) == ("idle", "disconnected")


async def test_an_orphaned_reply_changes_nothing_on_the_new_page(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    command = (await driver.commands("wallet.connect"))[0]
    await driver.reload()
    await driver.reply(command, code=-1, message="orphaned")
    assert (await driver.state(ConnectState)).phase == "idle"


async def test_a_reload_in_mid_connect_offers_the_same_wallet_again(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    remembered: dict[str, Any] = {
        "activeNetworkId": None,
        "activeNamespace": None,
        "recent": [],
        "interrupted": {"namespace": "eip155", "connector": "io.metamask.test"},
    }
    await driver.reload(storage=remembered)
    shell, connect = await driver.state(ShellState), await driver.state(ConnectState)
    assert (shell.open, shell.view, connect.phase) == (True, "ConnectingExternal", "error")


async def test_a_silent_restore_on_a_new_page_does_not_open_the_modal(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.reload(sessions={"eip155": session()})
    assert (await driver.state(ShellState)).open is False


async def test_an_account_counts_on_a_new_page_only_when_its_wallet_has_said_so(driver: Driver) -> None:
    await driver.connect()
    await driver.reload(settled=False)
    assert (await driver.account()).status == "disconnected"


async def test_a_disconnect_in_mid_reload_is_carried_out_by_the_new_page(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(ActiveState.disconnect)
    await driver.reload(sessions={"eip155": session()})
    assert len(await driver.commands("wallet.disconnect")) == 1


async def test_warnings_about_options_are_given_once_for_each_page(driver: Driver) -> None:
    await driver.load(options={"nonsense": 1})
    await driver.reload_frame(options={"nonsense": 1})
    assert len(await driver.commands("host.warn")) == 1


async def test_the_frames_origin_is_the_one_that_the_server_remembers(driver: Driver) -> None:
    await driver.load()
    assert (await driver.state(EmbedState))._origin == "http://localhost:8700"


async def test_a_snapshot_that_says_nothing_new_sends_nothing(driver: Driver) -> None:
    await driver.connect()
    driver.deltas.clear()
    await driver.tell(sessions={"eip155": session()})
    assert driver.deltas == []


async def test_what_a_cut_socket_may_have_swallowed_is_told_again_for_a_second(driver: Driver) -> None:
    clock = deployment().clock = MovableClock()
    await driver.load()
    await driver.call("open")
    clock.advance(0.5)
    await driver.call("close", call_id="close")
    assert [item["event"] for item in await driver.news()] == ["INITIALIZE", "MODAL_OPEN", "MODAL_CLOSE"]
    clock.advance(1)
    await driver.call("open", call_id="again")
    assert [item["event"] for item in await driver.news()] == ["MODAL_OPEN"]


async def test_the_number_of_an_event_is_never_used_twice(driver: Driver) -> None:
    deployment().clock = MovableClock()
    await driver.load()
    for number in range(2 * MAX_NEWS):
        await driver.call("open" if number % 2 else "close", call_id=f"call-{number}")
    numbers = [item["number"] for item in await driver.news()]
    assert numbers == list(range(numbers[0], numbers[0] + MAX_NEWS))


async def test_a_new_page_is_not_told_what_the_page_before_did(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.reload()
    assert [item["event"] for item in await driver.news()] == ["INITIALIZE"]
