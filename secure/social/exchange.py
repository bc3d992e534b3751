"""What happens between this server and a provider once a visitor is back: the code becomes an identity."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx
import jwt

from walletmodal.core.clock import Clock
from walletmodal.secure.social.http import ask
from walletmodal.secure.social.id_tokens import IdTokens
from walletmodal.secure.social.identity import Identity, ProviderError, of_claims, of_discord, of_github, of_x
from walletmodal.secure.social.providers import Client, Provider

APPLE_SECRET_SECONDS: Final = 300
MAX_ACCESS_TOKEN: Final = 4096


@dataclass(frozen=True, slots=True)
class Return:
    """A visitor who is back.

    Attributes:
        code: of the provider.
        verifier: of PKCE, that the challenge was made of.
        nonce: that an ID token must have.
        name: what the provider's form said, or "".
        redirect_uri: where they came back to.
    """

    code: str
    verifier: str
    nonce: str
    redirect_uri: str
    name: str = ""


class Exchange:
    """Asks the providers.

    Args:
        http: see `provider_http`.
        clock: the time.
    """

    def __init__(self, http: httpx.AsyncClient, clock: Clock) -> None:
        self._http, self._clock = http, clock
        self._id_tokens = IdTokens(http, clock)

    async def identity(self, provider: Provider, client: Client, back: Return) -> Identity:
        """Who it was.

        Raises:
            ProviderError: the provider does not say, or not so that it can be believed.
        """
        tokens = await self._tokens(provider, client, back)
        if provider.keys:
            claims = await self._id_tokens.claims(provider, client, tokens.get("id_token"), back.nonce)
            return of_claims(provider.id, provider.issuer, claims, back.name)
        access = tokens.get("access_token")
        if not isinstance(access, str) or not 0 < len(access) <= MAX_ACCESS_TOKEN or not access.isascii():
            raise ProviderError("no access token")
        match provider.id:
            case "github":
                user = await self._about(provider, "/user", access)
                return of_github(provider.issuer, user, await self._about(provider, "/user/emails", access))
            case "x":
                path = "/2/users/me?user.fields=confirmed_email"
                return of_x(provider.issuer, await self._about(provider, path, access))
            case _:
                return of_discord(provider.issuer, await self._about(provider, "/users/@me", access))

    async def _tokens(self, provider: Provider, client: Client, back: Return) -> Mapping[str, Any]:
        form = {"grant_type": "authorization_code", "code": back.code, "redirect_uri": back.redirect_uri}
        if provider.pkce:
            form["code_verifier"] = back.verifier
        arguments: dict[str, Any] = {}
        if provider.shows == "basic":
            arguments["auth"] = httpx.BasicAuth(client.id, client.secret)
        else:
            signed = provider.shows == "signed"
            secret = self._signed_secret(provider, client) if signed else client.secret
            form |= {"client_id": client.id, "client_secret": secret}
        status, said = await ask(self._http, "POST", provider.code_url, data=form, **arguments)
        # GitHub says what is wrong with status 200.
        if status != 200 or not isinstance(said, dict) or "error" in said:
            raise ProviderError(f"a code that was refused with {status}")
        return said

    async def _about(self, provider: Provider, path: str, access: str) -> Any:
        headers = {"Authorization": f"Bearer {access}"}
        status, said = await ask(self._http, "GET", provider.api + path, headers=headers)
        if status != 200:
            raise ProviderError(f"{path.partition('?')[0]} was refused with {status}")
        return said

    def _signed_secret(self, provider: Provider, client: Client) -> str:
        now = int(self._clock.now().timestamp())
        claims = {
            "iss": client.team,
            "sub": client.id,
            "aud": provider.issuer,
            "iat": now,
            "exp": now + APPLE_SECRET_SECONDS,
        }
        return jwt.encode(claims, client.secret, "ES256", {"kid": client.key_id})
