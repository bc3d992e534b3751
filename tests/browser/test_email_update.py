"""Another email address for the embedded wallet, from end to end."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting


def test_an_address_is_changed_as_the_secure_frame_shows_it(
    visit: Visiting, stack: Stack, move_clock: MoveClock
) -> None:
    visitor = EmailVisitor(visit, stack)
    address, former = visitor.log_in(), visitor.email
    new = f"new.{former}"
    move_clock(31)
    visitor.modal.api("open", {"view": "AccountSettings"})
    visitor.modal.note_toasts()
    visitor.modal.part("w3m-account-email-update").click()
    visitor.modal.part("wui-email-input").locator("input").fill(new)
    visitor.modal.part("email-save").click()
    summary = visitor.frame.get_by_test_id("frame-summary")
    expect(summary).to_contain_text(former)
    expect(summary).to_contain_text(new)
    visitor.approve()
    visitor.modal.expect_view("Confirm Current Email")
    visitor.enter(visitor.code())
    visitor.modal.expect_view("Confirm New Email")
    # The view of the first code has left.
    expect(visitor.otp).to_have_count(6)
    visitor.email = new
    visitor.enter(visitor.code())
    visitor.modal.expect_toast("Email address changed")
    visitor.page.reload()
    visitor.modal.expect_connected(address)
    visitor.modal.api("open", {"view": "AccountSettings"})
    expect(visitor.modal.part("account-person")).to_have_text(new)
