"""The embedded wallet on two sites in the same browser, from end to end: kept by a window of the secure site, and handed over by it."""

from __future__ import annotations

from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting
from tests.closing_click import closing_click
from tests.deliberate_click import deliberate_click


def window_of(page: Page, frame: FrameLocator) -> Page:
    """The window that the frame's card opens."""
    with page.expect_popup() as opened:
        deliberate_click(frame.get_by_test_id("window-open"))
    return opened.value


def test_a_window_opens_the_wallet_on_another_site_of_the_browser(
    visit: Visiting, stack: Stack, move_clock: MoveClock
) -> None:
    visitor = EmailVisitor(visit, stack)
    address = visitor.log_in()
    visitor.modal.api("open", {"view": "Devices"})
    visitor.modal.note_toasts()
    visitor.modal.part("device-remember").click()
    window = window_of(visitor.page, visitor.frame)
    closing_click(window, window.get_by_test_id("popup-approve"))
    visitor.modal.expect_toast("Ready for other sites")
    expect(visitor.modal.part("device-item").filter(has_text="For other sites in this browser")).to_have_count(1)
    expect(visitor.modal.part("device-remember")).to_have_count(0)
    move_clock(31)
    visitor.go_to(stack.hosts.other_site)
    visitor.ask_for_code()
    visitor.enter(visitor.code())
    visitor.modal.part("recovery-window").click()
    window = window_of(visitor.page, visitor.frame)
    expect(window.get_by_test_id("frame-origin")).to_have_text(stack.hosts.other_site)
    closing_click(window, window.get_by_test_id("popup-approve"))
    visitor.modal.expect_connected(address)
