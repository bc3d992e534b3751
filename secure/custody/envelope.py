"""Envelope encryption of what lies in the database: each value under a data key of its own, which the key encryption key (KEK) wraps.

`version (1) ‖ nonce (12) ‖ wrapped data key (48) ‖ nonce (12) ‖ ciphertext`, AES-256-GCM. The row that a value belongs to is authenticated
with it: it opens in no other place.
"""

import os
from collections.abc import Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES: Final = 32
_NONCE, _WRAPPED = 12, 48
_HEAD: Final = 1 + _NONCE + _WRAPPED


class EnvelopeError(Exception):
    """A value that does not open: another key, another row, or not as it was written."""


def row_id(table: str, *parts: str) -> str:
    """The name of a row, or of one value in it: `<table>/<user>/<device>`."""
    return "/".join((table, *parts))


class KeyRing:
    """The KEKs of a deployment.

    Args:
        keys: version (1 to 255) and 32 bytes of each; the last one seals, all of them open.

    Attributes:
        version: of the one that seals; versions: of all.
    """

    def __init__(self, keys: Sequence[tuple[int, bytes]]) -> None:
        self._keys = {version: AESGCM(key) for version, key in keys}
        self.version, self.versions = keys[-1][0], frozenset(self._keys)

    def seal(self, value: bytes, row: str) -> bytes:
        """Encrypts a value for a row."""
        data_key, nonce = os.urandom(KEY_BYTES), os.urandom(_NONCE)
        return self._wrap(data_key, row) + nonce + AESGCM(data_key).encrypt(nonce, value, row.encode())

    def open(self, blob: bytes, row: str) -> bytes:
        """Decrypts a value of a row.

        Raises:
            EnvelopeError: it does not open.
        """
        nonce, ciphertext = blob[_HEAD : _HEAD + _NONCE], blob[_HEAD + _NONCE :]
        try:
            return AESGCM(self._unwrap(blob, row)).decrypt(nonce, ciphertext, row.encode())
        except (InvalidTag, ValueError) as error:
            raise EnvelopeError(f"{row.partition('/')[0]}: a value does not open") from error

    def rewrap(self, blob: bytes, row: str) -> bytes | None:
        """The same value under the newest KEK; None where it is already. The value itself stays encrypted.

        Raises:
            EnvelopeError: its data key does not open.
        """
        if blob[:1] == bytes([self.version]):
            return None
        return self._wrap(self._unwrap(blob, row), row) + blob[_HEAD:]

    def _wrap(self, data_key: bytes, row: str) -> bytes:
        nonce = os.urandom(_NONCE)
        return bytes([self.version]) + nonce + self._keys[self.version].encrypt(nonce, data_key, _label(row))

    def _unwrap(self, blob: bytes, row: str) -> bytes:
        kek = self._keys.get(blob[0]) if blob else None
        if kek is None:
            raise EnvelopeError(f"{row.partition('/')[0]}: sealed by a key that is not in EMBEDDED_KEK")
        try:
            return kek.decrypt(blob[1 : 1 + _NONCE], blob[1 + _NONCE : _HEAD], _label(row))
        except (InvalidTag, ValueError) as error:
            raise EnvelopeError(f"{row.partition('/')[0]}: a data key does not open") from error


def _label(row: str) -> bytes:
    return b"dek:" + row.encode()
