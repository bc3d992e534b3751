"""Transactions whose way is interrupted: a killed worker, and another transaction that takes the place of the first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from eth_account import Account
from playwright.sync_api import expect

from tests.browser.chain import WEI, Chain, new_account
from tests.browser.stack import Stack
from tests.browser.test_send import HASH, SEND, confirm, enter, review
from tests.browser.visits import Visit, Visiting


@pytest.fixture
def sender(visit: Visiting, stack: Stack) -> Visit:
    """A visitor with coins, who is about to confirm a transfer."""
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "2")
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    enter(visitor.modal, "ETH", "0.5", new_account().address)
    review(visitor.modal)
    return visitor


@pytest.fixture
def held(stack: Stack) -> Iterator[Chain]:
    """A chain that makes no blocks until it is told to."""
    chain = stack.chain(1)
    chain.call("evm_setAutomine", False)
    yield chain
    chain.call("evm_setAutomine", True)
    chain.call("evm_mine")


def test_a_hash_survives_the_death_of_the_worker_that_asked(sender: Visit, stack: Stack) -> None:
    """It is sent while the worker stands still, and the worker is killed before it can hear of it."""
    sender.modal.part("send-confirm-button").click()
    sender.wallet.await_question(SEND)
    for worker in stack.account_modal.workers():
        worker.suspend()
    sender.wallet.approve(SEND)
    account, chain = sender.account.address, stack.chain(1)
    sender.modal.wait(
        lambda: chain.call("eth_getTransactionCount", account, "latest") == "0x1",
        what="the transfer on the chain",
        seconds=60,
    )
    stack.account_modal.kill_workers()
    expect(sender.modal.part("send-result-hash")).to_have_text(HASH)
    expect(sender.modal.part("send-result-status")).to_have_text("Confirmed")


def test_a_transfer_that_is_cancelled_elsewhere_is_told_as_such(sender: Visit, held: Chain) -> None:
    confirm(sender)
    status = sender.modal.part("send-result-status")
    expect(status).to_have_text("Waiting for the network")
    first = sender.modal.part("send-result-hash").inner_text()
    expect(sender.modal.part("send-result-link")).to_have_attribute("href", re.compile(f"{first}$"))
    known: Any = held.call("eth_getTransactionByHash", first)
    nothing = {
        "to": sender.account.address,
        "value": 0,
        "nonce": int(known["nonce"], 16),
        "gas": 21_000,
        "maxFeePerGas": WEI // 10**6,
        "maxPriorityFeePerGas": WEI // 10**7,
        "chainId": 1,
    }
    signed = Account.sign_transaction(nothing, sender.account.key)
    held.call("eth_sendRawTransaction", "0x" + bytes(signed.raw_transaction).hex())
    held.call("evm_mine")
    expect(status).to_have_text("Cancelled in your wallet")
    expect(sender.modal.part("send-result-hash")).not_to_have_text(first)
