"""ed25519 signatures of Solana accounts."""

import base64
import binascii
from typing import Final

import base58
from solders.pubkey import Pubkey
from solders.signature import Signature

SIGNATURE_SIZE: Final = 64
_MAX_TEXT: Final = 90


def is_signed_by(address: str, message: str | bytes, signature: str) -> bool:
    """Whether the key of an address signed the bytes of a message.

    Signatures are checked strictly: keys of small order, for which one signature fits many messages, and numbers out of range are refused.

    Args:
        address: a checked address.
        message: a text is UTF-8.
        signature: base58, or base64 with its padding; anything else is no signature.
    """
    raw = signature_bytes(signature)
    if raw is None:
        return False
    signed = message.encode("utf-8", "surrogatepass") if isinstance(message, str) else message
    return Signature(raw).verify(Pubkey(base58.b58decode(address)), signed)


def signature_bytes(text: str) -> bytes | None:
    """The 64 bytes of a signature, or None."""
    if len(text) > _MAX_TEXT or not text.isascii():
        return None
    try:
        # No base58 text has the padding that 64 bytes have in base64.
        raw = base64.b64decode(text, validate=True) if text.endswith("=") else base58.b58decode(text)
    except (ValueError, binascii.Error):
        return None
    return raw if len(raw) == SIGNATURE_SIZE else None
