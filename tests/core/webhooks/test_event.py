"""Which events a change of a record makes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, get_args

import pytest

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.requests.audit import AuditEntry, Outcome
from walletmodal.core.transfers.transaction_request import TransactionRequest, TransactionStatus, propose
from walletmodal.core.webhooks.event import EventType, request_decided, transaction_changed

SENDER, OTHER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
HASH, OTHER_HASH = "0x" + "ab" * 32, "0x" + "cd" * 32
PROPOSAL = propose(parse_chain_id("eip155:1"), SENDER, "eth_sendTransaction", [{"to": OTHER, "value": "0x1"}])


def entry(status: TransactionStatus, **changes: Any) -> TransactionRequest:
    made = TransactionRequest("one", "me", "https://app.example", "host", PROPOSAL, NOW, NOW, status)
    return replace(made, **changes)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (None, entry("asked"), "transaction.asked"),
        (entry("asked"), entry("asked", height=7), None),
        (entry("asked"), entry("sent", hash=HASH), "transaction.sent"),
        (entry("asked"), entry("declined", settled=True), "transaction.declined"),
        (entry("asked"), entry("unknown"), "transaction.unknown"),
        (entry("sent", hash=HASH), entry("sent", hash=HASH, missed_at=NOW), None),
        (entry("sent", hash=HASH), entry("sent", hash=OTHER_HASH), "transaction.sent"),
        (entry("sent", hash=HASH), entry("confirmed", hash=HASH), "transaction.confirmed"),
        (entry("sent", hash=HASH), entry("reverted", hash=HASH), "transaction.failed"),
        (entry("sent", hash=HASH), entry("dropped", hash=HASH), "transaction.failed"),
        (entry("sent", hash=HASH), entry("replaced", hash=HASH, mined_hash=OTHER_HASH), "transaction.replaced"),
        (entry("confirmed", hash=HASH), entry("confirmed", hash=HASH, settled=True), "transaction.final"),
        (entry("dropped", hash=HASH), entry("dropped", hash=HASH, settled=True), None),
        (entry("confirmed", hash=HASH), entry("sent", hash=HASH), "transaction.reorganised"),
        (entry("replaced", hash=HASH, mined_hash=OTHER_HASH), entry("sent", hash=HASH), "transaction.reorganised"),
        (entry("reverted", hash=HASH), entry("dropped", hash=HASH), "transaction.reorganised"),
        (entry("confirmed", hash=HASH), entry("reverted", hash=HASH), "transaction.failed"),
    ],
)
def test_what_a_change_of_a_transaction_tells(
    before: TransactionRequest | None, now: TransactionRequest, told: EventType | None
) -> None:
    event = transaction_changed(before, now)
    assert (event.type if event else None) == told


def test_a_transaction_is_told_by_its_account_its_hash_and_what_is_certain_of_it() -> None:
    event = transaction_changed(entry("sent", hash=HASH), entry("confirmed", hash=HASH, proven=True, altered=("Fee",)))
    assert event is not None
    assert event.data == {
        "account": f"eip155:1:{SENDER}",
        "origin": "https://app.example",
        "transaction": "one",
        "status": "confirmed",
        "kind": "host",
        "method": "eth_sendTransaction",
        "hash": HASH,
        "proven": True,
        "final": False,
        "altered": ["Fee"],
        "reason": "",
    }
    assert json.loads(event.payload()) == {
        "type": "transaction.confirmed",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "data": event.data,
    }


def test_every_outcome_of_a_request_is_told_to_receivers_where_somebody_has_decided_it() -> None:
    events = {
        outcome: request_decided(AuditEntry(NOW, outcome, "personal_sign"), "msg_1") for outcome in get_args(Outcome)
    }
    assert {outcome for outcome, event in events.items() if event.type != "request.rejected"} == {
        "allowed",
        "confirmed",
        "signed",
    }
    assert {outcome for outcome, event in events.items() if not event.told} == {"limited", "not_allowed", "refused"}
