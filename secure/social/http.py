"""Questions to providers and to Farcaster's relay: with a limit of time and size, without redirects, and JSON for an answer."""

import asyncio
from typing import Any, Final

import httpx

from walletmodal.core.parsing.strict_json import read_json
from walletmodal.secure.social.identity import ProviderError
from walletmodal.services.http.authorities import usual_authorities

SECONDS: Final = 8.0
MAX_ANSWER: Final = 256 * 1024


def provider_http(transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """The client; close it at the end.

    Args:
        transport: where the providers are in this process, as tests have them.
    """
    return httpx.AsyncClient(
        headers={"Accept": "application/json", "User-Agent": "walletmodal"},
        timeout=SECONDS,
        transport=transport,
        verify=usual_authorities() if transport is None else False,
        follow_redirects=False,
        trust_env=False,
    )


async def ask(http: httpx.AsyncClient, method: str, url: str, **arguments: Any) -> tuple[int, Any]:
    """Status and JSON of an answer.

    Raises:
        ProviderError: none within 8 s, one above 256 kB, or no JSON.
    """
    try:
        async with asyncio.timeout(SECONDS), http.stream(method, url, **arguments) as response:
            body = bytearray()
            async for part in response.aiter_bytes():
                body += part
                if len(body) > MAX_ANSWER:
                    raise ProviderError("an answer that is too large")
            return response.status_code, read_json(bytes(body))
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
        raise ProviderError(f"no answer: {type(error).__name__}") from error
    except ValueError as error:
        raise ProviderError("an answer that is no JSON") from error
