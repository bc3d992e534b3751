"""ID tokens: signed by a key of the provider, for this client, for this attempt, and not over."""

import hmac
from dataclasses import dataclass
from typing import Any, Final

import httpx
import jwt

from walletmodal.core.clock import Clock
from walletmodal.secure.social.http import ask
from walletmodal.secure.social.identity import ProviderError
from walletmodal.secure.social.providers import Client, Provider

ALGORITHMS: Final = ("RS256", "ES256")
"""With keys that the provider alone has. What the token itself says of its algorithm counts for nothing more than a choice of these."""
LEEWAY_SECONDS: Final = 60
KEYS_SECONDS: Final = 3600
_RETRY_SECONDS: Final = 60
_CLAIMS: Final = ["iss", "sub", "aud", "exp", "iat", "nonce"]
MAX_TOKEN: Final = 16_384


@dataclass(frozen=True, slots=True)
class _Keys:
    found: dict[str, jwt.PyJWK]
    at: float


class IdTokens:
    """Checks them.

    Args:
        http: asks for the keys.
        clock: what they and the tokens are measured with.
    """

    def __init__(self, http: httpx.AsyncClient, clock: Clock) -> None:
        self._http, self._clock = http, clock
        self._kept: dict[str, _Keys] = {}

    async def claims(self, provider: Provider, client: Client, token: object, nonce: str) -> dict[str, Any]:
        """What a token says.

        Raises:
            ProviderError: it is not the provider's, or not for this client, attempt or moment.
        """
        if not isinstance(token, str) or len(token) > MAX_TOKEN:
            raise ProviderError("no ID token")
        try:
            key = await self._key(provider, jwt.get_unverified_header(token).get("kid"))
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                ALGORITHMS,
                audience=client.id,
                issuer=[provider.issuer, *provider.spellings],
                # Times are measured below, by the clock of the site.
                options={"require": _CLAIMS, "verify_exp": False, "verify_iat": False, "verify_nbf": False},
            )
        except jwt.PyJWTError as error:
            raise ProviderError(f"an ID token that does not count: {type(error).__name__}") from error
        self._check(claims, client, nonce)
        return claims

    def _check(self, claims: dict[str, Any], client: Client, nonce: str) -> None:
        now, begins, ends = self._clock.now().timestamp(), claims["iat"], claims["exp"]
        if not isinstance(begins, int | float) or not isinstance(ends, int | float):
            raise ProviderError("an ID token without its time")
        if not begins - LEEWAY_SECONDS <= now < ends + LEEWAY_SECONDS:
            raise ProviderError("an ID token that is over, or is not yet")
        if not isinstance(claims["nonce"], str) or not hmac.compare_digest(claims["nonce"].encode(), nonce.encode()):
            raise ProviderError("an ID token of another attempt")
        if claims["aud"] != client.id and claims.get("azp") != client.id:
            raise ProviderError("an ID token for others too")

    async def _key(self, provider: Provider, kid: object) -> jwt.PyJWK:
        now, kept = self._clock.monotonic(), self._kept.get(provider.id)
        age = KEYS_SECONDS if kept is None else now - kept.at
        # A key that nobody knows yet may be a new one; asked for no more often than each minute.
        if kept is None or age >= KEYS_SECONDS or (str(kid) not in kept.found and age >= _RETRY_SECONDS):
            kept = self._kept[provider.id] = _Keys(await self._fetch(provider), now)
        if str(kid) not in kept.found:
            raise ProviderError("an ID token of an unknown key")
        return kept.found[str(kid)]

    async def _fetch(self, provider: Provider) -> dict[str, jwt.PyJWK]:
        status, said = await ask(self._http, "GET", provider.keys)
        if status != 200 or not isinstance(said, dict):
            raise ProviderError("no keys of ID tokens")
        try:
            keys = jwt.PyJWKSet.from_dict(said).keys
        except (jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
            raise ProviderError("keys of ID tokens that cannot be read") from error
        return {str(key.key_id): key for key in keys}
