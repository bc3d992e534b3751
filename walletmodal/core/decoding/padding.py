"""Values of a fixed length for contracts and messages."""

import re
from typing import Final, Literal

from walletmodal.core.errors.rules import PaddingError

WORD: Final = 32
_HEX: Final = re.compile(r"0x[0-9a-fA-F]*")


def pad_hex(value: str, size: int | None = WORD, *, side: Literal["left", "right"] = "left") -> str:
    """Hexadecimal text with zeros up to `size` bytes.

    Args:
        value: `0x` and any number of digits.
        size: in bytes; None leaves it as it is.
        side: where the zeros go.

    Raises:
        PaddingError: `Hex size (N) exceeds padding size (M).`, or it is not hexadecimal.
    """
    if not _HEX.fullmatch(value):
        raise PaddingError("The value is not hexadecimal")
    if size is None:
        return value
    digits = value[2:]
    if len(digits) > size * 2:
        raise PaddingError(f"Hex size ({-(-len(digits) // 2)}) exceeds padding size ({size}).")
    return "0x" + (digits.rjust(size * 2, "0") if side == "left" else digits.ljust(size * 2, "0"))


def pad_bytes(value: bytes, size: int | None = WORD, *, side: Literal["left", "right"] = "left") -> bytes:
    """Bytes with zeros up to `size`.

    Raises:
        PaddingError: `Bytes size (N) exceeds padding size (M).`
    """
    if size is None:
        return value
    if len(value) > size:
        raise PaddingError(f"Bytes size ({len(value)}) exceeds padding size ({size}).")
    return value.rjust(size, b"\0") if side == "left" else value.ljust(size, b"\0")
