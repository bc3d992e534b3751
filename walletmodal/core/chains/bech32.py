"""Segwit addresses: bech32 for version 0 (BIP-173), bech32m for the later ones (BIP-350)."""

from typing import Final

_CHARSET: Final = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR: Final = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_BECH32: Final = 1
_BECH32M: Final = 0x2BC830A3
_CHECKSUM_SIZE: Final = 6
_MAX_ADDRESS: Final = 90


def decode_segwit(address: str) -> tuple[str, int, bytes] | None:
    """The human-readable part, the version and the program of an address, or None where it is none or has a wrong checksum."""
    if len(address) > _MAX_ADDRESS or address not in (address.lower(), address.upper()):
        return None
    prefix, separator, data = address.lower().rpartition("1")
    if not separator or not prefix or len(data) <= _CHECKSUM_SIZE or any(char not in _CHARSET for char in data):
        return None
    values = [_CHARSET.index(char) for char in data]
    version, program = values[0], _bytes(values[1:-_CHECKSUM_SIZE])
    if program is None or version > 16 or not 2 <= len(program) <= 40:
        return None
    if version == 0 and len(program) not in (20, 32):
        return None
    if _polymod(_expanded(prefix) + values) != _constant(version):
        return None
    return prefix, version, program


def encode_segwit(prefix: str, version: int, program: bytes) -> str:
    """The address of a version (0 to 16) and a program of 2 to 40 bytes, in lower case."""
    bits = len(program) * 8
    padding = -bits % 5
    number = int.from_bytes(program, "big") << padding
    values = [version, *(number >> at & 31 for at in range(bits + padding - 5, -1, -5))]
    checked = _polymod(_expanded(prefix) + values + [0] * _CHECKSUM_SIZE) ^ _constant(version)
    values += [checked >> 5 * (_CHECKSUM_SIZE - 1 - at) & 31 for at in range(_CHECKSUM_SIZE)]
    return f"{prefix}1{''.join(_CHARSET[value] for value in values)}"


def _constant(version: int) -> int:
    return _BECH32M if version else _BECH32


def _expanded(prefix: str) -> list[int]:
    return [ord(char) >> 5 for char in prefix] + [0] + [ord(char) & 31 for char in prefix]


def _polymod(values: list[int]) -> int:
    checksum = 1
    for value in values:
        top = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ value
        for place, generator in enumerate(_GENERATOR):
            checksum ^= generator if top >> place & 1 else 0
    return checksum


def _bytes(values: list[int]) -> bytes | None:
    """Groups of five bits as bytes; None where more than padding is left over, or the padding is not zero."""
    bits = len(values) * 5
    number = 0
    for value in values:
        number = number << 5 | value
    padding = bits % 8
    if padding > 4 or number & ((1 << padding) - 1):
        return None
    return (number >> padding).to_bytes(bits // 8, "big")
