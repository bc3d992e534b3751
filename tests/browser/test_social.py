"""Login with an account at a provider, from end to end: the provider's window, the accounts, and what a browser does to windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.email_visitor import EmailVisitor, allow_login
from tests.browser.stack import Stack
from tests.browser.visits import Visiting

Arriving = Callable[..., EmailVisitor]


@pytest.fixture
def arrive(visit: Visiting, stack: Stack) -> Arriving:
    """Makes visitors of a host page whose modal offers some logins."""

    def make(*socials: str, **wishes: Any) -> EmailVisitor:
        return EmailVisitor(visit, stack, options={"features": {"socials": list(socials)}}, **wishes)

    return make


def begin(visitor: EmailVisitor, provider: str) -> Page:
    """The provider's window, from the host page's button."""
    visitor.modal.open()
    return visitor.begin_social(provider)


def test_an_account_at_google_leads_to_one_on_chain_that_is_there_again_after_a_reload(arrive: Arriving) -> None:
    visitor = arrive("google")
    window = begin(visitor, "google")
    allow_login(window)
    visitor.modal.expect_connected()
    address = visitor.address
    visitor.page.reload()
    visitor.modal.expect_connected(address)


def test_apple_answers_by_a_form(arrive: Arriving) -> None:
    visitor = arrive("apple", "google")
    allow_login(begin(visitor, "apple"))
    visitor.modal.expect_connected()


def test_a_provider_that_cuts_its_window_off_still_logs_in(arrive: Arriving) -> None:
    visitor = arrive("google", "github", "x")
    window = begin(visitor, "github")
    window.get_by_test_id("login-coop").click()
    expect(visitor.modal.part("social-closed")).to_be_visible()
    allow_login(window)
    visitor.modal.expect_connected()


def test_who_does_not_allow_it_is_told_and_may_try_again(arrive: Arriving) -> None:
    visitor = arrive("google")
    begin(visitor, "google").get_by_test_id("login-deny").click()
    expect(visitor.modal.part("social-error")).to_contain_text("did not allow")
    allow_login(visitor.begin_social("google"))
    visitor.modal.expect_connected()


def test_a_window_that_is_blocked_is_opened_by_a_link(arrive: Arriving) -> None:
    visitor = arrive("google")
    visitor.page.add_init_script("window.open = () => null")
    visitor.page.reload()
    visitor.modal.open()
    visitor.modal.part("social-selector-google").click()
    with visitor.page.context.expect_page() as opening:
        visitor.modal.part("social-open").click()
    # A link tells nobody where it was: the site asks.
    opening.value.get_by_role("button", name="Go on to Google").click()
    allow_login(opening.value)
    visitor.modal.expect_connected()


def test_farcasters_app_logs_in_by_the_code(arrive: Arriving) -> None:
    visitor = arrive("google", "farcaster")
    visitor.modal.open()
    visitor.approve_in_farcaster()
    visitor.modal.expect_closed()
    address = visitor.address
    visitor.page.reload()
    visitor.modal.expect_connected(address)


def test_in_telegram_the_page_goes_to_the_provider_and_comes_back_connected(arrive: Arriving) -> None:
    visitor = arrive("google", "github")
    visitor.page.add_init_script("window.TelegramWebviewProxy = {}")
    address = visitor.page.url
    visitor.page.goto(f"{address}?item=7")
    opened: list[Page] = []

    def note(page: Page) -> None:
        opened.append(page)

    visitor.page.context.on("page", note)
    visitor.modal.open()
    visitor.modal.part("social-selector-github").click()
    # The host page has led the visitor there: the site asks.
    visitor.page.wait_for_url("**/oauth/go/github/**")
    visitor.page.get_by_role("button", name="Go on to GitHub").click()
    allow_login(visitor.page)
    visitor.page.wait_for_url(f"{address}?item=7")
    visitor.modal.expect_connected()
    assert opened == []


def test_a_login_goes_on_where_the_host_page_was_loaded_anew_meanwhile(arrive: Arriving) -> None:
    visitor = arrive("google")
    window = begin(visitor, "google")
    expect(window.get_by_test_id("login-name")).to_be_visible()
    visitor.page.reload()
    allow_login(window)
    visitor.modal.connect_button.click()
    visitor.modal.expect_connected()
    visitor.modal.expect_closed()


def test_a_login_that_the_visitor_gave_up_by_a_reload_can_be_begun_again(arrive: Arriving) -> None:
    visitor = arrive("google")
    window = begin(visitor, "google")
    expect(window.get_by_test_id("login-name")).to_be_visible()
    window.close()
    visitor.page.reload()
    visitor.modal.connect_button.click()
    expect(visitor.modal.card).to_contain_text("This page was loaded anew")
    allow_login(visitor.begin_social("google"))
    visitor.modal.expect_connected()
