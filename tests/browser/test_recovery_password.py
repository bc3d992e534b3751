"""A recovery password of the embedded wallet, and "only I can recover", from end to end."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting

PASSWORD = "correct horse battery staple"


def prove(visitor: EmailVisitor, why: str) -> None:
    """Types the code of a fresh proof into the frame."""
    expect(visitor.frame.get_by_text(why)).to_be_visible()
    visitor.frame.get_by_test_id("recovery-code-input").press_sequentially(visitor.code(8))


def test_a_password_is_set_takes_the_place_of_codes_and_brings_the_wallet_to_another_device(
    visit: Visiting, stack: Stack, move_clock: MoveClock
) -> None:
    owner = EmailVisitor(visit, stack)
    address = owner.log_in()
    move_clock(31)
    owner.modal.api("open", {"view": "RecoverySettings"})
    expect(owner.modal.part("recovery-told")).to_contain_text("A code by email opens your wallet")
    owner.modal.note_toasts()
    owner.modal.part("password-set").click()
    prove(owner, "You are about to set a recovery password")
    for field in ("recovery-password", "recovery-password-again"):
        owner.frame.get_by_test_id(field).fill(PASSWORD)
    owner.frame.get_by_test_id("password-submit").click()
    owner.modal.expect_toast("Recovery password saved")
    move_clock(31)
    owner.modal.part("escrow-off").click()
    owner.approve()
    prove(owner, "You are about to turn recovery by code off")
    owner.modal.expect_toast("Recovery by code is off")
    expect(owner.modal.part("recovery-told")).to_have_text("Your recovery password opens your wallet on a new device.")
    move_clock(60)
    other = EmailVisitor(visit, stack, email=owner.email, site=stack.hosts.other_site)
    other.ask_for_code()
    other.enter(other.code())
    other.modal.part("recovery-password").click()
    expect(other.modal.part("recovery-code")).to_have_count(0)
    other.frame.get_by_test_id("recovery-password").fill("another horse battery staple")
    other.frame.get_by_test_id("password-submit").click()
    expect(other.frame.get_by_test_id("password-error")).to_contain_text("Wrong password")
    other.frame.get_by_test_id("recovery-password").fill(PASSWORD)
    other.frame.get_by_test_id("password-submit").click()
    other.modal.expect_connected(address)
