"""Calls of the embedded wallet's owner whose network fee the deployment pays: a user operation, from the host's page to the chain."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chain import WEI, Chain, new_account
from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import SPONSORED, Stack
from tests.browser.visits import Visiting

VALUE = 10**17
CONFIRMED = 200


@pytest.fixture
def chain(stack: Stack) -> Chain:
    return stack.chain(SPONSORED)


@pytest.fixture
def owner(visit: Visiting, stack: Stack, chain: Chain) -> EmailVisitor:
    """Who has logged in by email and owns one coin of the network."""
    visitor = EmailVisitor(visit, stack, options={"defaultNetwork": chain.caip2})
    chain.fund(visitor.log_in(), "1")
    return visitor


def status(owner: EmailVisitor, bundle: str) -> dict[str, Any]:
    """What the host is told of its calls."""
    found: dict[str, Any] = owner.modal.request("wallet_getCallsStatus", [bundle])["value"]
    return found


def test_two_payments_at_once_cost_their_owner_no_fee(owner: EmailVisitor, chain: Chain) -> None:
    receivers = [new_account().address, new_account().address]
    calls = [{"to": receiver, "value": hex(VALUE)} for receiver in receivers]
    asked = {
        "version": "2.0.0",
        "chainId": hex(chain.id),
        "from": owner.address,
        "atomicRequired": True,
        "calls": calls,
    }
    told = owner.modal.request("wallet_getCapabilities", [owner.address, [hex(chain.id)]])["value"]
    assert told == {hex(chain.id): {"atomic": {"status": "ready"}, "paymasterService": {"supported": True}}}
    owner.modal.begin_request("pay", "wallet_sendCalls", [asked])
    owner.frame.get_by_text("paid by the paymaster").wait_for()
    owner.approve()
    bundle = owner.modal.outcome("pay")["value"]["id"]
    owner.modal.wait(lambda: status(owner, bundle)["status"] == CONFIRMED, what="confirmed calls")
    [receipt] = status(owner, bundle)["receipts"]
    assert receipt["status"] == "0x1"
    assert owner.modal.request("wallet_showCallsStatus", [bundle]) == {"value": None}
    expect(owner.modal.part("calls-status-label")).to_have_text("Confirmed")
    expect(owner.modal.part("calls-status-hash")).to_have_text(receipt["transactionHash"])
    owner.modal.part("calls-status-done").click()
    owner.modal.expect_closed()
    assert [chain.balance(receiver) for receiver in receivers] == [VALUE, VALUE]
    assert chain.balance(owner.address) == WEI - 2 * VALUE
