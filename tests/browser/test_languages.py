"""The modal in another language than English."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visits import Visiting
from walletmodal.services.pseudo_language import PSEUDO


def test_a_visitor_gets_the_language_of_the_browser(shared_visit: Visiting) -> None:
    visitor = shared_visit(locale=PSEUDO)
    expect(visitor.modal.connect_button).to_have_text("[Cøññéçt Wållét one two]")
    visitor.modal.connect_button.click()
    expect(visitor.modal.title).to_have_text("[Cøññéçt Wållét one two]")
    expect(visitor.modal.part("w3m-wallet-guide-get-started")).to_have_text("[Gét štårtéd one two]")


def test_the_language_of_the_host_comes_first_and_changes_without_a_reload(shared_visit: Visiting) -> None:
    visitor = shared_visit(options={"locale": PSEUDO})
    visitor.modal.connect_button.click()
    expect(visitor.modal.title).to_have_text("[Cøññéçt Wållét one two]")
    visitor.modal.api("setLocale", "en")
    expect(visitor.modal.title).to_have_text("Connect Wallet")
    expect(visitor.modal.connect_button).to_have_text("Connecting...")
    expect(visitor.modal.part("w3m-wallet-guide-get-started")).to_have_text("Get started")
