"""Swaps through a phone, and one in whose middle the server dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chain import WEI, Chain
from tests.browser.stack import Stack
from tests.browser.test_send import SEND, fund_usdc, usdc_of
from tests.browser.test_swap import USDC_UNITS, confirm, enter, expect_swapped
from tests.browser.visits import Visiting


@pytest.fixture
def phone(stack: Stack, chromium: Browser) -> Iterator[Page]:
    """A phone in a browser of its own."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{stack.demo}/phone")
    yield page
    context.close()


@contextmanager
def no_blocks(chain: Chain) -> Iterator[None]:
    """The chain takes transactions, and makes no blocks of them."""
    chain.call("evm_setAutomine", False)
    try:
        yield
    finally:
        chain.call("evm_setAutomine", True)
        chain.call("anvil_mine", "0x1")


def test_a_phone_approves_a_token_and_swaps_it_for_the_coin(visit: Visiting, stack: Stack, phone: Page) -> None:
    visitor = visit(server=stack.account_modal)
    modal = visitor.modal
    visitor.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    code = modal.part("wui-qr-code")
    expect(code).to_be_visible()
    phone.get_by_test_id("phone-uri").fill(code.get_attribute("uri") or "")
    phone.get_by_test_id("phone-pair").click()
    phone.get_by_test_id("phone-approve").click()
    modal.expect_connected()
    address = modal.api("getAddress")
    stack.chain(1).fund(address, "1")
    fund_usdc(stack, address, 500 * USDC_UNITS)
    dollars, coins = usdc_of(stack, address), stack.chain(1).balance(address)
    modal.open_account()
    enter(modal, "USDC", "ETH", "400")
    for step in ("Approve", "Swap"):
        expect(modal.part("swap-action-button")).to_have_text(step)
        modal.part("swap-action-button").click()
        phone.get_by_test_id("phone-approve").click()
    expect_swapped(modal)
    assert usdc_of(stack, address) == dollars - 400 * USDC_UNITS
    # Of about 0.12 ETH that came, the fees of both transactions are gone.
    assert stack.chain(1).balance(address) > coins + WEI // 10


def test_a_swap_goes_on_after_the_server_died_while_the_network_had_the_approval(visit: Visiting, stack: Stack) -> None:
    visitor, chain = visit(server=stack.account_modal), stack.chain(1)
    chain.fund(visitor.account.address, "1")
    fund_usdc(stack, visitor.account.address, 500 * USDC_UNITS)
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    enter(visitor.modal, "USDC", "DAI", "200")
    with no_blocks(chain):
        confirm(visitor, "Approve")
        expect(visitor.modal.part("swap-approving")).to_be_visible()
        stack.account_modal.kill_workers()
        expect(visitor.modal.part("swap-approving")).to_be_visible()
    confirm(visitor, "Swap")
    expect_swapped(visitor.modal)
    assert usdc_of(stack, visitor.account.address) == 300 * USDC_UNITS
    assert visitor.wallet.calls(SEND) == 2
