"""Signatures of webhooks, by Standard Webhooks 1.0.0: HMAC-SHA256 over id, time and body, with each secret that counts."""

import base64
import binascii
import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

SECRET_PREFIX: Final = "whsec_"  # noqa: S105 - how a secret begins
MIN_SECRET, MAX_SECRET = 24, 64
"""Bytes of a secret."""
_VERSION: Final = "v1"


def read_secret(text: str) -> bytes:
    """Reads a secret: `whsec_` and 24 to 64 bytes in base64.

    Raises:
        ValueError: it is none.
    """
    try:
        secret = base64.b64decode(text.removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("a secret of webhooks is whsec_ and base64") from error
    if not text.startswith(SECRET_PREFIX) or not MIN_SECRET <= len(secret) <= MAX_SECRET:
        raise ValueError(f"a secret of webhooks is whsec_ and {MIN_SECRET} to {MAX_SECRET} bytes in base64")
    return secret


def sign(secrets: Iterable[bytes], message_id: str, timestamp: int, body: bytes) -> str:
    """Makes the header `webhook-signature`: a signature with each secret.

    Args:
        secrets: those that count.
        message_id: `webhook-id`.
        timestamp: `webhook-timestamp`, in seconds since 1970.
        body: as it is sent.
    """
    return " ".join(f"{_VERSION},{_signature(secret, message_id, timestamp, body)}" for secret in secrets)


def is_signed(header: str, secrets: Iterable[bytes], message_id: str, timestamp: int, body: bytes) -> bool:
    """Whether one of the header's signatures was made with one of the secrets."""
    given = [text.partition(",")[2].encode() for text in header.split(" ") if text.startswith(f"{_VERSION},")]
    wanted = [_signature(secret, message_id, timestamp, body).encode() for secret in secrets]
    return any(hmac.compare_digest(one, other) for one in given for other in wanted)


def _signature(secret: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return base64.b64encode(hmac.digest(secret, signed, sha256)).decode()
