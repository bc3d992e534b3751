"""Claims of a sign-in token: the one description for who signs it and for hosts that verify it."""

from datetime import timedelta
from typing import Final, TypedDict

TOKEN_ALGORITHM: Final = "ES256"  # noqa: S105 - a name, no secret
"""ECDSA on P-256: the asymmetric algorithm of JWTs that every library of hosts has."""
TOKEN_TYPE: Final = "walletmodal+jwt"  # noqa: S105 - a name, no secret
"""The header's `typ` (RFC 8725 §3.11): no other JWT of the same keys can pass for a sign-in."""
TOKEN_LIFETIME: Final = timedelta(minutes=5)
"""So long a host believes a token without asking; what is revoked ends for it after that at the latest."""
MAX_TOKEN: Final = 4096
"""Characters."""
KEYS_PATH: Final = "/.well-known/jwks.json"
"""Where the modal publishes the keys."""
MAX_KEYS: Final = 16
"""Keys of a published set that are looked at."""


class PublicKey(TypedDict):
    """A key with which tokens are verified (RFC 7517); `kid` is its thumbprint (RFC 7638)."""

    kty: str
    crv: str
    x: str
    y: str
    kid: str
    alg: str
    use: str


class KeyDocument(TypedDict):
    """What stands at `/.well-known/jwks.json`."""

    keys: list[PublicKey]


class TokenClaims(TypedDict):
    """A token's payload (RFC 7519).

    Attributes:
        iss: the modal's origin. aud: the host page's origin. sub: the account, CAIP-10.
        iat, exp: seconds since 1970. jti: of this token. sid: of the session that it tells of.
        nonce: the host's own, "" for none.
    """

    iss: str
    aud: str
    sub: str
    iat: int
    exp: int
    jti: str
    sid: str
    nonce: str
