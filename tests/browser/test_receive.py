"""Receiving, with the keyboard alone: the whole address as a code, in full and to copy, and the networks on which it is the visitor's own."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, expect

from tests.browser.modal import Modal
from tests.browser.stack import Stack
from tests.browser.visits import Visiting


def press(modal: Modal, test_id: str) -> None:
    """What a keyboard does with a button that it has reached."""
    part = modal.part(test_id)
    part.focus()
    expect(part).to_be_focused()
    modal.page.keyboard.press("Enter")


def test_the_address_is_shown_copied_and_left_again(visit: Visiting, stack: Stack) -> None:
    def may_copy(context: BrowserContext) -> None:
        context.grant_permissions(["clipboard-read", "clipboard-write"])

    visitor = visit(server=stack.account_modal, prepare=may_copy)
    modal, address = visitor.modal, visitor.account.address
    modal.connect(visitor.wallet)
    modal.open_account()
    press(modal, "wallet-features-receive-button")
    expect(modal.part("wui-qr-code")).to_have_attribute("uri", address)
    expect(modal.part("receive-address")).to_have_text(address)
    modal.note_toasts()
    press(modal, "receive-address-copy-button")
    modal.expect_toast("Address copied")
    assert modal.page.evaluate("navigator.clipboard.readText()") == address
    press(modal, "receive-compatible-networks")
    modal.expect_view("Compatible Networks")
    expect(modal.frame.locator('[data-testid^="compatible-network-"]')).to_have_text(["Ethereum", "Polygon"])
    press(modal, "header-back")
    modal.expect_view("Receive")
    press(modal, "header-back")
    expect(modal.part("disconnect-button")).to_be_visible()
