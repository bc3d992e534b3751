"""Passkeys of the embedded wallet: one is added, and brings the wallet to a browser that has no key to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.passkeys import Authenticator
from tests.browser.stack import Stack
from tests.browser.visits import Visiting

Arriving = Callable[..., EmailVisitor]


@pytest.fixture
def arrive(visit: Visiting, stack: Stack) -> Arriving:
    """Makes visitors of a host page with the embedded wallet."""

    def make(**wishes: Any) -> EmailVisitor:
        return EmailVisitor(visit, stack, **wishes)

    return make


def add(visitor: EmailVisitor) -> None:
    """From the host page's account button to the frame's question for a passkey, and the visitor's click there."""
    visitor.modal.open_account()
    visitor.modal.part("w3m-profile-button").click()
    visitor.modal.part("account-add-passkey").click()
    visitor.modal.part("passkey-add").click()
    visitor.frame.get_by_test_id("passkey-continue").click()


def test_a_passkey_brings_the_wallet_to_another_site(arrive: Arriving) -> None:
    owner = arrive()
    authenticator = Authenticator(owner.page)
    address = owner.log_in()
    add(owner)
    expect(owner.modal.part("passkey-item")).to_have_count(1)
    assert authenticator.count == 1
    owner.stack.move_clock(31)
    owner.go_to(owner.stack.hosts.other_site)
    owner.ask_for_code()
    owner.enter(owner.code())
    owner.modal.part("recovery-passkey").click()
    owner.modal.expect_connected(address)
    owner.page.reload()
    owner.modal.expect_connected(address)


def test_a_passkey_that_gives_no_secret_is_told_apart_and_leaves_nothing(arrive: Arriving) -> None:
    owner = arrive()
    Authenticator(owner.page, prf=False)
    owner.log_in()
    add(owner)
    expect(owner.frame.get_by_test_id("passkey-error")).to_contain_text("cannot open a wallet")
    owner.frame.get_by_test_id("passkey-cancel").click()
    expect(owner.modal.part("passkey-add")).to_be_visible()
    expect(owner.modal.part("passkey-item")).to_have_count(0)
