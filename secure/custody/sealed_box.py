"""Sealing to a P-256 key (ECIES): `ephemeral point (65) ‖ nonce (12) ‖ AES-256-GCM ciphertext`, the key by HKDF-SHA256 from ECDH."""

import os
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

ESCROW: Final = b"walletmodal escrow 1"
"""The recovery half, sealed by the frame to the recovery service."""
RECOVERY: Final = b"walletmodal recovery 1"
"""The same, sealed by the recovery service to a frame's one-time key."""

POINT_BYTES: Final = 65
_NONCE: Final = 12


class SealedBoxError(Exception):
    """A box that does not open, or a key to which nothing can be sealed."""


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """The uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def seal(value: bytes, to: bytes, *, purpose: bytes, user: str) -> bytes:
    """Encrypts a value so that only the holder of a key can read it.

    Args:
        value: what is sealed.
        to: the key's uncompressed point.
        purpose: ESCROW or RECOVERY.
        user: whose it is; authenticated.

    Raises:
        SealedBoxError: `to` is no point of the curve.
    """
    try:
        other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), to)
    except ValueError as error:
        raise SealedBoxError("no point of P-256") from error
    own = ec.generate_private_key(ec.SECP256R1())
    point, nonce = point_of(own.public_key()), os.urandom(_NONCE)
    key = _key(own.exchange(ec.ECDH(), other), point, purpose)
    return point + nonce + AESGCM(key).encrypt(nonce, value, user.encode())


def open_box(box: bytes, key: ec.EllipticCurvePrivateKey, *, purpose: bytes, user: str) -> bytes:
    """Decrypts what was sealed to a key.

    Raises:
        SealedBoxError: it does not open.
    """
    point, nonce, ciphertext = box[:POINT_BYTES], box[POINT_BYTES : POINT_BYTES + _NONCE], box[POINT_BYTES + _NONCE :]
    try:
        other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        return AESGCM(_key(key.exchange(ec.ECDH(), other), point, purpose)).decrypt(nonce, ciphertext, user.encode())
    except (InvalidTag, ValueError) as error:
        raise SealedBoxError("the box does not open") from error


def _key(shared: bytes, point: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), 32, point, purpose).derive(shared)
