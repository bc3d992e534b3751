"""The cursor of a page: opaque to clients, the place of the last entry that they were given."""

import base64
import binascii
import json
from typing import Final

from walletmodal.core.parsing.strict_json import read_json
from walletmodal.sandbox.blockchain.failures import RefusedError

Place = tuple[int, str, int, int]
"""Timestamp, chain, block, position: where an entry stands among those of all chains."""

MAX_CURSOR: Final = 300
_MAX_NUMBER: Final = 2**64


def to_cursor(place: Place) -> str:
    """The cursor of the entries that are older than this place."""
    return base64.urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).decode().rstrip("=")


def from_cursor(text: str) -> Place:
    """The place of a cursor.

    Raises:
        RefusedError: 400, it is none of ours.
    """
    try:
        if len(text) > MAX_CURSOR or not text.isascii():
            raise ValueError("too long")
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        parsed = read_json(raw)
        if isinstance(parsed, list):
            timestamp, chain, block, position = parsed
            numbers = (timestamp, block, position)
            if isinstance(chain, str) and all(type(one) is int and 0 <= one < _MAX_NUMBER for one in numbers):
                return (timestamp, chain, block, position)
    except (ValueError, binascii.Error) as error:
        raise RefusedError(400, "cursor", "The cursor is not one that this service gave") from error
    raise RefusedError(400, "cursor", "The cursor is not one that this service gave")
