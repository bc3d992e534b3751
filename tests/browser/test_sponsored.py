"""What the embedded wallet's owner sends while the deployment pays the network fee: user operations, from the click to the chain."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chain import WEI, Chain, new_account
from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import SPONSORED, Stack
from tests.browser.test_send import HASH
from tests.browser.test_send import enter as enter_transfer
from tests.browser.test_swap import enter as enter_swap
from tests.browser.test_swap import expect_swapped
from tests.browser.visits import Visiting

VALUE = 10**17
USDC = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"
DOLLAR = 10**6
CONFIRMED = 200
PAID = "Paid by WalletModal sandbox"


@pytest.fixture
def chain(stack: Stack) -> Chain:
    return stack.chain(SPONSORED)


@pytest.fixture
def owner(visit: Visiting, stack: Stack, chain: Chain) -> EmailVisitor:
    """Who has logged in by email and owns one coin of the network."""
    visitor = EmailVisitor(visit, stack, options={"defaultNetwork": chain.caip2})
    chain.fund(visitor.log_in(), "1")
    return visitor


@pytest.fixture
def penniless(visit: Visiting, stack: Stack, chain: Chain) -> EmailVisitor:
    """Who has logged in by email, and looks at an account that owns dollars and not one coin."""
    visitor = EmailVisitor(visit, stack, server=stack.sponsoring_modal, options={"defaultNetwork": chain.caip2})
    token = f"{chain.caip2}:{USDC}"
    body = {"address": visitor.log_in(), "chain": chain.caip2, "token": token, "amount": str(500 * DOLLAR)}
    stack.client.post(f"{stack.demo}/sandbox/faucet", json=body).raise_for_status()
    visitor.modal.open_account()
    return visitor


def dollars(chain: Chain, address: str) -> int:
    """How many base units of the dollar an account owns."""
    call = {"to": USDC, "data": "0x70a08231" + address[2:].lower().rjust(64, "0")}
    return int(str(chain.call("eth_call", call, "latest")), 16)


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
    owner.frame.get_by_text(PAID).wait_for()
    owner.approve()
    bundle = owner.modal.outcome("pay")["value"]["id"]
    owner.modal.wait(lambda: status(owner, bundle)["status"] == CONFIRMED, what="confirmed calls")
    [receipt] = status(owner, bundle)["receipts"]
    assert (receipt["status"], receipt["logs"][-1]["topics"][1]) == ("0x1", bundle)
    assert owner.modal.request("wallet_showCallsStatus", [bundle]) == {"value": None}
    expect(owner.modal.part("calls-status-label")).to_have_text("Confirmed")
    expect(owner.modal.part("calls-status-hash")).to_have_text(receipt["transactionHash"])
    owner.modal.part("calls-status-done").click()
    owner.modal.expect_closed()
    assert [chain.balance(receiver) for receiver in receivers] == [VALUE, VALUE]
    assert chain.balance(owner.address) == WEI - 2 * VALUE


def test_the_host_gets_the_transaction_in_which_a_payment_landed(owner: EmailVisitor, chain: Chain) -> None:
    receiver = new_account().address
    transaction = {"from": owner.address, "to": receiver, "value": hex(VALUE)}
    owner.modal.begin_request("pay", "eth_sendTransaction", [transaction])
    owner.frame.get_by_text(PAID).wait_for()
    owner.approve()
    receipt = chain.call("eth_getTransactionReceipt", owner.modal.outcome("pay")["value"])
    assert isinstance(receipt, dict)
    assert (receipt["status"], receipt["from"] != owner.address.lower()) == ("0x1", True)
    assert (chain.balance(receiver), chain.balance(owner.address)) == (VALUE, WEI - VALUE)


def test_a_token_is_sent_by_who_owns_no_coin(penniless: EmailVisitor, chain: Chain) -> None:
    modal, receiver = penniless.modal, new_account().address
    enter_transfer(modal, "USDC", "12.5", receiver)
    modal.part("send-preview-button").click()
    expect(modal.part("gas-payer")).to_have_text(PAID)
    modal.part("send-confirm-button").click()
    penniless.approve()
    expect(modal.part("send-result-hash")).to_have_text(HASH)
    expect(modal.part("send-result-status")).to_have_text("Confirmed")
    assert (dollars(chain, receiver), chain.balance(penniless.address)) == (12_500_000, 0)


def test_a_token_is_swapped_by_who_owns_no_coin(penniless: EmailVisitor, chain: Chain) -> None:
    modal = penniless.modal
    enter_swap(modal, "USDC", "DAI", "200")
    expect(modal.part("gas-payer")).to_have_text(PAID)
    modal.part("swap-action-button").click()
    penniless.approve()
    expect_swapped(modal)
    assert (dollars(chain, penniless.address), chain.balance(penniless.address)) == (300 * DOLLAR, 0)


def test_an_account_without_a_coin_becomes_a_smart_account_with_its_first_permission(
    penniless: EmailVisitor, chain: Chain
) -> None:
    data = {"periodAmount": "0x1", "periodDuration": 86_400}
    permission = {"type": "native-token-periodic", "isAdjustmentAllowed": False, "data": data}
    rules = [{"type": "expiry", "data": {"timestamp": int(time.time()) + 86_400}}]
    wanted = {"chainId": hex(chain.id), "to": new_account().address, "permission": permission, "rules": rules}
    penniless.modal.begin_request("grant", "wallet_requestExecutionPermissions", [wanted])
    penniless.frame.get_by_text("paid by the paymaster").wait_for()
    penniless.approve()
    assert "value" in penniless.modal.outcome("grant")
    assert str(chain.call("eth_getCode", penniless.address, "latest")).startswith("0xef0100")
    assert chain.balance(penniless.address) == 0
