"""Real swaps on the sandbox's chain, as a visitor makes them."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.modal import Modal
from tests.browser.stack import Stack
from tests.browser.test_send import HASH, SEND, fund_usdc, usdc_of
from tests.browser.visits import Visit, Visiting

USDC_UNITS = 10**6


def enter(modal: Modal, source: str, target: str, amount: str) -> None:
    """From the account to the preview."""
    modal.part("wallet-features-swaps-button").click()
    if source != "ETH":
        modal.part("swap-select-token-button-sourceToken").click()
        modal.part(f"swap-select-token-item-{source}").click()
    modal.part("swap-select-token-button-toToken").click()
    modal.part(f"swap-select-token-item-{target}").click()
    modal.part("swap-input-sourceToken").fill(amount)
    expect(modal.part("swap-action-button")).to_have_text("Review swap")
    modal.part("swap-action-button").click()
    # The form leaves while the preview comes, and both have a button of that name.
    expect(modal.part("swap-input-sourceToken")).to_have_count(0)
    expect(modal.part("swap-minimum-received")).to_be_visible()


def confirm(visitor: Visit, button: str) -> None:
    expect(visitor.modal.part("swap-action-button")).to_have_text(button)
    visitor.modal.part("swap-action-button").click()
    visitor.wallet.approve(SEND)


def expect_swapped(modal: Modal) -> None:
    expect(modal.part("swap-result-hash")).to_have_text(HASH)
    expect(modal.part("send-result-status")).to_have_text("Confirmed")
    expect(modal.part("swap-result-received")).not_to_contain_text("at least")


def test_the_coin_is_swapped_and_the_result_says_what_arrived(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "2")
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    enter(visitor.modal, "ETH", "USDC", "0.5")
    confirm(visitor, "Swap")
    expect_swapped(visitor.modal)
    arrived = usdc_of(stack, visitor.account.address)
    assert arrived > 1000 * USDC_UNITS
    shown = visitor.modal.part("swap-result-received").inner_text()
    assert int(re.sub(r"\D", "", shown)) * 10 ** (6 - len(shown.partition(".")[2].partition(" ")[0])) == arrived


def test_a_token_is_approved_and_then_swapped(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "1")
    fund_usdc(stack, visitor.account.address, 500 * USDC_UNITS)
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    enter(visitor.modal, "USDC", "DAI", "200")
    expect(visitor.modal.part("swap-approval-note")).to_contain_text("exactly 200 USDC")
    confirm(visitor, "Approve")
    confirm(visitor, "Swap")
    expect_swapped(visitor.modal)
    assert usdc_of(stack, visitor.account.address) == 300 * USDC_UNITS
