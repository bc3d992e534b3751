"""Real transfers on the sandbox's chains, as a visitor makes them, and wallets that do other things than they were asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chain import WEI, new_account
from tests.browser.modal import Modal
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting

SEND = "eth_sendTransaction"
HASH = re.compile("^0x[0-9a-f]{64}$")


@pytest.fixture
def sender(visit: Visiting, stack: Stack) -> Visit:
    """A visitor with coins, who looks at the account."""
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "2")
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    return visitor


def enter(modal: Modal, symbol: str, amount: str, receiver: str) -> None:
    """From the account to a complete form."""
    modal.part("wallet-features-send-button").click()
    modal.part("send-select-token-button").click()
    modal.part(f"send-token-{symbol}").click()
    if amount == "max":
        modal.part("send-max-button").click()
    else:
        modal.part("send-amount-input").fill(amount)
    modal.part("send-address-input").fill(receiver)


def review(modal: Modal) -> None:
    """From the form to the preview, ready to be confirmed."""
    modal.part("send-preview-button").click()
    expect(modal.part("send-confirm-button")).to_be_enabled()


def balance_of(stack: Stack, address: str) -> Callable[[], int]:
    return lambda: stack.chain(1).balance(address)


def expect_final(modal: Modal) -> None:
    expect(modal.part("send-result-hash")).to_have_text(HASH)
    expect(modal.part("send-result-status")).to_contain_text(re.compile("confirmed|done|sent", re.IGNORECASE))


def test_a_coin_is_sent(sender: Visit, stack: Stack) -> None:
    receiver = new_account().address
    enter(sender.modal, "ETH", "0.5", receiver)
    review(sender.modal)
    expect(sender.modal.part("send-preview-address")).to_have_text(receiver, ignore_case=False)
    sender.modal.part("send-confirm-button").click()
    sender.wallet.approve(SEND)
    expect_final(sender.modal)
    assert balance_of(stack, receiver)() == WEI // 2


USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"


def fund_usdc(stack: Stack, address: str, units: int) -> None:
    body = {"address": address, "chain": "eip155:1", "token": f"eip155:1:{USDC}", "amount": str(units)}
    stack.client.post(f"{stack.demo}/sandbox/faucet", json=body).raise_for_status()


def usdc_of(stack: Stack, address: str) -> int:
    call = {"to": USDC, "data": "0x70a08231" + address[2:].lower().rjust(64, "0")}
    return int(str(stack.chain(1).call("eth_call", call, "latest")), 16)


def confirm(visitor: Visit) -> None:
    visitor.modal.part("send-confirm-button").click()
    visitor.wallet.approve(SEND)


def test_a_token_is_sent_and_the_trial_run_says_so_before(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "1")
    fund_usdc(stack, visitor.account.address, 25_000_000)
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    receiver = new_account().address
    enter(visitor.modal, "USDC", "12.5", receiver)
    review(visitor.modal)
    expect(visitor.modal.part("send-leaves")).to_have_text("12.5 USDC")
    expect(visitor.modal.part("send-arrives")).to_have_text("12.5 USDC")
    confirm(visitor)
    expect_final(visitor.modal)
    assert usdc_of(stack, receiver) == 12_500_000


def test_max_empties_the_account_but_for_the_fee(sender: Visit, stack: Stack) -> None:
    receiver = new_account().address
    enter(sender.modal, "ETH", "max", receiver)
    review(sender.modal)
    confirm(sender)
    expect_final(sender.modal)
    left = stack.chain(1).balance(sender.account.address)
    assert (left < WEI // 1000, stack.chain(1).balance(receiver) > 2 * WEI - WEI // 100) == (True, True)


def test_a_rejection_leads_back_to_the_preview_with_everything_in_it(sender: Visit) -> None:
    receiver = new_account().address
    enter(sender.modal, "ETH", "0.5", receiver)
    review(sender.modal)
    sender.modal.part("send-confirm-button").click()
    expect(sender.modal.part("send-waiting")).to_be_visible()
    sender.wallet.reject(SEND)
    expect(sender.modal.part("send-error")).to_contain_text("declined")
    expect(sender.modal.toast).to_have_count(0)
    expect(sender.modal.part("send-preview-address")).to_have_text(receiver)
    sender.modal.part("header-back").click()
    expect(sender.modal.part("send-amount-input")).to_have_value("0.5")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"to": "0x000000000000000000000000000000000000bEEF"}, "Receiver"),
        ({"value": hex(WEI)}, "Amount"),
        ({"data": "0xdeadbeef", "gas": hex(60_000)}, "Contract call"),
    ],
)
def test_a_wallet_that_sends_something_else_is_caught(sender: Visit, fields: dict[str, Any], told: str) -> None:
    enter(sender.modal, "ETH", "0.5", new_account().address)
    review(sender.modal)
    sender.wallet.misbehave(SEND, "alter", fields)
    confirm(sender)
    expect(sender.modal.part("send-result-altered")).to_contain_text(told)


def test_a_tokens_contract_is_warned_of_also_where_it_refuses(sender: Visit) -> None:
    enter(sender.modal, "ETH", "0.1", USDC)
    sender.modal.part("send-preview-button").click()
    expect(sender.modal.part("send-warning-contract")).to_be_visible()
    expect(sender.modal.part("send-simulation-failure")).to_be_visible()
    expect(sender.modal.part("send-confirm-button")).to_have_count(0)


def test_a_burn_address_must_be_accepted(sender: Visit, stack: Stack) -> None:
    dead = "0x000000000000000000000000000000000000dEaD"
    enter(sender.modal, "ETH", "0.1", dead)
    sender.modal.part("send-preview-button").click()
    expect(sender.modal.part("send-warning-burn")).to_be_visible()
    expect(sender.modal.part("send-confirm-button")).to_be_disabled()
    sender.modal.part("send-warning-accept").click()
    confirm(sender)
    expect_final(sender.modal)


def test_what_was_entered_survives_the_frames_reload(sender: Visit) -> None:
    receiver = new_account().address
    enter(sender.modal, "ETH", "0.5", receiver)
    expect(sender.modal.part("send-preview-button")).to_be_enabled()
    sender.page.evaluate("document.querySelector('iframe').src = document.querySelector('iframe').src")
    expect(sender.modal.part("send-amount-input")).to_have_value("0.5")
    expect(sender.modal.part("send-preview-button")).to_be_enabled()
