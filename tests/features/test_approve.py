"""A request of the host page waits for the visitor's word: what is shown, what the word does, and what ends the waiting."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock

import pytest

from tests.driver import OTHER, Driver, session
from tests.features.approving import (
    HELLO,
    PAY,
    approve,
    asked,
    phase,
    place,
    refusal,
    reject,
    seen,
    shown,
    sign,
    view,
    wallet_answers,
)
from tests.features.approving import all_confirmed as all_confirmed
from tests.features.approving import waiting as waiting
from tests.patience import eventually
from walletmodal.features.approve import state as approving_state
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.shell.state import ShellState

# Where sessions live makes no difference here; test_approve_resume.py has both.
pytestmark = [
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
    pytest.mark.usefixtures("all_confirmed"),
]


async def test_a_request_opens_the_modal_on_its_view(waiting: Driver) -> None:
    assert await view(waiting) == (True, "ApproveTransaction")


async def test_the_wallet_is_not_asked_before_the_visitor_has_agreed(waiting: Driver) -> None:
    assert (await asked(waiting), await waiting.settled("request")) == ([], None)


async def test_it_says_who_asks_whom_and_what(waiting: Driver) -> None:
    request = await shown(waiting)
    assert {name: request[name] for name in ("origin", "account", "network", "text")} == {
        "origin": "http://localhost:8700",
        "account": "0xf3...b92266",
        "network": "Ethereum",
        "text": "Hello",
    }


async def test_approving_asks_the_wallet_for_exactly_that(waiting: Driver) -> None:
    await approve(waiting)
    (command,) = await waiting.commands("wallet.request")
    assert {name: command["params"][name] for name in ("method", "params", "request")} == {
        "method": "personal_sign",
        "params": HELLO,
        "request": "request",
    }


async def test_the_view_stays_until_the_wallet_has_answered(waiting: Driver) -> None:
    await approve(waiting)
    assert (await view(waiting), await phase(waiting)) == ((True, "ApproveTransaction"), "asking")


async def test_the_modal_closes_when_the_wallet_has_answered(waiting: Driver) -> None:
    await approve(waiting)
    await wallet_answers(waiting)
    assert (await view(waiting))[0] is False


async def test_nothing_of_a_request_is_kept_when_it_is_done(waiting: Driver) -> None:
    await approve(waiting)
    await wallet_answers(waiting)
    state = await waiting.state(ApproveState)
    assert (state.phase, dict(state.request), list(state._waiting), state._asking) == ("idle", {}, [], "")


async def test_rejecting_tells_the_host(waiting: Driver) -> None:
    await reject(waiting)
    assert await refusal(waiting) == (4001, "User rejected the request.")


async def test_rejecting_asks_no_wallet_and_closes(waiting: Driver) -> None:
    await reject(waiting)
    assert (await asked(waiting), (await view(waiting))[0]) == ([], False)


async def test_a_refusal_goes_out_together_with_the_closed_modal(waiting: Driver) -> None:
    """The bridge tells the host of states before it settles: `isOpen()` is false when the host hears of it."""
    waiting.deltas.clear()
    await reject(waiting)
    told = [set(delta) & {BridgeState.get_full_name(), ShellState.get_full_name()} for delta in waiting.deltas]
    assert [len(names) for names in told if names] == [2]


async def test_closing_the_modal_aborts_what_waits(waiting: Driver) -> None:
    await waiting.fire(ShellState.close)
    assert await refusal(waiting) == (4001, "Request was aborted")


async def test_the_host_may_close_and_with_that_abort(waiting: Driver) -> None:
    await waiting.call("close")
    assert await refusal(waiting) == (4001, "Request was aborted")


async def test_going_back_rejects(waiting: Driver) -> None:
    await waiting.fire(ShellState.back)
    assert await refusal(waiting) == (4001, "Request was aborted")


async def test_a_host_that_leads_elsewhere_ends_the_waiting(waiting: Driver) -> None:
    await waiting.call("open", view="Networks")
    assert await refusal(waiting) == (4001, "Request was aborted")


async def test_opening_the_modal_again_leads_to_what_waits(waiting: Driver) -> None:
    await waiting.call("open")
    assert (await view(waiting), await waiting.settled("request")) == ((True, "ApproveTransaction"), None)


async def test_a_modal_that_was_open_goes_back_to_where_it_was(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await sign(driver)
    await reject(driver)
    assert await view(driver) == (True, "Account")


async def test_a_modal_that_was_open_goes_back_after_the_wallets_answer(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await sign(driver)
    await approve(driver)
    await wallet_answers(driver)
    assert await view(driver) == (True, "Account")


async def test_closing_while_the_wallet_is_asked_leaves_the_answer_to_the_wallet(waiting: Driver) -> None:
    await approve(waiting)
    await waiting.fire(ShellState.close)
    assert (await asked(waiting), await waiting.settled("request")) == (["request"], None)


async def test_hiding_leaves_the_wallet_to_its_own(waiting: Driver) -> None:
    await approve(waiting)
    await waiting.fire(ApproveState.leave)
    assert (await asked(waiting), (await view(waiting))[0], await phase(waiting)) == (["request"], False, "idle")


async def test_hiding_does_not_let_a_request_pass_unanswered(waiting: Driver) -> None:
    await waiting.fire(ApproveState.leave)
    assert (await phase(waiting), await view(waiting)) == ("ready", (True, "ApproveTransaction"))


# several at once


@pytest.fixture
async def three(driver: Driver) -> Driver:
    """A visitor with three requests."""
    await driver.connect()
    for call in ("one", "two", "three"):
        await sign(driver, call, call=call)
    return driver


async def test_several_are_shown_one_after_another(three: Driver) -> None:
    assert (await place(three), (await shown(three))["text"]) == ((1, 3), "one")


async def test_after_a_rejection_the_next_is_shown(three: Driver) -> None:
    await reject(three)
    assert (await phase(three), await place(three), (await shown(three))["text"]) == ("ready", (2, 3), "two")


async def test_after_the_wallets_answer_the_next_comes(three: Driver) -> None:
    await approve(three)
    await wallet_answers(three)
    # What the skeleton does when it appears.
    await three.fire(ApproveState.on_shown)
    assert (await place(three), (await shown(three))["text"]) == ((2, 3), "two")


async def test_closing_aborts_all_of_them(three: Driver) -> None:
    await three.fire(ShellState.close)
    assert [await refusal(three, call) for call in ("one", "two", "three")] == [(4001, "Request was aborted")] * 3


async def test_a_request_whose_reading_died_with_its_process_is_read_by_another_that_shows_it(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    await driver.connect()
    with monkeypatch.context() as dying:
        dying.setattr(approving_state, "render_request", AsyncMock(side_effect=ZeroDivisionError))
        await sign(driver)
        await eventually(lambda: driver.errors, "the end of the reading")
    driver.errors.clear()
    await driver.fire(ApproveState.on_shown)
    assert await phase(driver) == "loading"
    monkeypatch.setattr(approving_state, "PROCESS", "another")
    await driver.fire(ApproveState.on_shown)
    assert (await phase(driver), (await shown(driver))["text"]) == ("ready", "Hello")


async def test_each_is_asked_for_only_once(waiting: Driver) -> None:
    await sign(waiting)
    assert await place(waiting) == (1, 1)


async def give_up(driver: Driver, call: str = "request") -> None:
    """The browser has told the host that nothing comes of a call, and sees that the server has it."""
    said = {"id": call, "namespace": "eip155", "method": "personal_sign", "params": None, "left": 0}
    await driver.fire(BridgeState.on_request(said))


async def test_what_its_host_has_given_up_is_asked_no_longer(waiting: Driver) -> None:
    await give_up(waiting)
    assert (await phase(waiting), (await view(waiting))[0]) == ("idle", False)


async def test_after_one_that_its_host_has_given_up_the_next_is_shown(three: Driver) -> None:
    await give_up(three, "one")
    await give_up(three, "three")
    assert (await phase(three), await place(three), (await shown(three))["text"]) == ("ready", (2, 2), "two")


async def test_what_the_wallet_has_is_not_taken_back(waiting: Driver) -> None:
    await approve(waiting)
    await give_up(waiting)
    assert (await phase(waiting), await asked(waiting)) == ("asking", ["request"])


async def test_a_flood_is_refused(driver: Driver) -> None:
    await driver.connect()
    for number in range(17):
        await sign(driver, call=f"call-{number}")
    assert (await refusal(driver, "call-16"))[0] == -32005


# what a click may do


@pytest.mark.parametrize("forged", ["", "another", None, 5, ["x"], {"a": 1}])
async def test_a_click_for_another_request_does_nothing(waiting: Driver, forged: Any) -> None:
    for name in ("approve", "reject", "show_all"):
        await waiting.forge(f"{ApproveState.get_full_name()}.{name}", {"seen": forged})
    assert (await asked(waiting), await waiting.settled("request"), await phase(waiting)) == ([], None, "ready")


async def test_a_second_click_asks_no_second_time(waiting: Driver) -> None:
    name = await seen(waiting)
    await waiting.fire(ApproveState.approve(name))
    await waiting.fire(ApproveState.approve(name))
    assert await asked(waiting) == ["request"]


async def test_a_late_click_does_not_count_for_the_next_one(three: Driver) -> None:
    name = await seen(three)
    await three.fire(ApproveState.reject(name))
    await three.fire(ApproveState.approve(name))
    assert await asked(three) == []


async def test_a_request_that_is_not_on_screen_cannot_be_approved(waiting: Driver) -> None:
    name = await seen(waiting)
    await waiting.fire(ShellState.push("Networks"))
    await waiting.fire(ApproveState.approve(name))
    assert await asked(waiting) == []


async def test_nobody_can_approve_what_nobody_has_asked(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(ShellState.push("ApproveTransaction"))
    await driver.fire(ApproveState.approve(""))
    assert (await asked(driver), await phase(driver)) == ([], "idle")


# the wallet goes on meanwhile


async def test_another_network_is_shown_before_it_counts(waiting: Driver) -> None:
    before = await seen(waiting)
    await waiting.tell(sessions={"eip155": session(chain="137")})
    await waiting.fire(ApproveState.approve(before))
    assert (await asked(waiting), (await shown(waiting))["network"]) == ([], "Polygon")


async def test_a_network_that_the_host_removes_is_not_shown_any_longer(driver: Driver) -> None:
    await driver.load(sessions={"eip155": session(connector="walletConnect")})
    await driver.request("personal_sign", HELLO)
    before = (await shown(driver))["network"]
    await driver.call("removeNetwork", caipNetworkId="eip155:1")
    assert (before, (await shown(driver))["network"]) == ("Ethereum", "Polygon")


@pytest.fixture
async def paired(driver: Driver) -> Driver:
    """A visitor of a pairing, which is told its network with each request, who is asked to sign; the host takes that network away."""
    await driver.load(sessions={"eip155": session(connector="walletConnect")})
    await driver.request("personal_sign", HELLO)
    return driver


async def test_a_click_that_saw_the_removed_network_does_not_count_for_another(paired: Driver) -> None:
    before = await seen(paired)
    await paired.call("removeNetwork", caipNetworkId="eip155:1")
    await paired.fire(ApproveState.approve(before))
    assert await asked(paired) == []


async def test_after_a_removal_the_wallet_is_asked_on_the_network_that_is_shown(paired: Driver) -> None:
    await paired.call("removeNetwork", caipNetworkId="eip155:1")
    await approve(paired)
    (command,) = await paired.commands("wallet.request")
    assert ((await shown(paired))["network"], command["params"]["chain"]) == ("Polygon", "eip155:137")


async def test_what_the_wallet_has_already_stays_on_its_network(paired: Driver) -> None:
    await approve(paired)
    await paired.call("removeNetwork", caipNetworkId="eip155:1")
    (command,) = await paired.commands("wallet.request")
    assert ((await shown(paired))["network"], command["params"]["chain"]) == ("Ethereum", "eip155:1")


async def test_a_wallet_that_stays_on_a_removed_network_is_shown_on_it_by_name(waiting: Driver) -> None:
    await sign(waiting, "two", call="two")
    await waiting.call("removeNetwork", caipNetworkId="eip155:1")
    await reject(waiting)
    found = await shown(waiting)
    await approve(waiting)
    (command,) = await waiting.commands("wallet.request")
    assert (found["text"], found["network"], found["network_image"], command["params"]["chain"]) == (
        "two",
        "Ethereum",
        "/networks/eip155-1.svg",
        "eip155:1",
    )


async def test_another_network_does_not_take_the_request_away(waiting: Driver) -> None:
    await waiting.tell(sessions={"eip155": session(chain="137")})
    assert (await view(waiting), await waiting.settled("request")) == ((True, "ApproveTransaction"), None)


async def test_an_account_that_goes_takes_its_requests_along(waiting: Driver) -> None:
    await waiting.tell(sessions={"eip155": session(OTHER)})
    assert (await refusal(waiting))[0] == 4100


async def test_a_wallet_that_disconnects_ends_the_waiting(waiting: Driver) -> None:
    await waiting.tell(sessions={})
    assert ((await refusal(waiting))[0], await asked(waiting), await phase(waiting)) == (4001, [], "idle")


async def test_a_transaction_for_another_network_is_refused_when_it_is_approved(driver: Driver) -> None:
    await driver.connect()
    await driver.request("eth_sendTransaction", [{**PAY[0], "chainId": "0x1"}])
    await driver.tell(sessions={"eip155": session(chain="137")})
    await approve(driver)
    assert (await asked(driver), (await refusal(driver))[0]) == ([], 4901)
