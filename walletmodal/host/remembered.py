"""What a host's own session remembers of a sign-in, so that pages are served to somebody who sends no token with a click on a link."""

import re
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TypedDict

from walletmodal.core.errors import CaipError
from walletmodal.core.sign_in.token_claims import TOKEN_LIFETIME
from walletmodal.host.tokens import SignedIn, signed_in

SIGN_IN: Final = "walletmodal"
"""Under which name the session keeps it."""
NONCE: Final = "walletmodal_nonce"
"""Under which name the session keeps the host's own nonce."""
_NONCE_FORM: Final = re.compile(r"[A-Za-z0-9]{8,128}")
_TEXTS: Final = ("iss", "aud", "sub", "sid", "nonce")


class Remembered(TypedDict):
    """Plain values, for sessions that are JSON. The names are those of the token's claims (docs/sign-in.md)."""

    iss: str
    aud: str
    sub: str
    sid: str
    nonce: str
    iat: int
    exp: int


def remembered(visitor: SignedIn) -> Remembered:
    """What a session keeps of somebody whom a token has shown to be signed in."""
    return Remembered(
        iss=visitor.issuer,
        aud=visitor.origin,
        sub=visitor.account,
        sid=visitor.session_id,
        nonce=visitor.nonce,
        iat=int(visitor.issued_at.timestamp()),
        exp=int(visitor.expires_at.timestamp()),
    )


def read_remembered(kept: object, *, issuer: str, audience: str) -> SignedIn | None:
    """Who a session remembers, or None: nobody, somebody of another modal or page, or what an older version has kept."""
    if not isinstance(kept, Mapping) or not all(isinstance(kept.get(name), str) for name in _TEXTS):
        return None
    issued, ends = kept.get("iat"), kept.get("exp")
    if type(issued) is not int or type(ends) is not int or not 0 < ends - issued <= TOKEN_LIFETIME.total_seconds():
        return None
    if (kept["iss"], kept["aud"]) != (issuer, audience):
        return None
    try:
        return signed_in(
            kept["sub"],
            issuer=issuer,
            origin=audience,
            session_id=kept["sid"],
            nonce=kept["nonce"],
            issued_at=datetime.fromtimestamp(issued, UTC),
            expires_at=datetime.fromtimestamp(ends, UTC),
        )
    except (CaipError, ValueError, OverflowError, OSError):
        return None


def fresh_nonce() -> str:
    """A nonce for the option `siwx: {nonce}` of the page: 128 random bits in hex."""
    return secrets.token_hex(16)


def read_nonce(kept: object) -> str | None:
    """The nonce that a session keeps, or None."""
    return kept if isinstance(kept, str) and _NONCE_FORM.fullmatch(kept) else None
