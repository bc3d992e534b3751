"""The secure site dies in the middle of a login or a signature, and comes back: what the visitor sees has a way on, and no wallet is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.email_visitor import EmailVisitor, allow_login
from tests.browser.stack import Stack
from tests.browser.visits import Visiting

AWAY = "The wallet service cannot be reached"

Arriving = Callable[..., EmailVisitor]


@pytest.fixture
def arrive(visit: Visiting, healthy_sandbox: Stack) -> Arriving:
    """Makes visitors of a host page with the embedded wallet."""

    def make(**wishes: Any) -> EmailVisitor:
        return EmailVisitor(visit, healthy_sandbox, **wishes)

    return make


def dies(visitor: EmailVisitor, path: str = "/v1", **fault: object) -> None:
    """The site is gone, or its answer to this call is lost."""
    visitor.stack.fail("secure", path=path, drop=True, **fault)


def test_an_address_is_kept_until_the_site_is_back(arrive: Arriving) -> None:
    visitor = arrive()
    visitor.modal.open()
    visitor.modal.note_toasts()
    dies(visitor)
    visitor.modal.part("wui-email-input").locator("input").fill(visitor.email)
    visitor.modal.part("email-submit").click()
    visitor.modal.expect_toast(f"{AWAY}. Please try again")
    visitor.stack.heal()
    visitor.modal.part("email-submit").click()
    visitor.enter(visitor.code())
    visitor.modal.expect_connected()


def test_a_code_counts_once_the_site_is_back(arrive: Arriving) -> None:
    visitor = arrive()
    visitor.ask_for_code()
    code = visitor.code()
    dies(visitor)
    visitor.enter(code)
    expect(visitor.modal.part("otp-error")).to_contain_text(AWAY)
    visitor.stack.heal()
    visitor.enter(code)
    visitor.modal.expect_connected()


def test_a_login_at_a_provider_waits_until_the_site_is_back(arrive: Arriving) -> None:
    visitor = arrive(options={"features": {"socials": ["google"]}})
    visitor.modal.open()
    dies(visitor, "/v1/oauth/finish")
    allow_login(visitor.begin_social("google"))
    # The window has done its part, and the view has a way on meanwhile.
    expect(visitor.modal.part("social-closed")).to_contain_text("If you have finished there, wait a moment.")
    visitor.stack.heal()
    visitor.modal.expect_connected()


def test_a_signature_that_the_site_could_not_help_with_is_asked_for_again(arrive: Arriving) -> None:
    owner = arrive()
    owner.log_in()
    dies(owner, "/v1/wallet/half")
    owner.modal.begin_request("lost", "personal_sign", ["0x61", owner.address])
    owner.approve()
    assert AWAY in owner.modal.outcome("lost")["message"]
    owner.stack.heal()
    owner.modal.begin_request("again", "personal_sign", ["0x61", owner.address])
    owner.approve()
    assert owner.modal.outcome("again")["value"].startswith("0x")
