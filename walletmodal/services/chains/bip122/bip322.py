"""BIP-322: a message is signed by spending, in a transaction that can never be sent, an output that the message has made up."""

from hashlib import sha256
from typing import Final

from btclib_secp256k1 import dsa, ssa

from walletmodal.core.bitcoin_scripts import Locked, key_hash_script
from walletmodal.services.chains.bip122.hashes import hash160, hash256, tagged_hash

SIGHASH_DEFAULT, SIGHASH_ALL = 0x00, 0x01

_TAG: Final = "BIP0322-signed-message"
_NOTHING_SPENT: Final = bytes(32) + b"\xff\xff\xff\xff"
_ZERO_4, _ZERO_8 = bytes(4), bytes(8)
_OP_RETURN_OUTPUT: Final = _ZERO_8 + b"\x01\x6a"
_MAX_WITNESS: Final = 4
_MAX_ITEM: Final = 520


def message_hash(message: bytes) -> bytes:
    """The hash that the made-up output carries."""
    return tagged_hash(_TAG, message)


def to_spend_id(script: bytes, message: bytes) -> bytes:
    """The id of the transaction with the made-up output, in the order in which transactions carry it."""
    unlocking = b"\x00\x20" + message_hash(message)
    return hash256(
        _ZERO_4
        + b"\x01"
        + _NOTHING_SPENT
        + bytes([len(unlocking)])
        + unlocking
        + _ZERO_4
        + b"\x01"
        + _ZERO_8
        + bytes([len(script)])
        + script
        + _ZERO_4
    )


def is_simply_signed(locked: Locked, message: bytes, signature: bytes) -> bool:
    """Whether a signature in the `simple` form, which is the witness alone, spends the output.

    Args:
        locked: of the address.
        message: what was signed.
        signature: the serialized witness stack.
    """
    witness = read_witness(signature)
    if witness is None:
        return False
    outpoint = to_spend_id(locked.script, message) + _ZERO_4
    if locked.kind == "p2tr":
        return _is_taproot_spent(locked, outpoint, witness)
    if locked.kind in ("p2wpkh", "p2sh"):
        return _is_key_hash_spent(locked, outpoint, witness)
    return False


def read_witness(raw: bytes) -> list[bytes] | None:
    """The items of a witness stack, or None where the bytes are none, or more than a key needs."""
    if not raw or raw[0] > _MAX_WITNESS:
        return None
    items, at = [], 1
    for _ in range(raw[0]):
        # One byte of length is enough for anything that a key signs; all else is refused.
        size = raw[at] if at < len(raw) else _MAX_ITEM
        if size >= 0xFD or at + 1 + size > len(raw):
            return None
        items.append(raw[at + 1 : at + 1 + size])
        at += 1 + size
    return items if at == len(raw) else None


def key_hash_digest(outpoint: bytes, key_hash: bytes) -> bytes:
    """What a P2WPKH key signs (BIP-143, all inputs and outputs)."""
    script = key_hash_script(key_hash)
    return hash256(
        _ZERO_4
        + hash256(outpoint)
        + hash256(_ZERO_4)
        + outpoint
        + bytes([len(script)])
        + script
        + _ZERO_8
        + _ZERO_4
        + hash256(_OP_RETURN_OUTPUT)
        + _ZERO_4
        + SIGHASH_ALL.to_bytes(4, "little")
    )


def taproot_digest(outpoint: bytes, script: bytes, hash_type: int) -> bytes:
    """What a P2TR key signs (BIP-341, key path, all inputs and outputs)."""
    return tagged_hash(
        "TapSighash",
        b"\x00"
        + bytes([hash_type])
        + _ZERO_4
        + _ZERO_4
        + sha256(outpoint).digest()
        + sha256(_ZERO_8).digest()
        + sha256(bytes([len(script)]) + script).digest()
        + sha256(_ZERO_4).digest()
        + sha256(_OP_RETURN_OUTPUT).digest()
        + b"\x00"
        + _ZERO_4,
    )


def _is_key_hash_spent(locked: Locked, outpoint: bytes, witness: list[bytes]) -> bool:
    if len(witness) != 2:
        return False
    signature, key = witness
    if len(key) != 33 or not signature or signature[-1] != SIGHASH_ALL:
        return False
    key_hash = hash160(key)
    # Of a P2SH address the program is the hash of the P2WPKH script that it stands for.
    expected = key_hash if locked.kind == "p2wpkh" else hash160(b"\x00\x14" + key_hash)
    return expected == locked.program and _is_ecdsa_signed(key, key_hash_digest(outpoint, key_hash), signature[:-1])


def _is_taproot_spent(locked: Locked, outpoint: bytes, witness: list[bytes]) -> bool:
    """By the key alone: what a script would allow is not looked at."""
    if len(witness) != 1:
        return False
    signature, hash_type = witness[0], SIGHASH_DEFAULT
    if len(signature) == 65:
        signature, hash_type = signature[:64], signature[64]
        if hash_type != SIGHASH_ALL:
            return False
    if len(signature) != 64:
        return False
    try:
        return ssa.verify(taproot_digest(outpoint, locked.script, hash_type), locked.program, signature)
    except ValueError:
        return False


def _is_ecdsa_signed(key: bytes, digest: bytes, der: bytes) -> bool:
    """In the one DER form of the signature (BIP-66); libsecp256k1 itself refuses the upper half of `s` (BIP-146)."""
    try:
        return dsa.to_der(dsa.to_compact(der)) == der and dsa.verify(digest, key, der)
    except ValueError:
        return False
