"""The modal in another language than English."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visits import Visiting


def test_a_visitor_gets_the_language_of_the_browser(shared_visit: Visiting) -> None:
    visitor = shared_visit(locale="de-CH")
    visitor.modal.connect_button.click()
    expect(visitor.modal.title).to_have_text("Wallet verbinden")
    expect(visitor.modal.frame.get_by_test_id("w3m-wallet-guide-get-started")).to_have_text("Loslegen")


def test_the_language_of_the_host_comes_first_and_changes_without_a_reload(shared_visit: Visiting) -> None:
    visitor = shared_visit(options={"locale": "de"})
    visitor.modal.connect_button.click()
    expect(visitor.modal.title).to_have_text("Wallet verbinden")
    visitor.modal.api("updateOptions", {"locale": "en"})
    expect(visitor.modal.title).to_have_text("Connect Wallet")
    expect(visitor.modal.frame.get_by_test_id("w3m-wallet-guide-get-started")).to_have_text("Get started")
