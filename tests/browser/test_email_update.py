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
    visitor.log_in()
    new = f"new.{visitor.email}"
    move_clock(31)
    visitor.save_address(new)
    summary = visitor.frame.get_by_test_id("frame-summary")
    expect(summary).to_contain_text(visitor.email)
    expect(summary).to_contain_text(new)
    visitor.approve()
    visitor.modal.expect_view("Confirm Current Email")
    visitor.enter(visitor.code())
    visitor.confirm_address(new)
