"""Status of a batch of calls, by the wallet's word (EIP-5792)."""

from __future__ import annotations

from typing import Any

import pytest

from walletmodal.core.transfers.calls_status import CallsStatus, MadeTransaction, read_calls_status, read_transactions

FIRST, LAST = "0x" + "1A" * 32, "0x" + "2b" * 32


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ({"status": 100}, CallsStatus()),
        ({"status": 200, "receipts": [{"transactionHash": FIRST}]}, CallsStatus(FIRST.lower())),
        ({"status": 200, "receipts": [{"transactionHash": FIRST}, {"transactionHash": LAST}]}, CallsStatus(LAST)),
        ({"status": 500, "receipts": [{"transactionHash": LAST}]}, CallsStatus(LAST)),
        ({"status": 600, "receipts": [{"transactionHash": LAST}]}, CallsStatus(LAST, partly=True)),
        ({"status": 600}, CallsStatus()),
        ({"status": 400}, CallsStatus(failed=True)),
        ({"status": 400, "receipts": []}, CallsStatus(failed=True)),
        ({"status": 400, "receipts": [{"transactionHash": LAST}]}, CallsStatus(LAST)),
    ],
)
def test_a_status_names_the_transaction(told: dict[str, Any], status: CallsStatus) -> None:
    assert read_calls_status(told) == status


@pytest.mark.parametrize(
    "told",
    [
        None,
        "0x",
        [],
        {"receipts": 5},
        {"receipts": "0x"},
        {"receipts": [5]},
        {"receipts": [{}]},
        {"receipts": [{"transactionHash": 5}]},
        {"receipts": [{"transactionHash": "0x12"}]},
        {"receipts": {"0": {}}},
    ],
)
def test_what_makes_no_sense_says_nothing(told: object) -> None:
    assert read_calls_status(told) == CallsStatus()


def test_the_transactions_are_told_in_their_order() -> None:
    receipts = [{"transactionHash": FIRST, "status": "0x1"}, {}, {"transactionHash": LAST, "status": "0x0"}]
    found = (MadeTransaction(FIRST.lower(), succeeded=True), MadeTransaction(LAST, succeeded=False))
    assert read_transactions({"status": 600, "receipts": receipts}) == found


@pytest.mark.parametrize("told", [None, [], {"receipts": "0x"}, {"receipts": [5]}])
def test_what_makes_no_sense_names_no_transaction(told: Any) -> None:
    assert read_transactions(told) == ()
