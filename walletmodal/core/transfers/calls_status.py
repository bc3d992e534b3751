"""Status of a batch of calls, by the wallet that has made it (EIP-5792 `wallet_getCallsStatus`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.core.requests.answers import evm_hash

_FAILED_BEFORE_CHAIN: Final = 400


@dataclass(frozen=True, slots=True)
class CallsStatus:
    """What the wallet says.

    Attributes:
        hash: of the transaction that made the calls, the last one where there were several; "" before there is one.
        failed: whether the network never gets it.
    """

    hash: str = ""
    failed: bool = False


def read_calls_status(value: object) -> CallsStatus:
    """Reads the wallet's answer, unchecked; what makes no sense says nothing."""
    if not isinstance(value, Mapping):
        return CallsStatus()
    receipts = value.get("receipts")
    last = receipts[-1] if isinstance(receipts, Sequence) and not isinstance(receipts, str) and receipts else None
    try:
        told = evm_hash(last["transactionHash"]).hash if isinstance(last, Mapping) else ""
    except (KeyError, ValueError):
        told = ""
    return CallsStatus(told, not told and value.get("status") == _FAILED_BEFORE_CHAIN)
