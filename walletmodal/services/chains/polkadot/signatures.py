"""Signatures of Polkadot accounts: sr25519, ed25519 and ECDSA, with or without the byte that says which (MultiSignature)."""

import re
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Final

import base58
import sr25519
from solders.pubkey import Pubkey
from solders.signature import Signature

from walletmodal.services.chains.secp256k1 import recover

_HEX: Final = re.compile(r"0x(?:[0-9a-fA-F]{2}){64,66}")
_OPENED, _CLOSED = b"<Bytes>", b"</Bytes>"
_ID_SIZE: Final = 32
_CHECKSUM_SIZE: Final = 2
_NEUTRAL: Final = bytes(_ID_SIZE)
"""The group's neutral element: as a key it is nobody's, and anybody can sign anything with it."""

Verify = Callable[[bytes, bytes, bytes], bool]
"""Takes an account id, what was signed, and the signature without its first byte."""


def is_signed_by(address: str, message: str | bytes, signature: str) -> bool:
    """Whether an account signed a message, as it is or between `<Bytes>` and `</Bytes>`, as extensions do so that it cannot be a transaction.

    Args:
        address: a checked address.
        message: a text is UTF-8.
        signature: hexadecimal with 0x; anything else is no signature.
    """
    if not _HEX.fullmatch(signature):
        return False
    account = account_id(address)
    plain = message.encode("utf-8", "surrogatepass") if isinstance(message, str) else message
    wrapped = plain if plain.startswith(_OPENED) and plain.endswith(_CLOSED) else _OPENED + plain + _CLOSED
    return any(
        verify(account, signed, raw)
        for verify, raw in _readings(bytes.fromhex(signature[2:]))
        for signed in {wrapped, plain}
    )


def account_id(address: str) -> bytes:
    """The 32 bytes of an account in a checked SS58 address: its public key, or the hash of one (ECDSA)."""
    return base58.b58decode(address)[-_ID_SIZE - _CHECKSUM_SIZE : -_CHECKSUM_SIZE]


def _readings(raw: bytes) -> list[tuple[Verify, bytes]]:
    """What a signature can be, by its length and, where it has one, its first byte."""
    if len(raw) == 64:
        return [(_sr25519, raw), (_ed25519, raw)]
    named = _SCHEMES.get(raw[0])
    readings = [(verify, raw[1:]) for verify, size in [named] if len(raw) == 1 + size] if named else []
    return [*readings, (_ecdsa, raw)] if len(raw) == 65 else readings


def _sr25519(account: bytes, signed: bytes, signature: bytes) -> bool:
    if account == _NEUTRAL:
        return False
    try:
        return bool(sr25519.verify(signature, signed, account))
    except ValueError:
        return False


def _ed25519(account: bytes, signed: bytes, signature: bytes) -> bool:
    return Signature(signature).verify(Pubkey(account), signed)


def _ecdsa(account: bytes, signed: bytes, signature: bytes) -> bool:
    key = recover(blake2b(signed, digest_size=32).digest(), signature[:64], signature[64])
    return key is not None and blake2b(key, digest_size=32).digest() == account


_SCHEMES: Final[Mapping[int, tuple[Verify, int]]] = {0: (_ed25519, 64), 1: (_sr25519, 64), 2: (_ecdsa, 65)}
