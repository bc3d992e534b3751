"""Contract calls and their answers: selectors, encoding, and decoding that survives hostile contracts."""

from typing import Any, Final

from eth_abi.abi import decode, encode
from eth_abi.exceptions import DecodingError
from eth_utils.crypto import keccak

from walletmodal.sandbox.blockchain.rpc import Ask

MAX_TEXT: Final = 64
"""Characters that are kept of a contract's name or symbol."""

MAX_ANSWER: Final = 65_536
"""Bytes of a call's answer that are looked at."""


def selector(signature: str) -> bytes:
    """The first four bytes of a function's hash, for `transfer(address,uint256)` and its like."""
    return keccak(text=signature)[:4]


def topic(signature: str) -> str:
    """The first topic of an event, hexadecimal."""
    return "0x" + keccak(text=signature).hex()


def calldata(signature: str, *arguments: object) -> str:
    """A call's data, hexadecimal. The argument types are those between the signature's brackets."""
    inside = signature[signature.index("(") + 1 : -1]
    return "0x" + (selector(signature) + encode(inside.split(",") if inside else [], arguments)).hex()


def eth_call(to: str, data: str, sender: str | None = None) -> Ask:
    """An `eth_call` on the newest block."""
    transaction = {"to": to, "data": data}
    if sender is not None:
        transaction["from"] = sender
    return Ask("eth_call", (transaction, "latest"))


def decoded(answer: object, *types: str) -> tuple[Any, ...] | None:
    """The values in a call's answer, or None where it is an error or something else than these types."""
    raw = hex_bytes(answer)
    if raw is None or len(raw) > MAX_ANSWER:
        return None
    try:
        return tuple(decode(types, raw))
    except (DecodingError, OverflowError, UnicodeDecodeError):
        return None


def decoded_number(answer: object) -> int | None:
    """The one number in a call's answer."""
    values = decoded(answer, "uint256")
    return int(values[0]) if values else None


def decoded_text(answer: object, limit: int = MAX_TEXT) -> str | None:
    """The one text in a call's answer, also in the old form of 32 bytes; cleaned of control characters."""
    values = decoded(answer, "string")
    if values is None:
        raw = hex_bytes(answer)
        if raw is None or len(raw) != 32:
            return None
        text = raw.rstrip(b"\0").decode("utf-8", "replace")
    else:
        text = values[0]
    return "".join(letter for letter in text if letter.isprintable())[:limit]


def decoded_address(answer: object) -> str | None:
    """The one address in a call's answer, lower case; None for the zero address too."""
    values = decoded(answer, "address")
    return None if values is None or int(values[0], 16) == 0 else str(values[0]).lower()


def hex_bytes(value: object) -> bytes | None:
    """The bytes of a hexadecimal text with 0x, or None."""
    if not isinstance(value, str) or not value.startswith("0x"):
        return None
    try:
        return bytes.fromhex(value[2:])
    except ValueError:
        return None


def hex_number(value: object) -> int:
    """The number of a hexadecimal quantity; 0 where it is none."""
    if not isinstance(value, str):
        return value if isinstance(value, int) and not isinstance(value, bool) else 0
    try:
        return int(value, 16)
    except ValueError:
        return 0


def topic_address(value: object) -> str:
    """The address in an indexed topic, lower case."""
    return "0x" + str(value)[-40:].lower()
