"""Sign-in tokens: what a host page hands to its own server, which verifies them by itself (`walletmodal.host`)."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol, cast

import jwt

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.sign_in import TokenError
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.sign_in.token_claims import TOKEN_ALGORITHM, TOKEN_LIFETIME, TOKEN_TYPE, TokenClaims
from walletmodal.services.sign_in.keys import SigningKey

_ID_BYTES: Final = 12


class TokenKeys(Protocol):
    """Who has the keys, such as `db.signing_keys.SigningKeys`."""

    async def current(self) -> SigningKey:
        """The key that signs now.

        Raises:
            SignInUnavailableError: there is none to be had.
        """
        ...


@dataclass(frozen=True, slots=True)
class MintedToken:
    """A token, and when it ends."""

    token: str
    expires_at: datetime


class SignInTokens:
    """Signs them.

    Args:
        keys: whose keys.
        issuer: the modal's origin.
        clock: what times are told by.
    """

    def __init__(self, keys: TokenKeys, issuer: str, *, clock: Clock | None = None) -> None:
        self._keys, self._issuer, self._clock = keys, issuer, clock or SystemClock()

    async def mint(self, session: SignInSession) -> MintedToken:
        """A token of a session: for five minutes, and never beyond its end.

        Raises:
            TokenError: the session is revoked or over.
            SignInUnavailableError: there is no key.
        """
        now = self._clock.now()
        if not session.is_live(now):
            raise TokenError("revoked")
        key = await self._keys.current()
        issued, ends = int(now.timestamp()), int(min(now + TOKEN_LIFETIME, session.expires_at).timestamp())
        claims = TokenClaims(
            iss=self._issuer,
            aud=session.origin,
            sub=str(session.account),
            iat=issued,
            exp=ends,
            jti=secrets.token_urlsafe(_ID_BYTES),
            sid=session.id,
            nonce=session.request_id,
        )
        token = jwt.encode(
            dict(cast("Mapping[str, object]", claims)),
            key.private,
            TOKEN_ALGORITHM,
            {"kid": key.kid, "typ": TOKEN_TYPE},
        )
        return MintedToken(token, datetime.fromtimestamp(ends, UTC))
