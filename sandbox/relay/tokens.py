"""The token by which a client of the relay says who it is: a JWT, signed with the ed25519 key that is the client's name."""

import base64
import binascii
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import base58
from solders.pubkey import Pubkey
from solders.signature import Signature

from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.sandbox.answers import parse_json

LEEWAY: Final = 120
"""Seconds that a client's clock may be wrong."""

NOT_YET_VALID: Final = "JWT validation error: JWT Token is not yet valid"
EXPIRED: Final = "JWT validation error: JWT Token is expired"

_MAX_TOKEN: Final = 2048
_DID: Final = "did:key:z"
_ED25519: Final = b"\xed\x01"
# Clients that were made for the public relay name it, wherever they are pointed at.
_PUBLIC: Final = frozenset({"relay.walletconnect.com", "relay.walletconnect.org"})


class TokenRefusedError(Exception):
    """The token does not show who the client is; the text is the public relay's, or like it."""


def client_of(token: str, now: float) -> str:
    """The name of the client whose token this is: its `did:key`.

    Args:
        token: what came as `auth` in the relay's URL.
        now: seconds since 1970.

    Raises:
        TokenRefusedError: it is no such token, another's, or not valid now.
    """
    if len(token) > _MAX_TOKEN or token.count(".") != 2:
        raise TokenRefusedError("JWT validation error: a token of three parts is needed")
    signed, _, signature = token.rpartition(".")
    header, claims = (_object(part) for part in signed.split("."))
    if header.get("alg") != "EdDSA":
        raise TokenRefusedError("JWT validation error: the algorithm must be EdDSA")
    issuer = claims.get("iss")
    if not isinstance(issuer, str) or not _has_signed(issuer, signed.encode(), _bytes(signature)):
        raise TokenRefusedError("JWT validation error: the signature is not the issuer's")
    _check_audience(claims.get("aud"))
    _check_time(claims, now)
    return issuer


def _has_signed(issuer: str, signed: bytes, signature: bytes) -> bool:
    try:
        key = base58.b58decode(issuer.removeprefix(_DID)) if issuer.startswith(_DID) else b""
        if not key.startswith(_ED25519):
            return False
        return Signature.from_bytes(signature).verify(Pubkey.from_bytes(key.removeprefix(_ED25519)), signed)
    except ValueError:
        return False


def _check_audience(audience: object) -> None:
    try:
        host = urlsplit(audience).hostname if isinstance(audience, str) else None
    except ValueError:
        host = None
    if host is None or not (is_loopback_host(host) or host in _PUBLIC):
        raise TokenRefusedError("JWT validation error: the token is for another relay")


def _check_time(claims: Mapping[str, object], now: float) -> None:
    if _moment(claims, "exp") < now - LEEWAY:
        raise TokenRefusedError(EXPIRED)
    if max(_moment(claims, "iat"), _moment(claims, "nbf") if "nbf" in claims else 0) > now + LEEWAY:
        raise TokenRefusedError(NOT_YET_VALID)


def _moment(claims: Mapping[str, object], name: str) -> float:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TokenRefusedError(f"JWT validation error: {name} must be a number of seconds")
    return value


def _object(part: str) -> Mapping[str, object]:
    try:
        value = parse_json(_bytes(part))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise TokenRefusedError("JWT validation error: the token must be JSON in base64url")
    return value


def _bytes(part: str) -> bytes:
    try:
        return base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise TokenRefusedError("JWT validation error: the token must be JSON in base64url") from error
