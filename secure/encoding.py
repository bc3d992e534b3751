"""base64url without padding (RFC 4648 §5): the one form of bytes in the calls of the secure site."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Annotated, Final

from pydantic import AfterValidator

_ALPHABET: Final = re.compile(r"[A-Za-z0-9_-]*")


def encode(value: bytes) -> str:
    """The text of bytes."""
    return urlsafe_b64encode(value).rstrip(b"=").decode("ascii")


def decode(text: str, length: int | None = None) -> bytes:
    """The bytes of a text in its one right spelling.

    Args:
        text: base64url without padding.
        length: how many bytes there must be; None for any number.

    Raises:
        ValueError: another alphabet, stray bits at the end, or another length.
    """
    if not _ALPHABET.fullmatch(text):
        raise ValueError("no base64url")
    value = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(value) != text or (length is not None and len(value) != length):
        raise ValueError("no base64url of that length")
    return value


def digest(secret: str) -> str:
    """What the database keeps in the place of a secret text: SHA-256 in hex."""
    return sha256(secret.encode()).hexdigest()


def _half(text: str) -> str:
    decode(text, 16)
    return text


def _point(text: str) -> str:
    decode(text, 65)
    return text


def _any(text: str) -> str:
    decode(text)
    return text


HalfText = Annotated[str, AfterValidator(_half)]
"""16 bytes."""
PointText = Annotated[str, AfterValidator(_point)]
"""An uncompressed point of P-256, 65 bytes."""
BytesText = Annotated[str, AfterValidator(_any)]
