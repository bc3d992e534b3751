"""Verifying a sign-in token, offline."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import jwt

from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.errors import CaipError
from walletmodal.core.errors.sign_in import TokenError
from walletmodal.core.sign_in.token_claims import MAX_TOKEN, TOKEN_ALGORITHM, TOKEN_LIFETIME, TOKEN_TYPE
from walletmodal.host.keys import PublishedKeys

if TYPE_CHECKING:
    from jwt.types import Options

LEEWAY: Final = timedelta(seconds=30)
"""By how much the host's clock may be behind the modal's at a token's end: for so much longer a revoked session counts."""
AHEAD: Final = timedelta(seconds=90)
"""By how much the modal's clock, of whichever of its servers, may be ahead of the host's."""

_HEADER: Final = {"alg": TOKEN_ALGORITHM, "typ": TOKEN_TYPE}
_TEXTS: Final = ("iss", "aud", "sub", "sid", "jti", "nonce")
_MAX_SECONDS: Final = 253_402_300_799
"""The last second of the year 9999."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who is signed in.

    Attributes:
        account: CAIP-10; address and chain_id (CAIP-2) are its parts.
        issuer: origin of the modal that says so. origin: of the page that the visitor signed in at.
        session_id: by which the host's server can ask about the session, or end it.
        nonce: the host's own, "" for none.
        issued_at, expires_at: of the token; the session lasts longer.
    """

    account: str
    address: str
    chain_id: str
    issuer: str
    origin: str
    session_id: str
    nonce: str
    issued_at: datetime
    expires_at: datetime


def read_token(
    token: object,
    *,
    keys: PublishedKeys,
    issuer: str,
    audience: str,
    nonce: str | None = None,
    now: datetime | None = None,
) -> SignedIn:
    """Who a token says is signed in. Whoever has revoked the session meanwhile is not seen: a token lasts five minutes.

    Args:
        token: as the page gave it; anything may come.
        keys: those that the modal has published.
        issuer: the modal's origin, such as `https://modal.example.com`.
        audience: the origin of the host's own page: a token for another page is none for this one.
        nonce: the host's own, where it has bound one to the sign-in.
        now: the time; default the machine's.

    Raises:
        TokenError: nobody is signed in by it; `fault` says why. With `key`, reading the published keys again may help.
    """
    if not isinstance(token, str) or len(token) > MAX_TOKEN:
        raise TokenError("form")
    if not all(map(_is_canonical, token.split("."))):
        # Else one token could be written in several ways, and whoever remembers those that are over would miss it.
        raise TokenError("form", "the encoding")
    key = _key(token, keys)
    try:
        claims = jwt.decode(token, key, algorithms=[TOKEN_ALGORITHM], options=_OPTIONS)
    except jwt.InvalidSignatureError as error:
        raise TokenError("signature") from error
    except (jwt.PyJWTError, ValueError, RecursionError) as error:
        raise TokenError("form", type(error).__name__) from error
    return _signed_in(claims, issuer, audience, nonce, now or datetime.now(UTC))


# These are checked here: the library would take a list of audiences, a fraction of a second, and no claim where none is asked for.
_OPTIONS: Final[Options] = {
    "verify_signature": True,
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    "verify_aud": False,
    "verify_iss": False,
    "verify_sub": False,
    "verify_jti": False,
}


def _is_canonical(part: str) -> bool:
    """Whether a part is base64url as RFC 7515 writes it: nothing behind it, and no bits in its last character that stand for nothing."""
    try:
        return jwt.utils.base64url_encode(jwt.utils.base64url_decode(part)).decode("ascii") == part
    except ValueError:
        return False


def _key(token: str, keys: PublishedKeys) -> jwt.PyJWK:
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, RecursionError) as error:
        raise TokenError("form", type(error).__name__) from error
    kid = header.get("kid")
    # Nothing else may stand there: `crit`, `jku`, `jwk` and their like ask a verifier to do what the sender wants.
    if not isinstance(kid, str) or header != {**_HEADER, "kid": kid}:
        raise TokenError("form", "the header")
    key = keys.get(kid)
    if key is None:
        raise TokenError("key")
    return key


def _signed_in(claims: Mapping[str, object], issuer: str, audience: str, nonce: str | None, now: datetime) -> SignedIn:
    texts = {name: claims.get(name) for name in _TEXTS}
    issued, ends = claims.get("iat"), claims.get("exp")
    if not all(isinstance(text, str) for text in texts.values()):
        raise TokenError("form", "the claims")
    if type(issued) is not int or type(ends) is not int or not 0 < issued <= ends < _MAX_SECONDS:
        raise TokenError("form", "the times")
    if texts["iss"] != issuer:
        raise TokenError("issuer", f"it is of {texts['iss']!r:.200}, and WALLETMODAL_URL is {issuer!r}")
    if texts["aud"] != audience:
        raise TokenError("audience", f"it is for {texts['aud']!r:.200}, and WALLETMODAL_AUDIENCE is {audience!r}")
    begins = claims.get("nbf", issued)
    if type(begins) is not int or not 0 < begins < _MAX_SECONDS:
        raise TokenError("form", "the times")
    issued_at, expires_at = datetime.fromtimestamp(issued, UTC), datetime.fromtimestamp(ends, UTC)
    starts_at = max(issued_at, datetime.fromtimestamp(begins, UTC))
    if not starts_at - AHEAD <= now < expires_at + LEEWAY or expires_at - issued_at > TOKEN_LIFETIME:
        raise TokenError(
            "time", f"it counts from {starts_at:%H:%M:%S} to {expires_at:%H:%M:%S} UTC, now is {now:%H:%M:%S}"
        )
    if nonce is not None and not hmac.compare_digest(str(texts["nonce"]).encode(), nonce.encode()):
        raise TokenError("nonce")
    try:
        return signed_in(
            str(texts["sub"]),
            issuer=issuer,
            origin=audience,
            session_id=str(texts["sid"]),
            nonce=str(texts["nonce"]),
            issued_at=issued_at,
            expires_at=expires_at,
        )
    except CaipError as error:
        raise TokenError("form", "the account") from error


def signed_in(
    subject: str,
    *,
    issuer: str,
    origin: str,
    session_id: str,
    nonce: str,
    issued_at: datetime,
    expires_at: datetime,
) -> SignedIn:
    """Who is signed in, from what has been verified already.

    Raises:
        CaipError: the subject is no CAIP-10 account.
    """
    account = parse_account_id(subject)
    return SignedIn(
        account=str(account),
        address=account.address,
        chain_id=str(account.chain),
        issuer=issuer,
        origin=origin,
        session_id=session_id,
        nonce=nonce,
        issued_at=issued_at,
        expires_at=expires_at,
    )
