"""ECDSA on secp256k1, with the checks that make a signature the only one of its kind. Shared by the namespaces that sign with it."""

from typing import Final

from btclib_secp256k1 import recovery

ORDER: Final = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_HALF_ORDER: Final = ORDER // 2


def is_canonical(r: int, s: int) -> bool:
    """Whether both numbers are in range, and `s` in its lower half: the other half says the same again (EIP-2, BIP-146)."""
    return 0 < r < ORDER and 0 < s <= _HALF_ORDER


def recover(digest: bytes, rs: bytes, recovery_id: int, *, compressed: bool = True) -> bytes | None:
    """The key that made a signature, or None where no key did.

    Args:
        digest: 32 bytes that were signed.
        rs: both numbers, 32 bytes each.
        recovery_id: 0 or 1; the other two belong to no signature that occurs.
        compressed: whether the key is given in 33 bytes rather than 65.
    """
    if len(rs) != 64 or recovery_id not in (0, 1):
        return None
    if not is_canonical(int.from_bytes(rs[:32], "big"), int.from_bytes(rs[32:], "big")):
        return None
    try:
        return recovery.recover(digest, rs, recovery_id, compressed)
    except ValueError:
        return None
