"""Why a contract refused, read from the bytes that it answered with."""

from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text

MAX_REASON: Final = 200

_ERROR, _PANIC = bytes.fromhex("08c379a0"), bytes.fromhex("4e487b71")
_PANICS: Final = {
    0x01: _("an assertion failed"),
    0x11: _("an amount is out of range"),
    0x12: _("a division by zero"),
    0x32: _("an index is out of range"),
    0x41: _("too much memory"),
}
_KNOWN: Final = {
    # ERC-6093
    "e450d38c": _("the account has too few tokens"),
    "96c6fd1e": _("the token does not accept the sender"),
    "ec442f05": _("the token does not accept the receiver"),
    "fb8f41b2": _("the allowance is too small"),
    # Those of the contracts that most tokens are made from.
    "d93c0665": _("the token is paused"),
    "118cdaa7": _("the account may not do this"),
    "5274afe7": _("the token did not move"),
    "cd786059": _("the account has too little"),
}


def revert_reason(answer: bytes) -> str:
    """The reason in a contract's answer, cleaned; "" where it gives none that can be told."""
    selector, rest = answer[:4], answer[4:]
    if selector == _ERROR:
        try:
            (text,) = decode(["string"], rest)
        except (DecodingError, OverflowError, UnicodeDecodeError):
            return ""
        return clean_text(text, limit=MAX_REASON)
    if selector == _PANIC and len(rest) >= 32:
        return _PANICS.get(int.from_bytes(rest[:32], "big"), "")
    return _KNOWN.get(selector.hex(), "")
