"""ABI decoding of contract arguments, only of the one encoding that every contract reads alike."""

from functools import lru_cache
from typing import Any, Final

from eth_abi.abi import encode
from eth_abi.codec import ABIDecoder
from eth_abi.decoding import ContextFramesBytesIO
from eth_abi.exceptions import DecodingError, EncodingError
from eth_abi.registry import registry

_MAX_DEPTH: Final = 8
"""Tuples within tuples that are read; no function has as many."""


def argument_types(signature: str) -> list[str]:
    """Lists the types of a function's arguments."""
    found, depth, start = list[str](), 0, signature.index("(") + 1
    for at in range(start, len(signature)):
        depth += {"(": 1, ")": -1}.get(signature[at], 0)
        if (signature[at] == "," and depth == 0) or depth < 0:
            found.append(signature[start:at])
            start = at + 1
    return [one for one in found if one]


@lru_cache(maxsize=_MAX_DEPTH)
def _decoder(depth: int) -> ABIDecoder:
    """Makes a decoder that reads bytes about once. A list whose entries all point to the same long bytes would be read for a third of a second.

    Of tuples in tuples the library reads the inner ones again at each level, to look for pointers first.
    """

    class Once(ContextFramesBytesIO):
        _taken = 0

        def read(self, size: int | None = -1, /) -> bytes:
            found = super().read(size)
            self._taken += len(found)
            if self._taken > 2 ** (depth + 1) * self.getbuffer().nbytes:
                raise ValueError("bytes are read again and again")
            return found

    class Decoder(ABIDecoder):
        stream_class = Once

    return Decoder(registry)


def _depth(types: list[str]) -> int:
    """Counts how many tuples stand within one another."""
    deepest = depth = 0
    for letter in ",".join(types):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        deepest = max(deepest, depth)
    return max(1, deepest)


def canonical_values(types: list[str], data: bytes) -> tuple[Any, ...] | None:
    """Decodes values of some types; None where the bytes are none, or contracts could read them in several ways."""
    try:
        values = _decoder(min(_depth(types), _MAX_DEPTH)).decode(types, data)
        return tuple(values) if encode(types, values) == data else None
    except (DecodingError, EncodingError, ValueError, OverflowError):
        return None
