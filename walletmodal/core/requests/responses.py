"""Kinds of wallet answers."""

import re
from typing import Final, Literal

ResponseKind = Literal["transaction_hash", "signed_message", "object"]
FrameResponse = Literal["RPC_RESPONSE_TRANSACTION_HASH", "RPC_RESPONSE_OBJECT"]

_TRANSACTION_HASH: Final = re.compile(r"0x[0-9a-fA-F]{64}")
_SIGNED_MESSAGE: Final = re.compile(r"0x[0-9a-fA-F]{62,}")


def response_kind(value: object) -> ResponseKind:
    """Classifies an answer: a transaction hash is `0x` and 64 hex characters, a signed message `0x` and 62 or more; anything else is an object."""
    if not isinstance(value, str):
        return "object"
    if _TRANSACTION_HASH.fullmatch(value):
        return "transaction_hash"
    return "signed_message" if _SIGNED_MESSAGE.fullmatch(value) else "object"


def frame_response(value: object) -> FrameResponse:
    """Returns the name that the embedded wallet's frame gives to an answer: it has one for hashes and signed messages together."""
    return "RPC_RESPONSE_OBJECT" if response_kind(value) == "object" else "RPC_RESPONSE_TRANSACTION_HASH"
