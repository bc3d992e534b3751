"""Passkeys of the embedded wallet: offered after a login, added, and what brings the wallet to a browser that has no key to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.passkeys import Authenticator
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting

Arriving = Callable[..., EmailVisitor]

REFUSED_IN_FRAMES = """
if (window !== window.top) navigator.credentials.create = () => Promise.reject(new DOMException("", "NotAllowedError"));
"""
"""What Safari does in frames of other sites."""


@pytest.fixture
def arrive(visit: Visiting, stack: Stack) -> Arriving:
    """Makes visitors of a host page with the embedded wallet."""

    def make(**wishes: Any) -> EmailVisitor:
        return EmailVisitor(visit, stack, **wishes)

    return make


def offered(visitor: EmailVisitor) -> str:
    """Logs in to where a passkey is offered; returns the address, which the host has already."""
    visitor.ask_for_code()
    visitor.enter(visitor.code())
    expect(visitor.modal.part("passkey-skip")).to_be_visible()
    visitor.modal.expect_connected()
    return visitor.address


def add(visitor: EmailVisitor) -> None:
    """From the host page's account button to the frame's question for a passkey, and the visitor's click there."""
    visitor.modal.open_account()
    visitor.modal.part("w3m-profile-button").click()
    visitor.modal.part("account-settings-button").click()
    visitor.modal.part("account-add-passkey").click()
    visitor.modal.part("passkey-add").click()
    visitor.frame.get_by_test_id("passkey-continue").click()


def test_a_passkey_of_the_first_login_is_enough_on_another_site(arrive: Arriving) -> None:
    owner = arrive()
    authenticator = Authenticator(owner.page)
    address = offered(owner)
    owner.modal.part("passkey-add").click()
    owner.frame.get_by_test_id("passkey-continue").click()
    owner.modal.expect_closed()
    assert authenticator.count == 1
    owner.go_to(owner.stack.hosts.other_site)
    owner.modal.open()
    owner.modal.part("passkey-login-button").click()
    owner.modal.expect_connected(address)
    owner.modal.expect_closed()
    owner.page.reload()
    owner.modal.expect_connected(address)


def test_who_has_nothing_here_makes_a_wallet_with_a_passkey_alone(arrive: Arriving) -> None:
    visitor = arrive()
    authenticator = Authenticator(visitor.page)
    visitor.modal.open()
    visitor.modal.part("passkey-login-button").click()
    visitor.frame.get_by_test_id("passkey-instead").click()
    visitor.frame.get_by_test_id("passkey-continue").click()
    visitor.modal.expect_connected()
    address = visitor.address
    assert authenticator.count == 1
    visitor.go_to(visitor.stack.hosts.other_site)
    visitor.modal.open()
    visitor.modal.part("passkey-login-button").click()
    visitor.modal.expect_connected(address)


def test_who_has_no_passkey_is_told_so_and_gets_back(arrive: Arriving) -> None:
    visitor = arrive()
    Authenticator(visitor.page)
    visitor.modal.open()
    visitor.modal.part("passkey-login-button").click()
    visitor.frame.get_by_test_id("passkey-continue").click()
    expect(visitor.frame.get_by_test_id("passkey-error")).to_contain_text("No passkey was used")
    visitor.frame.get_by_test_id("passkey-cancel").click()
    visitor.modal.expect_view("Connect Wallet")


def test_where_frames_may_make_none_a_window_of_the_secure_site_does(arrive: Arriving) -> None:
    owner = arrive()
    owner.page.add_init_script(REFUSED_IN_FRAMES)
    owner.page.reload()
    Authenticator(owner.page)
    offered(owner)
    owner.modal.part("passkey-add").click()
    owner.frame.get_by_test_id("passkey-continue").click()
    with owner.page.context.expect_page() as opening:
        owner.frame.get_by_test_id("passkey-window").click()
    window = opening.value
    Authenticator(window)
    expect(window.get_by_role("heading")).to_have_text("Add a passkey")
    window.get_by_test_id("passkey-continue").click()
    owner.modal.expect_closed()
    owner.modal.open_account()
    owner.modal.part("w3m-profile-button").click()
    owner.modal.part("account-settings-button").click()
    owner.modal.part("account-add-passkey").click()
    expect(owner.modal.part("passkey-item")).to_have_count(1)
    owner.modal.part("passkey-remove").click()
    owner.approve()
    expect(owner.modal.part("passkey-item")).to_have_count(0)


def test_after_a_code_a_passkey_brings_the_wallet_to_another_site(arrive: Arriving, move_clock: MoveClock) -> None:
    owner = arrive()
    authenticator = Authenticator(owner.page)
    address = owner.log_in(offered=True)
    add(owner)
    expect(owner.modal.part("passkey-item")).to_have_count(1)
    assert authenticator.count == 1
    move_clock(31)
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
    owner.log_in(offered=True)
    add(owner)
    expect(owner.frame.get_by_test_id("passkey-error")).to_contain_text("cannot open a wallet")
    owner.frame.get_by_test_id("passkey-cancel").click()
    expect(owner.modal.part("passkey-add")).to_be_visible()
    expect(owner.modal.part("passkey-item")).to_have_count(0)
