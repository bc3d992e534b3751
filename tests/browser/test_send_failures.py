"""Transfers that fail after all, or not at all as the visitor has seen them: too little for the fee, a revert, another network, a hurry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from eth_account import Account
from playwright.sync_api import expect

from tests.browser.chain import WEI, Chain, new_account
from tests.browser.regulars import Regular, put_away
from tests.browser.stack import Stack
from tests.browser.test_send import SEND, confirm
from tests.browser.visits import Visit, Visiting

_REVERTS: Final = "0x60006000fd"


@pytest.fixture(scope="module")
def regular_spender(shared_visit: Visiting, stack: Stack) -> Regular[Visit]:
    def arrive() -> Visit:
        visitor = shared_visit(server=stack.account_modal)
        stack.chain(1).fund(visitor.account.address, "10")
        visitor.modal.connect(visitor.wallet)
        return visitor

    return Regular(arrive, put_away)


@pytest.fixture
def spender(regular_spender: Regular[Visit]) -> Iterator[Visit]:
    """A visitor with coins, who sends again and again."""
    with regular_spender.returning() as visitor:
        yield visitor


@pytest.fixture
def held(stack: Stack) -> Iterator[Chain]:
    """A chain that makes no blocks until it is told to."""
    chain = stack.chain(1)
    chain.call("evm_setAutomine", False)
    yield chain
    chain.call("evm_setAutomine", True)
    chain.call("evm_mine")


def at_form(visitor: Visit) -> None:
    """From wherever the last transfer has ended to the form of another."""
    modal = visitor.modal
    modal.api("open", {"view": "WalletSend"})
    expect(modal.part("send-address-input")).to_be_visible()
    if modal.part("send-amount-input").is_disabled():
        modal.part("send-select-token-button").click()
        modal.part("send-token-ETH").click()


def at_review(visitor: Visit, receiver: str, amount: str = "0.5") -> None:
    """To the preview of a transfer."""
    modal = visitor.modal
    at_form(visitor)
    modal.part("send-amount-input").fill(amount)
    modal.part("send-address-input").fill(receiver)
    modal.part("send-preview-button").click()
    expect(modal.part("send-confirm-button")).to_be_enabled()


def pay(account: Any, chain: Chain, receiver: str, wei: int, **fees: int) -> str:
    """A transfer that the owner makes past the modal; gives its hash."""
    nonce = int(str(chain.call("eth_getTransactionCount", account.address, "latest")), 16)
    made = {"to": receiver, "value": wei, "nonce": nonce, "gas": 21_000, "chainId": chain.id}
    price = {"maxFeePerGas": WEI // 10**6, "maxPriorityFeePerGas": WEI // 10**7, **fees}
    signed = Account.sign_transaction({**made, **price}, account.key)
    return str(chain.call("eth_sendRawTransaction", "0x" + bytes(signed.raw_transaction).hex()))


def test_who_cannot_pay_the_fee_is_told_so_in_the_form(spender: Visit) -> None:
    at_form(spender)
    button = spender.modal.part("send-preview-button")
    spender.modal.part("send-address-input").fill(new_account().address)
    spender.modal.part("send-amount-input").fill("10")
    expect(button).to_have_text("Insufficient Gas Funds")
    expect(button).to_be_disabled()


def test_a_transfer_that_reverts_after_a_good_trial_run_is_told_with_its_link(spender: Visit, stack: Stack) -> None:
    receiver = new_account().address
    at_review(spender, receiver)
    expect(spender.modal.part("send-leaves")).to_have_text("0.5 ETH")
    spender.modal.part("send-confirm-button").click()
    spender.wallet.await_question(SEND)
    stack.chain(1).call("anvil_setCode", receiver, _REVERTS)
    spender.wallet.approve(SEND)
    expect(spender.modal.part("send-result-status")).to_have_text("Failed on the network")
    told = spender.modal.part("send-result-hash").inner_text()
    expect(spender.modal.part("send-result-link")).to_have_attribute("href", re.compile(f"{told}$"))
    assert stack.chain(1).balance(receiver) == 0


def test_a_transfer_that_the_wallet_has_sped_up_is_followed(spender: Visit, held: Chain) -> None:
    receiver = new_account().address
    at_review(spender, receiver)
    confirm(spender)
    status, told = spender.modal.part("send-result-status"), spender.modal.part("send-result-hash")
    expect(status).to_have_text("Waiting for the network")
    again = pay(spender.account, held, receiver, WEI // 2)
    expect(told).not_to_have_text(again)
    held.call("evm_mine")
    expect(status).to_have_text("Sped up in your wallet")
    expect(told).to_have_text(again)


def test_a_wallet_that_sends_on_another_network_is_caught(spender: Visit, stack: Stack) -> None:
    receiver, elsewhere = new_account().address, stack.chain(137)
    elsewhere.fund(spender.account.address, "1")
    at_review(spender, receiver)
    spender.wallet.misbehave(SEND, "answer", pay(spender.account, elsewhere, receiver, WEI // 2))
    spender.modal.part("send-confirm-button").click()
    expect(spender.modal.part("send-result-altered")).to_contain_text("Network")
    spender.wallet.repent()
