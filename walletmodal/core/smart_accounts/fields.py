"""Fields of JSON-RPC objects that strangers write: addresses, bytes and quantities, each in the one form that it has."""

import re
from collections.abc import Mapping
from typing import Any, Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.rules import PayloadError

WORD_BITS: Final = 256

_BYTES: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})*")
_QUANTITY: Final = re.compile(r"0x[0-9a-fA-F]{1,64}")


def unreadable(field: str, what: str = "user operation") -> PayloadError:
    """Makes the error for a field that cannot be read."""
    return PayloadError(f"The {what} cannot be read", details=field)


def read_address(value: object, field: str, what: str = "user operation") -> str:
    """Reads an address in its normal spelling.

    Raises:
        PayloadError: it is none; `field` names it.
    """
    try:
        return normal_address("eip155", value if isinstance(value, str) else "")
    except AddressError as error:
        raise unreadable(field, what) from error


def read_bytes(given: Mapping[str, Any], field: str, what: str = "user operation") -> bytes:
    """Reads bytes in hexadecimal; none where the field is missing.

    Raises:
        PayloadError: they are no whole bytes with `0x`.
    """
    value = given.get(field)
    if value is None:
        return b""
    if not isinstance(value, str) or not _BYTES.fullmatch(value):
        raise unreadable(field, what)
    return bytes.fromhex(value[2:])


def read_quantity(
    given: Mapping[str, Any], field: str, what: str = "user operation", *, bits: int = WORD_BITS
) -> int | None:
    """Reads a number; None where the field is missing.

    Raises:
        PayloadError: it is no quantity, or has more bits.
    """
    value = given.get(field)
    if value is None:
        return None
    if not isinstance(value, str) or not _QUANTITY.fullmatch(value) or int(value, 16) >> bits:
        raise unreadable(field, what)
    return int(value, 16)
