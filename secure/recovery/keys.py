"""The keys of the recovery service, all of them out of RECOVERY_KEY."""

import hmac
import os
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from walletmodal.secure.custody.sealed_box import ESCROW, RECOVERY, SealedBoxError, open_box, point_of, seal
from walletmodal.secure.encoding import encode
from walletmodal.secure.recovery.settings import read_private_key

HALF_BYTES: Final = 16
_NONCE: Final = 12


class RecoveryKeys:
    """Opens boxes, and keeps addresses and codes.

    Args:
        private: RECOVERY_KEY.
    """

    def __init__(self, private: str) -> None:
        self._key = read_private_key(private)
        secret = self._key.private_numbers().private_value.to_bytes(32, "big")
        self._addresses = AESGCM(_derived(secret, b"walletmodal recovery addresses 1"))
        self._codes = _derived(secret, b"walletmodal recovery codes 1")

    @property
    def public(self) -> str:
        """RECOVERY_PUBLIC_KEY of the site."""
        return encode(point_of(self._key.public_key()))

    def half(self, box: bytes, user: str) -> bytes:
        """The recovery half in a box.

        Raises:
            SealedBoxError: it does not open, or holds something else.
        """
        half = open_box(box, self._key, purpose=ESCROW, user=user)
        if len(half) != HALF_BYTES:
            raise SealedBoxError("no half")
        return half

    def reseal(self, box: bytes, user: str, to: bytes) -> bytes:
        """The same half, sealed to a page's one-time key.

        Raises:
            SealedBoxError: the box does not open, or `to` is no key.
        """
        return seal(self.half(box, user), to, purpose=RECOVERY, user=user)

    def seal_address(self, address: str, box: str) -> bytes:
        """Encrypts the address of a box."""
        nonce = os.urandom(_NONCE)
        return nonce + self._addresses.encrypt(nonce, address.encode(), box.encode())

    def open_address(self, sealed: bytes, box: str) -> str:
        """Decrypts it.

        Raises:
            SealedBoxError: it does not open.
        """
        if not sealed:
            # A service of before sealed none of a box that had no address yet.
            return ""
        try:
            return self._addresses.decrypt(sealed[:_NONCE], sealed[_NONCE:], box.encode()).decode()
        except (InvalidTag, ValueError) as error:
            raise SealedBoxError("an address does not open: RECOVERY_KEY is not the one of this database") from error

    def code(self, box: str, device: str, code: str) -> bytes:
        """What is kept of a code."""
        return hmac.digest(self._codes, f"{box}:{device}:{code}".encode(), "sha256")


def new_private_key() -> str:
    """A fresh RECOVERY_KEY."""
    value = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode(value.to_bytes(32, "big"))


def _derived(secret: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), 32, None, purpose).derive(secret)
