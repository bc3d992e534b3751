"""The Connect view in a browser: rows of the directory, rows that come and go, the terms, a directory that is away."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.held_back import HeldBack
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from tests.browser.wallet import RDNS

FEATURED = "c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96"
LATE = "example.latecomer"
_ANNOUNCE = """(rdns) => {
  const info = { uuid: crypto.randomUUID(), name: "Latecomer", rdns, icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>" };
  const detail = Object.freeze({ info, provider: { request: () => new Promise(() => {}), on() {}, removeListener() {} } });
  dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
}"""
_SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
"""Views come when they are asked for, and none comes ahead while a test looks elsewhere."""
_DRAWN = "(image) => image.complete && image.naturalWidth > 0"


def opened(visit: Visiting, stack: Stack, **options: Any) -> Visit:
    """A visitor who has opened the modal of the server that lists wallets."""
    visitor = visit(server=stack.listing_modal, options=options)
    visitor.modal.open()
    return visitor


@pytest.fixture
def away(stack: Stack) -> Iterator[None]:
    """A directory that fails while the test runs."""
    assert stack.listing_modal
    stack.fail("directory", status=500)
    yield
    stack.heal()


def announce(page: Page) -> None:
    """Another extension wakes up."""
    page.evaluate(_ANNOUNCE, LATE)


def test_a_featured_wallet_has_its_picture_from_our_server(visit: Visiting, stack: Stack) -> None:
    modal = opened(visit, stack, featuredWalletIds=[FEATURED]).modal
    image = modal.part(f"wallet-selector-featured-{FEATURED}").locator("img")
    expect(image).to_be_visible()
    assert (image.get_attribute("src") or "").startswith("/images/wallet/")
    # A row waits for its picture two seconds and no longer.
    modal.wait(lambda: image.evaluate(_DRAWN), what="the picture")


def test_a_picture_that_does_not_come_holds_its_row_up_for_a_moment_only(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.listing_modal, options={"featuredWalletIds": [FEATURED]}, load=False)
    pictures = HeldBack(visitor.context, "**/images/wallet/**")
    visitor.go()
    visitor.modal.open()
    visitor.modal.wait(lambda: pictures.any, what="the question for a picture", seconds=60)
    expect(visitor.modal.part(f"wallet-selector-featured-{FEATURED}")).to_be_visible(timeout=60_000)
    pictures.release()


def test_all_wallets_says_how_many(visit: Visiting, stack: Stack) -> None:
    modal = opened(visit, stack).modal
    expect(modal.part("all-wallets").locator(".wm-tag")).to_have_text(re.compile(r"\d+0\+"))


def test_a_wallet_that_appears_late_leaves_the_focus_where_it_is(visit: Visiting, stack: Stack) -> None:
    visitor = opened(visit, stack)
    all_wallets = visitor.modal.part("all-wallets")
    all_wallets.focus()
    announce(visitor.page)
    expect(visitor.modal.wallet_row(LATE)).to_be_visible()
    expect(all_wallets).to_be_focused()


def test_without_the_directory_the_browsers_wallet_is_there(visit: Visiting, stack: Stack, away: None) -> None:
    modal = opened(visit, stack, projectId="away").modal
    expect(modal.wallet_row(RDNS)).to_be_visible()
    expect(modal.part("wallet-list-missing")).to_be_visible()


def test_trying_again_brings_the_directory_back(visit: Visiting, stack: Stack, away: None) -> None:
    modal = opened(visit, stack, projectId="back", featuredWalletIds=[FEATURED]).modal
    expect(modal.part("wallet-list-missing")).to_be_visible()
    stack.heal()
    modal.part("wallet-list-try-again").click()
    expect(modal.part(f"wallet-selector-featured-{FEATURED}")).to_be_visible()
    expect(modal.part("wallet-list-missing")).to_be_hidden()


def test_nothing_can_be_reached_before_the_terms_are_agreed_to(visit: Visiting, stack: Stack) -> None:
    terms = {"termsConditionsUrl": "https://host.example/terms", "features": {"legalCheckbox": True}}
    visitor = opened(visit, stack, **terms)
    row = visitor.modal.wallet_row(RDNS)
    expect(row).to_be_visible()
    row.evaluate("(button) => button.focus()")
    expect(row).not_to_be_focused()
    visitor.modal.part("w3m-header-close").focus()
    for _ in range(3):
        visitor.page.keyboard.press("Tab")
    assert visitor.modal.card.evaluate("(card) => card.contains(document.activeElement)")
    # Ticked at once, whatever the server's answer takes.
    visitor.modal.frame.locator(".wm-checkbox-box").click()
    expect(visitor.modal.frame.locator(".wm-agreed")).to_have_attribute("data-waits", "false")
    row.focus()
    expect(row).to_be_focused()


def test_a_view_that_does_not_arrive_says_so_and_can_be_had_again(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.listing_modal, before=[_SAVES_DATA])
    visitor.modal.open()
    # The list has the height of what the directory has told.
    expect(visitor.modal.part("all-wallets").locator(".wm-tag")).to_be_visible()
    visitor.modal.expect_rest()
    height = visitor.modal.card.evaluate("(card) => card.offsetHeight")
    scripts = f"{visitor.modal.url}/assets/*.js"
    visitor.context.route(scripts, lambda route: route.abort())
    visitor.modal.part("w3m-wallet-guide-get-started").click()
    again = visitor.modal.part("view-retry")
    expect(again).to_be_visible()
    # The card has neither collapsed nor jumped.
    assert abs(visitor.modal.card.evaluate("(card) => card.offsetHeight") - height) <= 1
    visitor.context.unroute(scripts)
    again.click()
    expect(visitor.modal.part("get-a-wallet")).to_be_visible()


def test_help_leads_to_wallets_to_get(visit: Visiting, stack: Stack) -> None:
    modal = opened(visit, stack).modal
    modal.part("w3m-header-help").click()
    modal.part("get-a-wallet").click()
    modal.expect_view("Get a wallet")
    expect(modal.frame.locator("[data-testid^=get-wallet-]")).to_have_count(4)
