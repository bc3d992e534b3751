"""Payments whose node says odd things: none is taken for failed that may have been made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.core.permissions.samples import ME, SHOP, TEN_A_DAY, USDC, delegation
from walletmodal.core.permissions.delegation import encode_context
from walletmodal.core.smart_accounts.authorization import delegated_code
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.host import permissions
from walletmodal.host.nodes import Node, NodeRefusalError, NodeUnreachableError
from walletmodal.host.permissions import GrantedPermission, Payment, Spender, SpendingUnknownError

CHAIN = "eip155:1"
SPENDER = Spender("0x" + "1" * 64, {CHAIN: "http://127.0.0.1:9"})
GRANTED = GrantedPermission(CHAIN, ME, TEN_A_DAY, encode_context([delegation(delegate=SPENDER.address)]))
REFUSAL, SILENCE = NodeRefusalError("already known"), NodeUnreachableError("TimeoutError")
TOPICS = ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"]
TOPICS += ["0x" + one[2:].lower().rjust(64, "0") for one in (ME, SHOP)]
RECEIPT = {
    "status": "0x1",
    "blockNumber": "0x65",
    "logs": [{"address": USDC, "topics": TOPICS, "data": "0x" + "1".rjust(64, "0")}],
}

Answers = Callable[..., None]


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Has the node answer so; a receipt gets the hash that is asked for, and errors are raised."""
    told: dict[str, Any] = {
        "eth_getCode": "0x" + delegated_code(STATELESS_DELEGATOR).hex(),
        "eth_estimateGas": "0x5208",
        "eth_maxPriorityFeePerGas": "0x1",
        "eth_getBlockByNumber": {"baseFeePerGas": "0x1"},
        "eth_getTransactionCount": "0x0",
        "eth_sendRawTransaction": "0x",
        "eth_getTransactionReceipt": RECEIPT,
    }

    def ask(_node: Node, method: str, params: Any = ()) -> Any:
        found = told[method]
        if isinstance(found, Exception):
            raise found
        return {"transactionHash": params[0], **found} if method == "eth_getTransactionReceipt" else found

    monkeypatch.setattr(Node, "ask", ask)
    monkeypatch.setattr(permissions, "RECEIPT_SECONDS", -1.0)
    return told.update


def pay() -> Payment:
    return SPENDER.pay(GRANTED, SHOP, 1)


def test_a_payment_that_the_node_takes_is_made(node: Answers) -> None:
    assert pay().block == 101


def test_one_that_the_node_refuses_and_has_all_the_same_is_made(node: Answers) -> None:
    node(eth_sendRawTransaction=REFUSAL, eth_getTransactionByHash={})
    assert pay().block == 101


def test_one_that_the_node_refuses_and_does_not_have_is_refused(node: Answers) -> None:
    node(eth_sendRawTransaction=REFUSAL, eth_getTransactionByHash=None)
    with pytest.raises(NodeRefusalError):
        pay()


@pytest.mark.parametrize(
    "answers",
    [
        {"eth_sendRawTransaction": SILENCE},
        {"eth_sendRawTransaction": REFUSAL, "eth_getTransactionByHash": SILENCE},
        {"eth_getTransactionReceipt": SILENCE},
        {"eth_getTransactionReceipt": {**RECEIPT, "blockNumber": None}},
        {"eth_getTransactionReceipt": {**RECEIPT, "status": None}},
        {"eth_getTransactionReceipt": {**RECEIPT, "logs": None}},
        {"eth_getTransactionReceipt": {**RECEIPT, "logs": [{"address": USDC, "topics": TOPICS, "data": "0x"}]}},
        {"eth_getTransactionReceipt": {**RECEIPT, "transactionHash": "0x" + "11" * 32}},
    ],
)
def test_of_one_that_may_have_been_made_nobody_says_that_it_was_not(node: Answers, answers: dict[str, Any]) -> None:
    node(**answers)
    with pytest.raises(SpendingUnknownError):
        pay()
