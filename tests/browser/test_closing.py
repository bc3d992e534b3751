"""Closing, going back, and what the host page gets back."""

import pytest
from playwright.sync_api import expect

from tests.browser.visits import Visit


@pytest.fixture
def opened(guest: Visit) -> Visit:
    """A visitor with the Connect view open."""
    guest.modal.open()
    return guest


@pytest.fixture
def leaving(visitor: Visit) -> Visit:
    """The same, alone with a modal that does not come back."""
    visitor.modal.open()
    return visitor


def scroll_lock(visitor: Visit) -> str:
    style: str = visitor.page.evaluate(
        "(() => { const s = getComputedStyle(document.documentElement); return [s.overflow, s.touchAction, s.overscrollBehavior].join(' '); })()"
    )
    return style


def test_the_close_button_closes(opened: Visit) -> None:
    opened.modal.part("w3m-header-close").click()
    opened.modal.expect_closed()


def test_escape_closes(opened: Visit) -> None:
    opened.page.keyboard.press("Escape")
    opened.modal.expect_closed()


def test_a_click_beside_the_card_closes(opened: Visit) -> None:
    opened.modal.part("w3m-modal-overlay").click(position={"x": 5, "y": 5})
    opened.modal.expect_closed()


def test_a_click_on_the_card_does_not_close(opened: Visit) -> None:
    opened.modal.title.click()
    expect(opened.modal.card).to_be_visible()


def test_the_host_closes_by_its_api(opened: Visit) -> None:
    opened.modal.api("close")
    opened.modal.expect_closed()


def test_the_host_is_told_that_it_is_closed(opened: Visit) -> None:
    opened.page.keyboard.press("Escape")
    opened.modal.wait(lambda: not opened.modal.api("isOpen"), what="isOpen() false")


def test_after_closing_it_opens_again(opened: Visit) -> None:
    opened.page.keyboard.press("Escape")
    opened.modal.expect_closed()
    opened.modal.open()


def test_quick_closing_and_opening_ends_open(opened: Visit) -> None:
    for _ in range(5):
        opened.page.keyboard.press("Escape")
        opened.modal.begin("open", "open")
    opened.modal.outcome("open")
    expect(opened.modal.card).to_be_visible()
    opened.modal.wait(lambda: opened.modal.api("isOpen"), what="isOpen()")


def test_while_open_the_page_does_not_scroll(opened: Visit) -> None:
    assert scroll_lock(opened) == "hidden none contain"


def test_after_closing_the_page_scrolls_as_before(guest: Visit) -> None:
    before = scroll_lock(guest)
    guest.modal.open()
    guest.page.keyboard.press("Escape")
    guest.modal.expect_closed()
    assert scroll_lock(guest) == before


def test_after_closing_the_pages_own_style_is_as_before(visitor: Visit) -> None:
    visitor.page.evaluate("document.documentElement.setAttribute('style', 'overflow: clip !important; color: red')")
    visitor.modal.open()
    visitor.page.keyboard.press("Escape")
    visitor.modal.expect_closed()
    assert visitor.page.evaluate("document.documentElement.style.cssText") == "color: red; overflow: clip !important;"


def test_after_closing_the_page_takes_clicks(opened: Visit) -> None:
    opened.page.keyboard.press("Escape")
    opened.modal.expect_closed()
    opened.page.get_by_test_id("demo-copy").click()


def test_back_returns_to_the_view_before(opened: Visit) -> None:
    opened.modal.part("w3m-header-help").click()
    opened.modal.expect_view("What is a wallet?")
    opened.modal.part("header-back").click()
    opened.modal.expect_view("Connect Wallet")


def test_back_from_a_wallet_that_is_being_asked_returns_to_the_list(opened: Visit) -> None:
    opened.modal.choose_wallet()
    opened.wallet.await_question()
    opened.modal.part("header-back").click()
    opened.modal.expect_view("Connect Wallet")


def test_back_from_the_networks_returns_to_the_account(member: Visit) -> None:
    member.modal.open_account()
    member.modal.part("w3m-account-select-network").click()
    member.modal.expect_view("Choose Network")
    member.modal.part("header-back").click()
    expect(member.modal.part("disconnect-button")).to_be_visible()


def test_back_from_a_switch_that_is_being_asked_returns_to_the_networks(member: Visit) -> None:
    member.modal.open_account()
    member.modal.part("w3m-account-select-network").click()
    member.modal.network_row("Polygon").click()
    member.wallet.await_question("wallet_switchEthereumChain")
    member.modal.part("header-back").click()
    member.modal.expect_view("Choose Network")


def test_the_first_view_has_no_way_back(opened: Visit) -> None:
    expect(opened.modal.part("header-back")).to_have_count(0)


def test_an_approval_after_going_back_still_counts(opened: Visit) -> None:
    opened.modal.choose_wallet()
    opened.wallet.await_question()
    opened.modal.part("header-back").click()
    opened.modal.expect_view("Connect Wallet")
    opened.wallet.approve()
    opened.modal.expect_connected(opened.account.address)


def test_an_approval_after_closing_still_counts(opened: Visit) -> None:
    opened.modal.choose_wallet()
    opened.wallet.await_question()
    opened.page.keyboard.press("Escape")
    opened.modal.expect_closed()
    opened.wallet.approve()
    opened.modal.expect_connected(opened.account.address)


def test_destroying_the_modal_removes_its_frame(leaving: Visit) -> None:
    leaving.page.evaluate("modal.destroy()")
    expect(leaving.modal.iframe).to_have_count(0)


def test_destroying_an_open_modal_gives_the_page_its_scrolling_back(visitor: Visit) -> None:
    before = scroll_lock(visitor)
    visitor.modal.open()
    visitor.page.evaluate("modal.destroy()")
    assert scroll_lock(visitor) == before


def test_a_host_page_without_focusable_opener_closes_too(guest: Visit) -> None:
    guest.page.evaluate("document.activeElement.blur()")
    guest.modal.api("open")
    guest.modal.expect_view("Connect Wallet")
    guest.page.keyboard.press("Escape")
    guest.modal.expect_closed()
