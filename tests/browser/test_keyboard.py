"""Everything without a mouse, and for those who do not see the screen."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.visits import Visit, Visiting

IN_FRAME = "document.activeElement && document.activeElement.tagName"
FOCUSED_NAME = """(card) => {
  const at = card.ownerDocument.activeElement;
  return at === card ? "card" : at.getAttribute("aria-label") || at.innerText.trim() || at.tagName;
}"""


def wait_for_focus_inside(visitor: Visit) -> None:
    inside = "(card) => card.contains(card.ownerDocument.activeElement)"
    visitor.modal.wait(lambda: visitor.modal.card.evaluate(inside), what="the focus in the card")


def open_by_keyboard(visitor: Visit) -> Visit:
    """From the host's button to the Connect view."""
    visitor.modal.connect_button.focus()
    visitor.page.keyboard.press("Enter")
    visitor.modal.expect_view("Connect Wallet")
    # The frame takes the focus a moment later, and would take it away again from what a test gives it to.
    wait_for_focus_inside(visitor)
    return visitor


@pytest.fixture
def opened(guest: Visit) -> Visit:
    """A visitor who opened the modal by the keyboard."""
    return open_by_keyboard(guest)


@pytest.fixture(scope="module")
def staying(shared_visit: Visiting) -> Visit:
    """Such a visitor, who does not leave the Connect view."""
    return open_by_keyboard(shared_visit())


@pytest.fixture
def looking(staying: Visit) -> Visit:
    """The same with the focus where it was at first."""
    staying.modal.card.focus()
    return staying


def focused(visitor: Visit) -> str:
    name: str = visitor.modal.card.evaluate(FOCUSED_NAME)
    return name


def stops(visitor: Visit, key: str, count: int) -> list[str]:
    seen = []
    for _ in range(count):
        visitor.page.keyboard.press(key)
        seen.append(focused(visitor))
    return seen


def round_of_stops(visitor: Visit, limit: int = 40) -> list[str]:
    """Every stop of Tab from the card on, until it begins again."""
    seen = stops(visitor, "Tab", 1)
    while len(seen) < limit:
        (stop,) = stops(visitor, "Tab", 1)
        if stop == seen[0]:
            return seen
        seen.append(stop)
    raise AssertionError(f"Tab does not come round: {seen}")


def test_enter_on_the_hosts_button_opens(staying: Visit) -> None:
    expect(staying.modal.card).to_be_visible()


def test_the_focus_moves_into_the_card(visitor: Visit) -> None:
    expect(open_by_keyboard(visitor).modal.card).to_be_focused()


def test_tab_goes_round_inside_the_card(looking: Visit) -> None:
    seen = stops(looking, "Tab", 8)
    assert "BODY" not in seen
    assert len(set(seen)) < len(seen)


def test_tab_never_reaches_the_host_page(looking: Visit) -> None:
    stops(looking, "Tab", 8)
    assert looking.page.evaluate(IN_FRAME) == "IFRAME"


def test_shift_tab_wraps_to_the_last_stop(looking: Visit) -> None:
    forward = round_of_stops(looking)
    looking.modal.card.focus()
    assert stops(looking, "Shift+Tab", 1) == forward[-1:]
    assert looking.page.evaluate(IN_FRAME) == "IFRAME"


def test_shift_tab_and_tab_are_inverse(looking: Visit) -> None:
    looking.page.keyboard.press("Tab")
    first = focused(looking)
    looking.page.keyboard.press("Shift+Tab")
    looking.page.keyboard.press("Tab")
    assert focused(looking) == first


def test_escape_gives_the_focus_back_to_the_opener(opened: Visit) -> None:
    opened.page.keyboard.press("Escape")
    opened.modal.expect_closed()
    expect(opened.modal.connect_button).to_be_focused()


def test_the_close_button_gives_the_focus_back_too(opened: Visit) -> None:
    opened.modal.part("w3m-header-close").focus()
    opened.page.keyboard.press("Enter")
    opened.modal.expect_closed()
    expect(opened.modal.connect_button).to_be_focused()


def test_the_whole_journey_works_by_the_keyboard(opened: Visit) -> None:
    opened.modal.wallet_row().focus()
    opened.page.keyboard.press("Enter")
    opened.wallet.approve()
    opened.modal.expect_closed()
    opened.modal.account_button.focus()
    opened.page.keyboard.press("Enter")
    expect(opened.modal.part("disconnect-button")).to_be_visible()
    opened.modal.part("disconnect-button").focus()
    opened.page.keyboard.press("Enter")
    opened.modal.expect_disconnected()


def test_every_stop_has_a_visible_focus(looking: Visit) -> None:
    looking.page.keyboard.press("Tab")
    ring = looking.modal.card.evaluate(
        """(card) => { const s = getComputedStyle(card.ownerDocument.activeElement);
          return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none"; }"""
    )
    assert ring is True


def test_after_a_view_change_the_focus_is_still_in_the_card(opened: Visit) -> None:
    opened.modal.part("w3m-header-help").focus()
    opened.page.keyboard.press("Enter")
    opened.modal.expect_view("What is a wallet?")
    wait_for_focus_inside(opened)


def test_the_dialog_is_named_after_its_view(looking: Visit) -> None:
    expect(looking.modal.frame.get_by_role("dialog", name=re.compile("connect wallet", re.IGNORECASE))).to_be_visible()


def test_the_dialogs_name_follows_the_view(opened: Visit) -> None:
    opened.modal.part("w3m-header-help").click()
    expect(opened.modal.frame.get_by_role("dialog", name=re.compile("what is a wallet", re.IGNORECASE))).to_be_visible()


@pytest.mark.parametrize("part", ["w3m-header-close", "w3m-header-help"])
def test_buttons_without_text_have_a_name(looking: Visit, part: str) -> None:
    expect(looking.modal.part(part)).to_have_accessible_name(re.compile(r"\w"))


def test_the_iframe_has_a_title(looking: Visit) -> None:
    expect(looking.modal.iframe).to_have_attribute("title", re.compile(r"\w"))


def test_toasts_are_announced(looking: Visit) -> None:
    looking.modal.note_toasts()
    looking.modal.api("showSuccessMessage", "It worked")
    looking.modal.expect_toast("It worked")


def test_toasts_leave_by_themselves(opened: Visit) -> None:
    opened.modal.note_toasts()
    opened.modal.api("showSuccessMessage", "It worked")
    opened.modal.expect_toast("It worked")
    expect(opened.modal.toast).to_be_hidden()


def test_toasts_that_tell_what_has_failed_stay_until_they_are_closed(opened: Visit) -> None:
    opened.modal.note_toasts()
    opened.modal.api("showErrorMessage", "It did not work")
    opened.modal.expect_toast("It did not work")
    close = opened.modal.frame.get_by_role("button", name="Close the alert")
    opened.modal.card.focus()
    assert stops(opened, "Shift+Tab", 1) == ["Close the alert"]
    opened.page.keyboard.press("Enter")
    expect(close).to_have_count(0)
    expect(opened.modal.card).to_be_focused()


def test_a_declined_connection_is_announced(opened: Visit) -> None:
    opened.modal.choose_wallet()
    opened.wallet.reject()
    live = opened.modal.frame.locator("[aria-live], [role=status], [role=alert]")
    expect(live.get_by_text("Connection declined")).to_be_visible()


def test_axe_finds_nothing_in_the_open_modal(looking: Visit) -> None:
    # What fades has less contrast than what is there.
    expect(looking.modal.toast).to_have_count(0)
    looking.modal.expect_rest()
    found = Axe().run(looking.page, options={"iframes": True})
    serious = [
        violation["id"] for violation in found.response["violations"] if violation["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_a_button_that_goes_once_it_was_pressed_leaves_the_focus_in_the_view(opened: Visit) -> None:
    opened.modal.choose_wallet()
    opened.wallet.reject()
    expect(opened.modal.retry).to_be_enabled()
    opened.modal.retry.focus()
    opened.page.keyboard.press("Enter")
    expect(opened.modal.retry).to_be_disabled()
    in_view = "(card) => document.activeElement.dataset.view === 'ConnectingExternal'"
    opened.modal.wait(lambda: opened.modal.card.evaluate(in_view), what="the focus in the view")
    assert "BODY" not in stops(opened, "Tab", 4)
    assert opened.page.evaluate(IN_FRAME) == "IFRAME"


MOVES = """(card) => {
  window.__moves = [];
  const moves = ({ effect }) => effect.getTiming().duration > 1
    && effect.getKeyframes().some(({ transform = "none", translate = "none" }) => transform !== "none" || translate !== "none");
  (function look() {
    for (const one of document.getAnimations()) if (card.contains(one.effect.target) && moves(one)) __moves.push(one.effect.target.className);
    requestAnimationFrame(look);
  })();
}"""
"""Takes down what moves, in every frame."""


def test_with_reduced_motion_nothing_moves(visit: Visiting) -> None:
    visitor = visit(reduced_motion="reduce")
    visitor.modal.open()
    visitor.modal.card.evaluate(MOVES)
    visitor.modal.part("w3m-header-help").click()
    visitor.modal.expect_view("What is a Wallet?")
    visitor.modal.expect_rest()
    assert visitor.modal.card.evaluate("() => window.__moves") == []
