"""What keys sign of the transaction that signs a message: all of its inputs and outputs."""

from hashlib import sha256
from typing import Final

from walletmodal.services.chains.bip122.hashes import compact_size, hash256, tagged_hash
from walletmodal.services.chains.bip122.to_sign import OUTPUT, ZERO_4, ToSign

SIGHASH_DEFAULT: Final = 0x00
SIGHASH_ALL: Final = 0x01

_AMOUNT: Final = bytes(8)


def legacy_digest(to_sign: ToSign, script: bytes) -> bytes:
    """Digest of an input that is not segwit.

    Args:
        to_sign: the transaction.
        script: the locking script, or the one whose hash it is.
    """
    return hash256(
        to_sign.version
        + b"\x01"
        + to_sign.outpoint
        + compact_size(len(script))
        + script
        + to_sign.sequence
        + b"\x01"
        + OUTPUT
        + to_sign.lock_time
        + SIGHASH_ALL.to_bytes(4, "little")
    )


def segwit_digest(to_sign: ToSign, script: bytes) -> bytes:
    """Digest of an input of segwit version 0 (BIP-143).

    Args:
        to_sign: the transaction.
        script: the one whose hash the program is; for that of a key the P2PKH script of it.
    """
    return hash256(
        to_sign.version
        + hash256(to_sign.outpoint)
        + hash256(to_sign.sequence)
        + to_sign.outpoint
        + compact_size(len(script))
        + script
        + _AMOUNT
        + to_sign.sequence
        + hash256(OUTPUT)
        + to_sign.lock_time
        + SIGHASH_ALL.to_bytes(4, "little")
    )


def taproot_digest(to_sign: ToSign, script: bytes, hash_type: int) -> bytes:
    """Digest of a Taproot input that its key spends (BIP-341).

    Args:
        to_sign: the transaction.
        script: the locking script.
        hash_type: SIGHASH_DEFAULT or SIGHASH_ALL.
    """
    return tagged_hash(
        "TapSighash",
        b"\x00"
        + bytes([hash_type])
        + to_sign.version
        + to_sign.lock_time
        + sha256(to_sign.outpoint).digest()
        + sha256(_AMOUNT).digest()
        + sha256(compact_size(len(script)) + script).digest()
        + sha256(to_sign.sequence).digest()
        + sha256(OUTPUT).digest()
        + b"\x00"
        + ZERO_4,
    )
