"""Transfers on Solana, of the demo page's own wallet, and through a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from solders.keypair import Keypair

from tests.browser.chain import WEI, new_account
from tests.browser.modal import Modal
from tests.browser.stack import SOLANA, Stack
from tests.browser.visits import Visit, Visiting
from tests.browser.wallets.solana import SolanaWallet, SolanaWalletSetup

NO_EVM_WALLET = {"announce": False, "extra": {"onWindow": False}}
USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
HASH, SIGNATURE = "^0x[0-9a-f]{64}$", "^[1-9A-HJ-NP-Za-km-z]{80,90}$"
LAMPORTS = 10**9


def enter(modal: Modal, symbol: str, amount: str, receiver: str) -> None:
    """From the account to the preview."""
    modal.part("wallet-features-send-button").click()
    modal.part("send-select-token-button").click()
    modal.part(f"send-token-{symbol}").click()
    modal.part("send-amount-input").fill(amount)
    modal.part("send-address-input").fill(receiver)
    modal.part("send-preview-button").click()
    expect(modal.part("send-confirm-button")).to_be_enabled()


def ask_solana(stack: Stack, method: str, *params: object) -> Any:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
    answer = stack.client.post(stack.solana_url, json=body).raise_for_status().json()
    return answer["result"]["value"]


def expect_final(modal: Modal, form: str) -> None:
    expect(modal.part("send-result-hash")).to_have_text(re.compile(form))
    expect(modal.part("send-result-status")).to_contain_text("Confirmed")


@pytest.fixture
def holder(visit: Visiting, stack: Stack) -> tuple[Visit, SolanaWallet]:
    """A visitor with SOL and USDC on Solana, who looks at the account."""
    key = Keypair()
    for body in ({"amount": str(3 * LAMPORTS)}, {"amount": "25000000", "token": f"{SOLANA}:{USDC}"}):
        given = {"address": str(key.pubkey()), "chain": SOLANA, **body}
        stack.client.post(f"{stack.demo}/sandbox/faucet", json=given).raise_for_status()
    script = SolanaWalletSetup(stack.solana_url, (key,)).init_script()
    visitor = visit(options={"networks": ["eip155:1", SOLANA]}, before=[script], wallet=NO_EVM_WALLET)
    wallet = SolanaWallet(visitor.page)
    visitor.modal.open()
    visitor.modal.wallet_row("Burner Wallet").click()
    wallet.approve()
    visitor.modal.expect_connected()
    visitor.modal.open_account()
    return visitor, wallet


def test_sol_is_sent(holder: tuple[Visit, SolanaWallet], stack: Stack) -> None:
    visitor, wallet = holder
    receiver = str(Keypair().pubkey())
    enter(visitor.modal, "SOL", "1.25", receiver)
    visitor.modal.part("send-confirm-button").click()
    wallet.approve("signTransaction")
    expect_final(visitor.modal, SIGNATURE)
    assert ask_solana(stack, "getBalance", receiver) == LAMPORTS * 5 // 4


def test_a_token_is_sent_to_somebody_who_never_had_any(holder: tuple[Visit, SolanaWallet], stack: Stack) -> None:
    visitor, wallet = holder
    receiver = str(Keypair().pubkey())
    enter(visitor.modal, "USDC", "12.5", receiver)
    visitor.modal.part("send-confirm-button").click()
    wallet.approve("signTransaction")
    expect_final(visitor.modal, SIGNATURE)
    held = ask_solana(stack, "getTokenAccountsByOwner", receiver, {"mint": USDC}, {"encoding": "jsonParsed"})
    assert [one["account"]["data"]["parsed"]["info"]["tokenAmount"]["amount"] for one in held] == ["12500000"]


def test_the_demo_pages_own_wallet_sends(visit: Visiting, stack: Stack) -> None:
    person = visit(query={"wallet": ""}, wallet=NO_EVM_WALLET)
    receiver = new_account().address
    person.modal.open()
    person.modal.wallet_row("dev.walletmodal.sandbox").click()
    person.page.get_by_test_id("sandbox-wallet-approve").click()
    person.modal.expect_connected()
    person.modal.open_account()
    enter(person.modal, "ETH", "0.25", receiver)
    person.modal.part("send-confirm-button").click()
    person.page.get_by_test_id("sandbox-wallet-approve").click()
    expect_final(person.modal, HASH)
    assert stack.chain(1).balance(receiver) == WEI // 4


@pytest.fixture
def phone(stack: Stack, chromium: Browser) -> Iterator[Page]:
    """A phone in a browser of its own."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{stack.demo}/phone")
    yield page
    context.close()


def test_a_phone_sends(visitor: Visit, phone: Page, stack: Stack) -> None:
    modal, receiver = visitor.modal, new_account().address
    visitor.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    code = modal.part("wui-qr-code")
    expect(code).to_be_visible()
    phone.get_by_test_id("phone-uri").fill(code.get_attribute("uri") or "")
    phone.get_by_test_id("phone-pair").click()
    phone.get_by_test_id("phone-approve").click()
    modal.expect_connected()
    stack.chain(1).fund(modal.api("getAddress"), "1")
    modal.open_account()
    enter(modal, "ETH", "0.25", receiver)
    modal.part("send-confirm-button").click()
    phone.get_by_test_id("phone-approve").click()
    expect_final(modal, HASH)
    assert stack.chain(1).balance(receiver) == WEI // 4
