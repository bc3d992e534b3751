"""Signed references to pictures: a browser asks for what a service named, and can make none up."""

import base64
import binascii
import hmac
import re
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from walletmodal.core.parsing.urls import is_web_url
from walletmodal.services.images.errors import ImageError

_LABEL: Final = b"walletmodal image reference 1\0"
_SIGNATURE_BYTES: Final = 16
_FORM: Final = re.compile(r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{1,2800}")


def reference_key(secret: str | None = None) -> bytes:
    """The key of references.

    Args:
        secret: of the deployment, at least 24 characters, the same in each worker; None makes a key that only this process knows.
    """
    return secrets.token_bytes(32) if secret is None else hmac.digest(secret.encode(), _LABEL, sha256)


class ImageReferences:
    """Signs and reads references.

    Args:
        key: see `reference_key`.
        of: what is referred to; what was signed as the one is not accepted as the other.
        accepts: which texts can be signed; by default http and https URLs.
    """

    def __init__(self, key: bytes, *, of: str = "", accepts: Callable[[str], bool] = is_web_url) -> None:
        self._key, self._label, self._accepts = key, _LABEL + of.encode() + (b"\0" if of else b""), accepts

    def sign(self, text: str) -> str:
        """The reference to a picture's URL or to what it is of; "" for what cannot be signed."""
        if not self._accepts(text):
            return ""
        return self._written(text.encode())

    def read(self, reference: str) -> str:
        """The text that was signed.

        Raises:
            ImageError: the reference is not one of ours.
        """
        if not _FORM.fullmatch(reference):
            raise ImageError("reference")
        try:
            url = _bytes(reference.partition(".")[2])
        except (binascii.Error, ValueError) as error:
            raise ImageError("reference") from error
        # The texts are compared: in base64url the same bytes can be written in several ways.
        if not hmac.compare_digest(reference, self._written(url)):
            raise ImageError("reference")
        return url.decode()

    def _written(self, content: bytes) -> str:
        return f"{_text(self._signature(content))}.{_text(content)}"

    def _signature(self, content: bytes) -> bytes:
        return hmac.digest(self._key, self._label + content, sha256)[:_SIGNATURE_BYTES]


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
