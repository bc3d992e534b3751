"""Arguments of contracts, read only where they are encoded in the one way that every contract reads alike."""

from typing import Any, Final

from eth_abi.abi import encode
from eth_abi.codec import ABIDecoder
from eth_abi.decoding import ContextFramesBytesIO
from eth_abi.exceptions import DecodingError, EncodingError
from eth_abi.registry import registry


def argument_types(signature: str) -> list[str]:
    """The types of a function's arguments."""
    found, depth, start = list[str](), 0, signature.index("(") + 1
    for at in range(start, len(signature)):
        depth += {"(": 1, ")": -1}.get(signature[at], 0)
        if (signature[at] == "," and depth == 0) or depth < 0:
            found.append(signature[start:at])
            start = at + 1
    return found


class _Once(ContextFramesBytesIO):
    """Bytes that are read about once. A list whose entries all point to the same long bytes would be read for a third of a second."""

    _taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(size)
        self._taken += len(found)
        if self._taken > 4 * self.getbuffer().nbytes:
            raise ValueError("bytes are read again and again")
        return found


class _Decoder(ABIDecoder):
    stream_class = _Once


_DECODER: Final = _Decoder(registry)


def canonical_values(types: list[str], data: bytes) -> tuple[Any, ...] | None:
    """The values of some types; None where the bytes are none, or contracts could read them in several ways."""
    try:
        values = _DECODER.decode(types, data)
        return tuple(values) if encode(types, values) == data else None
    except (DecodingError, EncodingError, ValueError, OverflowError):
        return None
