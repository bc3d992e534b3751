"""Polkadot: addresses of SS58."""

import re
from hashlib import blake2b
from typing import Final

import base58

from walletmodal.core.namespaces.descriptor import AddressFault, NamespaceDescriptor

_BASE58: Final = re.compile(r"[1-9A-HJ-NP-Za-km-z]+")
_KEY_SIZE, _HASH_SIZE = 32, 2


def _fault(address: str) -> AddressFault | None:
    """SS58 with a 32-byte public key; the hash is checked too."""
    if not 35 <= len(address) <= 50 or not _BASE58.fullmatch(address):
        return "malformed"
    raw = base58.b58decode(address)
    prefix = 2 if raw[0] & 0x40 else 1
    if raw[0] > 127 or len(raw) != prefix + _KEY_SIZE + _HASH_SIZE:
        return "malformed"
    return None if _hash(raw[:-_HASH_SIZE])[:_HASH_SIZE] == raw[-_HASH_SIZE:] else "checksum"


def _hash(body: bytes) -> bytes:
    return blake2b(b"SS58PRE" + body, digest_size=64).digest()


def _is_burn(address: str) -> bool:
    raw = base58.b58decode(address)
    return not any(raw[-_KEY_SIZE - _HASH_SIZE : -_HASH_SIZE])


DESCRIPTOR: Final = NamespaceDescriptor(
    title="Polkadot",
    account_word="Polkadot",
    picture="/networks/polkadot-91b171bb158e2d3848fa23a9f1c25182.svg",
    address_fault=_fault,
    is_burn_address=_is_burn,
    address_checksums=frozenset({"base58"}),
    ping="system_health",
    account_page="account",
    transaction_page="extrinsic",
)
