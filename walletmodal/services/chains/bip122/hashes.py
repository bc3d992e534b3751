"""The hashes of Bitcoin."""

from hashlib import sha256

from Crypto.Hash import RIPEMD160


def hash256(data: bytes) -> bytes:
    """SHA-256 twice."""
    return sha256(sha256(data).digest()).digest()


def hash160(data: bytes) -> bytes:
    """RIPEMD-160 of SHA-256. From a library: OpenSSL no longer offers it everywhere."""
    return RIPEMD160.new(sha256(data).digest()).digest()


def tagged_hash(tag: str, data: bytes) -> bytes:
    """SHA-256 that is of use for one purpose only (BIP-340)."""
    prefix = sha256(tag.encode("ascii")).digest()
    return sha256(prefix + prefix + data).digest()


def compact_size(number: int) -> bytes:
    """Serializes a count of bytes or items that follow."""
    if number < 0xFD:
        return bytes([number])
    if number <= 0xFFFF:
        return b"\xfd" + number.to_bytes(2, "little")
    return b"\xfe" + number.to_bytes(4, "little")
