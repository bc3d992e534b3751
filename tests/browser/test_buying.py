"""Buying with a card: what is paid on the provider's page arrives on the chain and in the list; windows that are blocked or closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from walletmodal.sandbox.evm.world import worlds

BLOCKED = "window.open = () => null;"
"""A browser that opens no windows for scripts."""


def buyer(visit: Visiting, stack: Stack, *before: str) -> Visit:
    """A connected visitor for whom the host page has opened the providers."""
    found = visit(server=stack.account_modal, before=before)
    found.modal.connect(found.wallet)
    found.page.evaluate("""window.modal.open({view: "OnRampProviders", arguments: {amount: "100", token: "USDC"}})""")
    found.modal.expect_view("Choose Provider")
    expect(found.modal.part("onramp-provider-coinbase")).to_be_enabled()
    return found


def pay(page: Page) -> None:
    """Pays on the card page."""
    expect(page.get_by_test_id("pay-amount")).to_have_value("100")
    page.get_by_test_id("pay-continue").click()
    page.get_by_test_id("pay-card-approved").click()
    page.get_by_test_id("pay-confirm").click()
    expect(page.get_by_test_id("pay-result-title")).to_have_text("It is yours")


def usdc(stack: Stack, address: str) -> int:
    """What an account has of USDC, as the chain tells it, in base units."""
    token = next(one for one in worlds()["eip155:1"].tokens if one.symbol == "USDC")
    call = {"to": token.address, "data": f"0x70a08231{address[2:]:0>64}"}
    return int(str(stack.chain(1).call("eth_call", call, "latest")), 16)


@pytest.fixture
def opened(visit: Visiting, stack: Stack) -> tuple[Visit, Page]:
    """A visitor who has clicked a provider, and the provider's window."""
    found = buyer(visit, stack)
    with found.context.expect_page() as window:
        found.modal.part("onramp-provider-coinbase").click()
    return found, window.value


def test_a_paid_purchase_arrives_on_the_chain_and_in_the_list(opened: tuple[Visit, Page], stack: Stack) -> None:
    visitor, window = opened
    visitor.modal.expect_view("Buy")
    assert usdc(stack, visitor.account.address) == 0
    pay(window)
    assert window.evaluate("window.opener") is None
    assert window.evaluate("[innerWidth, innerHeight]") == [600, 800]
    row = visitor.modal.part("onramp-activity-item-0")
    expect(row).to_contain_text("Bought")
    expect(row).to_contain_text("USDC")
    expect(row).to_have_attribute("data-status", "success")
    assert usdc(stack, visitor.account.address) > 0


def test_a_window_that_was_closed_can_be_opened_again(opened: tuple[Visit, Page], stack: Stack) -> None:
    visitor, window = opened
    window.close()
    with visitor.context.expect_page() as again:
        visitor.modal.part("onramp-open-page").click()
    pay(again.value)
    expect(visitor.modal.part("onramp-activity-item-0")).to_contain_text("USDC")


def test_a_blocked_window_leaves_a_link(visit: Visiting, stack: Stack) -> None:
    visitor = buyer(visit, stack, BLOCKED)
    visitor.modal.part("onramp-provider-coinbase").click()
    visitor.modal.expect_view("Buy")
    expect(visitor.modal.frame.get_by_text("Your browser has blocked")).to_be_visible()
    with visitor.context.expect_page() as window:
        visitor.modal.part("onramp-open-page").click()
    expect(window.value.get_by_test_id("pay-amount")).to_be_visible()


def test_what_is_short_in_a_form_is_filled_in_at_the_providers(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "1")
    visitor.modal.connect(visitor.wallet)
    for view, filled, link in (
        ("Swap", '{fromToken: "ETH", amount: "5"}', "swap-buy-button"),
        ("WalletSend", '{token: "ETH", amount: "5"}', "send-buy-button"),
    ):
        visitor.page.evaluate(f'void window.modal.open({{view: "{view}", arguments: {filled}}})')
        visitor.modal.part(link).click()
        visitor.modal.expect_view("Choose Provider")
        expect(visitor.modal.part("onramp-token")).to_contain_text("ETH")
        expect(visitor.modal.part("onramp-filled-in")).to_have_count(0)


def test_the_element_shows_what_an_amount_buys_and_leads_to_the_providers(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.account_modal)
    visitor.modal.connect(visitor.wallet)
    part = visitor.page.get_by_test_id
    visitor.page.evaluate("document.body.append(document.createElement('wallet-modal-onramp'))")
    part("onramp-widget-preset-100").click()
    expect(part("onramp-widget-gets")).to_contain_text("USDC")
    part("onramp-widget-submit").click()
    visitor.modal.expect_view("Choose Provider")
    expect(visitor.modal.part("onramp-amount")).to_have_text("100")
