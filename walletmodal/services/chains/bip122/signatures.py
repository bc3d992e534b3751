"""Signatures of Bitcoin addresses: BIP-322 in its simple form, and those with a recoverable key that came before it."""

import base64
import binascii
from typing import Final

from walletmodal.core.bitcoin_scripts import Locked
from walletmodal.services.chains.bip122.bip322 import is_simply_signed
from walletmodal.services.chains.bip122.hashes import compact_size, hash160, hash256
from walletmodal.services.chains.secp256k1 import recover

MAX_SIGNATURE: Final = 1024
"""Characters of a signature in base64."""

_MAGIC: Final = b"\x18Bitcoin Signed Message:\n"
_FIRST_HEADER, _LAST_HEADER = 27, 42
_COMPRESSED_FROM: Final = 31


def is_signed_by(locked: Locked, message: str | bytes, signature: str) -> bool:
    """Whether an address signed a message.

    Args:
        locked: of the address.
        message: a text is UTF-8.
        signature: base64 with its padding; anything else is no signature.
    """
    if len(signature) > MAX_SIGNATURE:
        return False
    try:
        raw = base64.b64decode(signature, validate=True)
    except (ValueError, binascii.Error):
        return False
    signed = message.encode("utf-8", "surrogatepass") if isinstance(message, str) else message
    return is_recoverably_signed(locked, signed, raw) or is_simply_signed(locked, signed, raw)


def is_recoverably_signed(locked: Locked, message: bytes, signature: bytes) -> bool:
    """Whether the key of an address signed, by a signature of 65 bytes that the key is recovered from (BIP-137).

    The first byte says which key it is, and whether that is compressed; which kind of address it says is not asked, for wallets
    disagree about it, and the key must open the address in any case. Taproot addresses hide their key, so they need BIP-322.
    """
    if len(signature) != 65 or not _FIRST_HEADER <= signature[0] <= _LAST_HEADER:
        return False
    digest = hash256(_MAGIC + compact_size(len(message)) + message)
    compressed = signature[0] >= _COMPRESSED_FROM
    key = recover(digest, signature[1:], (signature[0] - _FIRST_HEADER) % 4, compressed=compressed)
    if key is None:
        return False
    key_hash = hash160(key)
    if not compressed:
        return locked.kind == "p2pkh" and key_hash == locked.program
    if locked.kind in ("p2pkh", "p2wpkh"):
        return key_hash == locked.program
    return locked.kind == "p2sh" and hash160(b"\x00\x14" + key_hash) == locked.program
