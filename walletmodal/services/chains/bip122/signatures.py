"""Signatures of Bitcoin addresses: BIP-322 in its simple and full forms, and those with a recoverable key that came before it."""

import base64
import binascii
from typing import Final

from walletmodal.core.chains.bitcoin_scripts import Locked
from walletmodal.core.errors.sign_in import ProofOfFundsError
from walletmodal.services.chains.bip122.hashes import compact_size, hash160, hash256
from walletmodal.services.chains.bip122.spending import is_spent
from walletmodal.services.chains.bip122.to_sign import read_full, read_simple
from walletmodal.services.chains.secp256k1 import recover

MAX_SIGNATURE: Final = 4096
"""Characters. The longest is of 16 keys of 16, in the full form: 2,500."""

# What BIP-322 puts before the base64 since its version 1.0.0. No other signature begins like this: as base64 the letters are a first byte
# that neither a header of BIP-137 nor a number of items is.
_SIMPLE, _FULL, _PROOF_OF_FUNDS = "smp", "ful", "pof"
_PREFIX: Final = 3
_MAGIC: Final = b"\x18Bitcoin Signed Message:\n"
_FIRST_HEADER, _LAST_HEADER = 27, 42
_COMPRESSED_FROM: Final = 31


def is_signed_by(locked: Locked, message: str | bytes, signature: str) -> bool:
    """Whether an address signed a message.

    Args:
        locked: of the address.
        message: a text is UTF-8.
        signature: base64 with its padding, of BIP-322 behind its prefix, which may be missing from the simple form; anything else is
            no signature.

    Raises:
        ProofOfFundsError: it is that form of BIP-322, which tells of coins that have to be looked up.
    """
    prefix = signature[:_PREFIX]
    if prefix == _PROOF_OF_FUNDS:
        raise ProofOfFundsError
    if len(signature) > MAX_SIGNATURE:
        return False
    raw = _decoded(signature[_PREFIX:] if prefix in (_SIMPLE, _FULL) else signature)
    if raw is None:
        return False
    signed = message.encode("utf-8", "surrogatepass") if isinstance(message, str) else message
    to_sign = (read_full if prefix == _FULL else read_simple)(locked, signed, raw)
    if to_sign is not None and is_spent(locked, to_sign):
        return True
    return prefix not in (_SIMPLE, _FULL) and is_recoverably_signed(locked, signed, raw)


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


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
