"""Status of a batch of calls, by the wallet that has made it (EIP-5792 `wallet_getCallsStatus`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.core.requests.answers import evm_hash

PENDING, CONFIRMED, NOT_SENT, FAILED, PARTLY_FAILED = 100, 200, 400, 500, 600
"""The codes of the standard; others of a hundred mean the like."""
_MAX_RECEIPTS: Final = 100


@dataclass(frozen=True, slots=True)
class CallsStatus:
    """What the wallet says.

    Attributes:
        hash: of the transaction that made the calls, the last one where there were several; "" before there is one.
        failed: whether the network never gets it.
        partly: whether some calls were made and others were not.
    """

    hash: str = ""
    failed: bool = False
    partly: bool = False


@dataclass(frozen=True, slots=True)
class MadeTransaction:
    """A transaction that has made calls of a batch. `succeeded`: whether the network has carried it out."""

    hash: str
    succeeded: bool


def read_calls_status(value: object) -> CallsStatus:
    """Reads the wallet's answer, unchecked; what makes no sense says nothing."""
    if not isinstance(value, Mapping):
        return CallsStatus()
    receipts = value.get("receipts")
    last = receipts[-1] if isinstance(receipts, Sequence) and not isinstance(receipts, str) and receipts else None
    told, status = _hash_of(last), value.get("status")
    return CallsStatus(told, not told and status == NOT_SENT, bool(told) and status == PARTLY_FAILED)


def read_transactions(value: object) -> tuple[MadeTransaction, ...]:
    """Reads the transactions of a wallet's answer, unchecked, in their order; those that make no sense are left out."""
    receipts = value.get("receipts") if isinstance(value, Mapping) else None
    given = receipts[:_MAX_RECEIPTS] if isinstance(receipts, list) else []
    return tuple(MadeTransaction(found, one.get("status") == "0x1") for one in given if (found := _hash_of(one)))


def _hash_of(receipt: object) -> str:
    try:
        return evm_hash(receipt["transactionHash"]).hash if isinstance(receipt, Mapping) else ""
    except (KeyError, ValueError):
        return ""
