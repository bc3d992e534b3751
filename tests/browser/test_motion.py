"""How long things move: the promised times, as the browser is told them."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Route, expect

from tests.browser.stack import UNSUPPORTED_CHAIN_ID, Stack
from tests.browser.visits import Visit, Visiting

RECORDER = """
window.__moves = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const within = this.closest("[data-testid]");
  __moves.push({part: this.className, within: within?.dataset.testid ?? "", milliseconds: timing.duration, at: performance.now()});
  return animate.call(this, frames, timing);
};
window.__toasts = [];
new MutationObserver((records) => {
  for (const {addedNodes, removedNodes} of records) {
    for (const [nodes, came] of [[removedNodes, false], [addedNodes, true]])
      for (const node of nodes) if (node.className === "wm-toast") __toasts.push({came, text: node.textContent, at: performance.now()});
  }
}).observe(document, {childList: true, subtree: true});
"""
SCRIPT = "**/assets/moving-*.js"
MOVING = """async () => {
  const script = performance.getEntriesByType("resource").find(({ name }) => /\\/moving-[^/]*\\.js$/.test(name));
  return Boolean(script && (await import(script.name)));
}"""
"""Whether that script has come and run: it comes when nothing else is done, and what is open by then does not move before it changes."""


@dataclass(frozen=True)
class Move:
    """One animation: of which part (its class), within which part (its test id), for how long, begun when (ms)."""

    part: str
    within: str
    milliseconds: float
    at: float


def moves(visitor: Visit) -> list[Move]:
    """All animations so far."""
    return [Move(**found) for found in visitor.modal.card.evaluate("() => __moves")]


def forget(visitor: Visit) -> None:
    """Forget what has moved so far."""
    visitor.modal.card.evaluate("() => { __moves.length = 0; __toasts.length = 0; }")


def lasting(visitor: Visit, part: str) -> set[float]:
    """How long the parts of a class move; waits until there is one."""
    visitor.modal.wait(lambda: any(part in move.part for move in moves(visitor)), what=f"a moving {part}")
    return {move.milliseconds for move in moves(visitor) if part in move.part}


def expect_change(visitor: Visit, text: str, *, came: bool) -> float:
    """When the toast with this text came, or went; waits until it did."""

    def at() -> float | None:
        changes = visitor.modal.card.evaluate("() => __toasts")
        return next((one["at"] for one in changes if (one["text"], one["came"]) == (text, came)), None)

    found = visitor.modal.wait(at, what=f"the toast {text!r}")
    # JavaScript has one kind of number.
    assert isinstance(found, int | float)
    return found


def watch(visit: Visiting) -> Visit:
    """A visitor whose open modal is watched, once what moves its parts has come."""
    visitor = visit(before=[RECORDER])
    visitor.modal.open()
    visitor.modal.wait(lambda: visitor.modal.card.evaluate(MOVING), what="the script of all movement")
    visitor.modal.part("w3m-header-close").click()
    visitor.modal.expect_closed()
    visitor.modal.open()
    forget(visitor)
    return visitor


@pytest.fixture
def watched(visit: Visiting) -> Visit:
    """Such a visitor."""
    return watch(visit)


@pytest.fixture(scope="module")
def moved_on(shared_visit: Visiting) -> Visit:
    """Such a visitor after a step to another view, for the tests that look at what has moved."""
    visitor = watch(shared_visit)
    visitor.modal.part("w3m-header-help").click()
    visitor.modal.expect_view("What is a wallet?")
    expect(visitor.modal.part("header-back")).to_be_visible()
    return visitor


def test_a_view_changes_within_150_ms(moved_on: Visit) -> None:
    assert lasting(moved_on, "wm-view") == {150}


def test_the_title_changes_within_120_ms(moved_on: Visit) -> None:
    assert {move.milliseconds for move in moves(moved_on) if move.within == "w3m-header-text"} == {120}


def test_the_height_follows_within_150_ms(moved_on: Visit) -> None:
    expect(moved_on.modal.card.locator(".wm-body")).to_have_css("transition-duration", "0.15s")


def test_the_button_at_the_left_fades_out_and_in_for_200_ms_each(moved_on: Visit) -> None:

    def fades() -> list[Move]:
        return [move for move in moves(moved_on) if "wm-fading" in move.part]

    # The way back is in its place before it begins to fade in.
    moved_on.modal.wait(lambda: len(fades()) > 1, what="both fades")
    first, second = fades()
    assert (first.milliseconds, second.milliseconds) == (200, 200)
    assert second.at - first.at >= 190


def test_a_toast_comes_within_150_ms(watched: Visit) -> None:
    watched.modal.api("showSuccessMessage", "One")
    assert lasting(watched, "wm-toast") == {150}


def test_a_toast_leaves_as_it_came(watched: Visit) -> None:
    watched.modal.api("showSuccessMessage", "One")
    expect_change(watched, "One", came=False)
    assert [move.milliseconds for move in moves(watched) if move.part == "wm-toast"] == [150, 150]


def test_a_toast_that_takes_anothers_place_comes_150_ms_later(watched: Visit) -> None:
    # In the page itself: the first leaves after 2.5 seconds anyway.
    watched.page.evaluate("modal.showSuccessMessage('One'), setTimeout(() => modal.showErrorMessage('Two'), 500), null")
    came = expect_change(watched, "Two", came=True)
    _, leaving, *_ = (move.at for move in moves(watched) if move.part == "wm-toast")
    assert came - leaving >= 140


def test_there_is_never_more_than_one_toast(watched: Visit) -> None:
    for text in ("One", "Two", "Three"):
        watched.modal.api("showSuccessMessage", text)
    expect_change(watched, "Three", came=True)
    shown, most = 0, 0
    for change in watched.modal.card.evaluate("() => __toasts"):
        shown += 1 if change["came"] else -1
        most = max(most, shown)
    assert most == 1


def test_an_alert_comes_within_150_ms(watched: Visit) -> None:
    watched.modal.attempt("switchNetwork", "eip155:56")
    assert lasting(watched, "wm-alert") == {150}


def test_a_refused_close_shakes_for_500_ms(visit: Visiting, stack: Stack) -> None:
    known = {1: stack.node_urls[1], UNSUPPORTED_CHAIN_ID: stack.node_urls[137]}
    visitor = visit(before=[RECORDER], wallet={"chains": known, "chain_id": UNSUPPORTED_CHAIN_ID})
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    visitor.modal.expect_view("Switch Network")
    forget(visitor)
    visitor.page.keyboard.press("Escape")
    assert lasting(visitor, "wm-card") == {500}


def test_what_is_open_when_the_script_of_all_movement_comes_is_not_made_anew(visit: Visiting) -> None:
    held: list[Route] = []
    visitor = visit(load=False)
    visitor.page.route(SCRIPT, lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks what it is given
    visitor.go()
    visitor.modal.open()
    view = visitor.modal.card.locator(".wm-view")
    view.evaluate("(view) => { view.seen = true; }")
    visitor.modal.wait(lambda: held, what="the request of the script")
    held[0].continue_()
    visitor.modal.wait(lambda: visitor.modal.card.evaluate(MOVING), what="the script of all movement")
    assert view.evaluate("(view) => view.seen") is True


def test_without_the_script_of_all_movement_everything_comes_and_goes(visit: Visiting) -> None:
    visitor = visit(load=False)
    visitor.page.route(SCRIPT, lambda route: route.abort())
    visitor.go()
    visitor.modal.open()
    visitor.modal.note_toasts()
    visitor.modal.part("w3m-header-help").click()
    visitor.modal.expect_view("What is a wallet?")
    visitor.modal.part("header-back").click()
    visitor.modal.expect_view("Connect Wallet")
    visitor.modal.api("showSuccessMessage", "One")
    visitor.modal.expect_toast("One")
    visitor.modal.part("w3m-header-close").click()
    visitor.modal.expect_closed()
