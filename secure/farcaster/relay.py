"""Farcaster's relay: carries what is to be signed to the visitor's app, and back. Nothing that it says is believed."""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import httpx

from walletmodal.secure.farcaster.message import Expected
from walletmodal.secure.social.http import ask
from walletmodal.secure.social.identity import ProviderError, name_of

MAX_MESSAGE: Final = 8192
MAX_SIGNATURE: Final = 32_770
MAX_LINK: Final = 2048


class ChannelGoneError(Exception):
    """The relay does not know the channel (any more)."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of the relay.

    Attributes:
        token: opens it.
        link: for the visitor's app.
    """

    token: str
    link: str


class Relay:
    """Asks it.

    Args:
        http: see `provider_http`.
        url: FARCASTER_RELAY_URL.
    """

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self._http, self._url = http, url.rstrip("/")

    async def open(self, expected: Expected, expires: str) -> Channel:
        """Opens a channel for a sign-in.

        Args:
            expected: what is to be signed.
            expires: when it is over, ISO 8601.

        Raises:
            ProviderError: there is none.
        """
        body = {
            "siweUri": expected.uri,
            "domain": expected.domain,
            "nonce": expected.nonce,
            "expirationTime": expires,
            "acceptAuthAddress": True,
        }
        status, said = await ask(self._http, "POST", f"{self._url}/v1/channel", json=body)
        token = _text(said, "channelToken", 512)
        link = _text(said, "url", MAX_LINK)
        # Shown as a QR code and as a link: nothing else may come by that way.
        if status != 201 or not link.startswith(("https://", "http://localhost:", "http://127.0.0.1:")):
            raise ProviderError(f"no channel, {status}")
        return Channel(token, link)

    async def answer(self, token: str) -> dict[str, str] | None:
        """What the app has signed, told once; None while it has not.

        Raises:
            ChannelGoneError: the channel is over.
            ProviderError: the relay does not say.
        """
        headers = {"Authorization": f"Bearer {quote(token, safe='')}"}
        status, said = await ask(self._http, "GET", f"{self._url}/v1/channel/status", headers=headers)
        if status in (401, 404):
            raise ChannelGoneError
        if status == 202:
            return None
        if status != 200:
            raise ProviderError(f"no status, {status}")
        return {
            "message": _text(said, "message", MAX_MESSAGE),
            "signature": _text(said, "signature", MAX_SIGNATURE),
            "name": name_of(said.get("displayName"), said.get("username")),
        }


def _text(said: Any, name: str, most: int) -> str:
    value = said.get(name) if isinstance(said, dict) else None
    if not isinstance(value, str) or not 0 < len(value) <= most:
        raise ProviderError(f"an answer without its {name}")
    return value
