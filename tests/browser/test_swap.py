"""Real swaps on the sandbox's chain, as a visitor makes them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.modal import Modal
from tests.browser.stack import Stack
from tests.browser.test_send import HASH, SEND, fund_usdc, usdc_of
from tests.browser.visits import Visit, Visiting

USDC_UNITS = 10**6
BATCH = "wallet_sendCalls"
EXECUTOR = "0x00000000000000000000000000000000ba7c4ed0"
EXECUTOR_CODE = (
    # For what is left of the call data: an address, a value, how long the data is, and the data.
    "5f5b80361160095700"
    # The data into memory, the call, and nothing at all where one fails.
    "5b806034013580826054015f37"
    "5f5f825f8560140135863560601c5af1602c575f80fd"
    "5b01605401600156"
)


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


def with_batches(visit: Visiting, stack: Stack, **terms: Any) -> Visit:
    """A visitor with USDC, at the account, whose wallet knows batches."""
    visitor = visit(server=stack.account_modal, wallet={"extra": {"calls": {"tokens": {}, **terms}}})
    chain = stack.chain(1)
    chain.fund(visitor.account.address, "1")
    fund_usdc(stack, visitor.account.address, 500 * USDC_UNITS)
    chain.call("anvil_setCode", EXECUTOR, "0x" + EXECUTOR_CODE)
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    return visitor


def test_approval_and_swap_are_one_transaction_where_the_wallet_can(visit: Visiting, stack: Stack) -> None:
    visitor = with_batches(visit, stack, atomic=True)
    stack.chain(1).call("anvil_setCode", visitor.account.address, "0xef0100" + EXECUTOR[2:])
    enter(visitor.modal, "USDC", "DAI", "200")
    expect(visitor.modal.part("swap-approval-note")).to_contain_text("one confirmation and one fee instead of 2")
    expect(visitor.modal.part("swap-action-button")).to_have_text("Swap")
    visitor.modal.part("swap-action-button").click()
    visitor.wallet.approve(BATCH)
    expect_swapped(visitor.modal)
    assert usdc_of(stack, visitor.account.address) == 300 * USDC_UNITS
    assert stack.chain(1).call("eth_getTransactionCount", visitor.account.address, "latest") == "0x1"


def test_a_wallet_that_will_not_make_one_is_asked_for_the_approval(visit: Visiting, stack: Stack) -> None:
    visitor = with_batches(visit, stack, upgrade=True)
    enter(visitor.modal, "USDC", "DAI", "200")
    visitor.modal.part("swap-action-button").click()
    expect(visitor.modal.part("swap-notice")).to_contain_text("the approval comes first")
    confirm(visitor, "Approve")
    confirm(visitor, "Swap")
    expect_swapped(visitor.modal)
