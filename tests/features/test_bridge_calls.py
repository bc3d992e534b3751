"""Calls and requests of a host page: early, repeated, malformed or by the thousand, each is answered once (docs/protocol.md §4)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, Driver, session
from tests.patience import eventually
from walletmodal.core.clock import MovableClock
from walletmodal.features.bridge.pending import MAX_EARLY, MAX_EARLY_BYTES
from walletmodal.features.bridge.state import MAX_HEARD, MAX_PENDING, BridgeState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.requests.state import RequestsState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals import event_context

FOREIGN = "http://evil.example"


async def test_a_call_before_init_is_carried_out_after_it(driver: Driver) -> None:
    await driver.call("open")
    await driver.load()
    assert (await driver.state(ShellState)).open is True


async def test_a_call_before_init_makes_the_server_ask_who_the_page_is(driver: Driver) -> None:
    await driver.call("open")
    assert (await driver.state(BridgeState)).sync != ""


async def test_a_request_before_init_is_answered_after_it(driver: Driver) -> None:
    await driver.request("web3_clientVersion")
    await driver.load()
    answer = await driver.answer("request")
    assert answer["ok"] is True


async def test_what_a_refused_page_has_asked_for_is_not_done_for_the_next(driver: Driver) -> None:
    await driver.call("open")
    await driver.fire(BridgeState.on_init(driver.init(origin=FOREIGN)))
    await driver.load()
    assert (await driver.state(ShellState)).open is False


async def test_what_waits_for_init_is_bounded(driver: Driver) -> None:
    for number in range(MAX_EARLY + 5):
        await driver.call("open", call_id=f"call-{number}")
    assert len((await driver.state(BridgeState))._early) == MAX_EARLY


@pytest.mark.parametrize("method", ["", "__init__", "nothing", "x" * 100])
async def test_an_unknown_call_is_refused_not_forgotten(driver: Driver, method: str) -> None:
    await driver.load()
    await driver.call(method, call_id="odd")
    answer = await driver.answer("odd")
    assert answer["ok"] is False


@pytest.mark.parametrize("method", ["", "x" * 100, None, 7])
async def test_a_malformed_request_is_refused_not_forgotten(driver: Driver, method: Any) -> None:
    await driver.load()
    await driver.request(method, [])
    answer = await driver.answer("request")
    assert answer["ok"] is False


async def test_an_unanswered_flood_of_calls_is_bounded(driver: Driver) -> None:
    await driver.load()
    for number in range(MAX_PENDING + 10):
        await driver.call("close", call_id=f"call-{number}")
    assert len(await driver.commands()) == MAX_PENDING


async def test_a_flood_of_calls_does_not_push_out_a_flow_that_waits_for_a_wallet(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    for number in range(MAX_PENDING + 10):
        await driver.call("close", call_id=f"call-{number}")
    assert len(await driver.commands("wallet.connect")) == 1


async def test_a_flood_of_calls_does_not_push_out_what_the_wallet_is_to_sign_for_the_host(driver: Driver) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x00", ADDRESS])
    for number in range(MAX_PENDING + 10):
        await driver.call("close", call_id=f"call-{number}")
    assert len(await driver.commands("wallet.request")) == 1


async def answers(driver: Driver) -> dict[str, int]:
    """The codes with which the browser sees all calls answered, 0 for success: it confirms each answer, until none is left."""
    heard = dict[str, int]()
    while pending := await driver.commands("host.settle"):
        for command in pending:
            heard[command["params"]["request"]] = (command["params"]["error"] or {"code": 0})["code"]
            await driver.reply(command)
    return heard


async def test_of_a_flood_of_calls_each_is_answered(driver: Driver) -> None:
    await driver.load()
    calls = [f"call-{number}" for number in range(MAX_PENDING + 10)]
    for call in calls:
        await driver.call("close", call_id=call)
    assert await answers(driver) == {**dict.fromkeys(calls[:10], -32005), **dict.fromkeys(calls[10:], 0)}


async def test_what_the_page_before_has_called_is_not_answered_to_the_next(driver: Driver) -> None:
    await driver.load()
    for number in range(MAX_PENDING + 10):
        await driver.call("close", call_id=f"call-{number}")
    await driver.reload()
    await driver.call("close", call_id="of-this-page")
    assert set(await answers(driver)) == {"of-this-page"}


async def test_a_call_that_a_reloaded_frame_repeats_is_not_carried_out_twice(driver: Driver) -> None:
    await driver.connect()
    await driver.call("switchNetwork", caipNetworkId="eip155:137")
    before = await driver.commands("wallet.request")
    await driver.reload_frame(sessions={"eip155": session()})
    await driver.call("switchNetwork", caipNetworkId="eip155:137")
    assert await driver.commands("wallet.request") == before


async def test_a_request_that_a_reloaded_frame_repeats_is_not_asked_twice(driver: Driver) -> None:
    await driver.connect()
    for _ in range(2):
        await driver.request("personal_sign", ["0x00", ADDRESS])
    assert len(await driver.commands("wallet.request")) == 1


async def test_a_new_page_is_not_told_what_the_one_before_had_asked(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.reload()
    assert await driver.commands("host.settle") == []


async def test_answers_to_a_page_never_reach_another(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    assert [c["replay"] for c in await driver.commands("host.settle")] == [False]


async def ask_early(driver: Driver) -> None:
    """Four calls of which two may wait, before the page has said who it is."""
    for number in range(4):
        asked = {"method": "toast", "params": {"message": "x" * (MAX_EARLY_BYTES * 2 // 5), "variant": "success"}}
        await driver.fire(BridgeState.on_call({"id": f"early-{number}", **asked}))


async def test_what_came_before_the_page_is_kept_only_as_little_text(driver: Driver) -> None:
    await ask_early(driver)
    held = (await driver.state(BridgeState)).get_value("_early")
    assert [type(entry["payload"]) for entry in held] == [str, str]


async def test_a_call_that_could_not_wait_for_the_page_is_answered_with_an_error(driver: Driver) -> None:
    await ask_early(driver)
    await driver.load()
    answers = [(await driver.answer(f"early-{number}"))["ok"] for number in range(4)]
    assert answers == [True, True, False, False]


async def view_after_waiting(driver: Driver, monkeypatch: pytest.MonkeyPatch, seconds: float, **said: Any) -> bool:
    """Whether a call to open has opened the modal that has waited so long for the visitor's state, as while Redis is silent."""
    monkeypatch.setattr(event_context, "clock", clock := MovableClock())
    await driver.load()
    sent = {"id": "waiting", "method": "open", "params": {}, **said}
    async with driver.changing(BridgeState):
        waiting = asyncio.create_task(driver.fire(BridgeState.on_call(sent)))
        await eventually(lambda: any("on_call" in task.get_name() for task in asyncio.all_tasks()))
        clock.advance(seconds)
    await waiting
    return (await driver.state(ShellState)).open


@pytest.mark.parametrize(
    ("seconds", "left", "opens"), [(7, 8_000, True), (8, 8_000, False), (7, 6_000, False), (0, 0, False)]
)
async def test_a_call_is_not_carried_out_when_its_host_waits_no_longer(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, seconds: float, left: int, opens: bool
) -> None:
    assert await view_after_waiting(driver, monkeypatch, seconds, left=left) is opens


async def test_a_call_that_does_not_say_how_long_it_is_waited_for_is_carried_out(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await view_after_waiting(driver, monkeypatch, 60)


async def test_a_request_is_not_made_of_a_wallet_when_its_host_waits_no_longer(driver: Driver) -> None:
    await driver.load()
    asked = {"id": "late", "namespace": "eip155", "method": "eth_requestAccounts", "params": [], "left": 0}
    await driver.fire(BridgeState.on_request(asked))
    assert (await driver.state(BridgeState)).heard == []
    assert await driver.commands("wallet.request") == []


async def test_a_request_that_its_host_has_given_up_waits_for_the_visitor_no_longer(driver: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    said = {"id": "request", "namespace": "eip155", "method": "eth_requestAccounts", "params": None, "left": 0}
    await driver.fire(BridgeState.on_request(said))
    assert (await driver.state(BridgeState)).heard == []
    assert list((await driver.state(RequestsState))._waiting) == []


async def test_the_browser_is_told_which_calls_wait_for_the_visitor(driver: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    assert (await driver.state(BridgeState)).heard == ["request"]


async def test_a_call_that_is_answered_at_once_is_not_told_apart(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    assert (await driver.state(BridgeState)).heard == []


async def test_a_call_that_waits_for_the_visitor_is_carried_out_once(driver: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await driver.request("eth_requestAccounts")
    assert (await driver.state(ShellState)).view == "WhatIsAWallet"


async def test_a_call_whose_answer_is_on_its_way_is_not_carried_out_again(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.close)
    await driver.call("open")
    assert (await driver.state(ShellState)).open is False


async def test_a_call_that_is_repeated_before_init_is_kept_once(driver: Driver) -> None:
    for _ in range(MAX_EARLY + 1):
        await driver.call("open")
    await driver.request("eth_requestAccounts")
    await driver.load()
    assert (await driver.state(BridgeState)).heard == ["request"]


async def test_how_many_calls_wait_is_told_up_to_a_number(driver: Driver) -> None:
    await driver.load()
    async with driver.changing(BridgeState) as bridge:
        bridge.heard = [str(number) for number in range(MAX_HEARD)]
    await driver.request("eth_requestAccounts")
    heard = (await driver.state(BridgeState)).heard
    assert (len(heard), heard[-1]) == (MAX_HEARD, "request")


async def test_a_call_that_is_answered_waits_no_more(driver: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    async with driver.changing(BridgeState) as bridge:
        await bridge._settle("request")
    await driver.reply((await driver.commands("host.settle"))[-1])
    assert (await driver.state(BridgeState)).heard == []


async def test_a_new_page_has_no_calls_that_wait(driver: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    await driver.reload()
    assert (await driver.state(BridgeState)).heard == []
