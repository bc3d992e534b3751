"""What wallets answer when they were asked to send."""

from __future__ import annotations

from typing import Any

import pytest

from tests.solana_samples import encoded, payment
from walletmodal.core.decoding.solana_message import read_transaction
from walletmodal.core.protocol.messages import CommandError, Reply
from walletmodal.core.requests.answers import MAX_BUNDLE_ID, Answer
from walletmodal.core.transfers.wallet_response import read_answer

HASH = "0x" + "AB" * 32
SIGNED = encoded(payment(5), signed=True)
SIGNATURE = read_transaction(SIGNED).signature


def answer(method: str, value: Any) -> Answer:
    return read_answer(method, Reply(id="a", epoch="b", ok=True, value=value))


@pytest.mark.parametrize(
    ("method", "value", "expected"),
    [
        ("eth_sendTransaction", HASH, Answer("sent", hash=HASH.lower())),
        ("wallet_sendCalls", "0x01", Answer("sent", bundle="0x01")),
        ("wallet_sendCalls", {"id": "0x01"}, Answer("sent", bundle="0x01")),
        ("solana_signAndSendTransaction", {"signature": SIGNATURE}, Answer("sent", hash=SIGNATURE)),
        ("solana_signTransaction", {"transaction": SIGNED}, Answer("sent", hash=SIGNATURE, signed=SIGNED)),
    ],
)
def test_what_was_sent_is_read(method: str, value: Any, expected: Answer) -> None:
    assert answer(method, value) == expected


@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("eth_sendTransaction", HASH[:-1]),
        ("eth_sendTransaction", {"hash": HASH}),
        ("wallet_sendCalls", ""),
        ("wallet_sendCalls", "x" * (MAX_BUNDLE_ID + 1)),
        ("wallet_sendCalls", {"id": 5}),
        ("wallet_sendCalls", "a\nb"),
        ("solana_signAndSendTransaction", SIGNATURE),
        ("solana_signAndSendTransaction", {"signature": SIGNATURE[:-8]}),
        ("solana_signAndSendTransaction", {"signature": "0OIl" * 20}),
        ("solana_signAndSendTransaction", {"signature": 5}),
        ("solana_signTransaction", {"transaction": encoded(payment(5))}),
        ("solana_signTransaction", {"transaction": "AQID"}),
        ("solana_signTransaction", {}),
    ],
)
def test_nonsense_says_nothing(method: str, value: Any) -> None:
    assert answer(method, value).status == "unanswered"


@pytest.mark.parametrize(
    ("code", "message", "status"),
    [
        (4001, "no", "declined"),
        (5730, "unknown bundle", "declined"),
        (-32603, "User rejected the request", "declined"),
        (-32603, "oops", "unanswered"),
        (-32000, "nonce too low", "declined"),
        (-32000, "already known", "unanswered"),
        (-32002, "No answer in time", "unanswered"),
        (-1, "orphaned", "unanswered"),
    ],
)
def test_an_error_tells_whether_something_may_have_been_sent(code: int, message: str, status: str) -> None:
    reply = Reply(id="a", epoch="b", ok=False, error=CommandError(code=code, message=message))
    assert read_answer("eth_sendTransaction", reply).status == status
