"""What hosts write with ethers, viem and @solana/web3.js works with an account of the embedded wallet, as with any other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.browser.chain import Chain, new_account
from tests.browser.email_visitor import EmailVisitor
from tests.browser.regulars import Regular, put_away
from tests.browser.stack import SOLANA, Stack
from tests.browser.test_host_libraries import begin, lamports
from tests.browser.visits import Visiting
from tests.browser.wallet_bundle import LIBRARIES, wallet_script

VALUE = 10**17


@pytest.fixture(scope="module")
def regular_owner(shared_visit: Visiting, stack: Stack) -> Regular[EmailVisitor]:
    def arrive() -> EmailVisitor:
        visitor = EmailVisitor(shared_visit, stack, before=[wallet_script(LIBRARIES)])
        stack.chain(1).fund(visitor.log_in(), "1")
        return visitor

    return Regular(arrive, lambda visitor: put_away(visitor.visit))


@pytest.fixture
def owner(regular_owner: Regular[EmailVisitor]) -> Iterator[EmailVisitor]:
    """Who has logged in by email, on a host that has all these libraries."""
    with regular_owner.returning() as visitor:
        yield visitor


@pytest.fixture(scope="module")
def chain(stack: Stack) -> Chain:
    return stack.chain(1)


@pytest.fixture
def solana(owner: EmailVisitor, stack: Stack) -> str:
    """The account on Solana, which has coins."""
    address = str(owner.modal.api("getAccount", "solana")["address"])
    body = {"address": address, "chain": SOLANA, "amount": str(10**10)}
    stack.client.post(f"{stack.demo}/sandbox/faucet", json=body).raise_for_status()
    return address


def approved(owner: EmailVisitor, library: str, method: str, *arguments: object) -> Any:
    """What a library gives, once the visitor has approved it on the frame's card."""
    begin(owner.visit, library, method, *arguments)
    owner.approve()
    outcome = owner.modal.outcome(method)
    assert "value" in outcome, outcome
    owner.modal.expect_closed()
    return outcome["value"]


libraries = pytest.mark.parametrize("library", [pytest.param("ethers", marks=pytest.mark.slow), "viem"])


@libraries
def test_it_signs(owner: EmailVisitor, library: str) -> None:
    signature = approved(owner, library, "sign", "Grüße")
    assert Account.recover_message(encode_defunct(text="Grüße"), signature=signature) == owner.address


@libraries
def test_it_signs_typed_data(owner: EmailVisitor, library: str) -> None:
    assert approved(owner, library, "signTyped", "hello") == owner.address


@libraries
def test_it_sends_and_waits_until_that_is_mined(owner: EmailVisitor, library: str, chain: Chain) -> None:
    receiver = new_account().address
    approved(owner, library, "send", receiver, str(VALUE))
    assert chain.balance(receiver) == VALUE


def pay_two(owner: EmailVisitor, chain: Chain) -> None:
    """Make two payments at once by viem, which makes the account a smart one."""
    receivers = [new_account().address, new_account().address]
    assert approved(owner, "viem", "pay", receivers, str(VALUE)) == 1
    assert [chain.balance(receiver) for receiver in receivers] == [VALUE, VALUE]


def test_viem_makes_two_payments_at_once(owner: EmailVisitor, chain: Chain) -> None:
    pay_two(owner, chain)
    assert str(chain.call("eth_getCode", owner.address, "latest")).startswith("0xef0100")


def test_a_smart_account_ends_from_the_settings(owner: EmailVisitor, chain: Chain) -> None:
    pay_two(owner, chain)
    modal = owner.modal
    modal.open_account()
    modal.part("w3m-profile-button").click()
    modal.part("account-settings-button").click()
    modal.part("account-end-smart-account").click()
    owner.approve()
    modal.wait(lambda: chain.call("eth_getCode", owner.address, "latest") == "0x", what="an ordinary account")


def test_a_message_is_signed_on_solana(owner: EmailVisitor, solana: str) -> None:
    signature = approved(owner, "solana", "sign", "Grüße")
    assert Signature(bytes.fromhex(signature)).verify(Pubkey.from_string(solana), "Grüße".encode())


def test_a_transaction_arrives_on_solana(owner: EmailVisitor, solana: str, stack: Stack) -> None:
    receiver = str(Keypair().pubkey())
    approved(owner, "solana", "send", stack.solana_url, receiver, 10**9)
    owner.modal.wait(lambda: lamports(stack, receiver) == 10**9, what="the coins at the receiver")
