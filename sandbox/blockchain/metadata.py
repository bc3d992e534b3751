"""Metadata of NFTs that lies at a URL: got from this sandbox only. A contract of a stranger must not send the sandbox anywhere."""

from typing import Final

import httpx

from sandbox.blockchain.history.nfts import MAX_URI, Fetch

SECONDS: Final = 2.0


def own_metadata(sandbox_url: str) -> Fetch:
    """Gets bodies from below the sandbox's own URL, and None from everywhere else.

    Args:
        sandbox_url: without a slash at the end.
    """
    client = httpx.AsyncClient(timeout=SECONDS, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0))

    async def fetch(url: str) -> bytes | None:
        if not url.startswith(f"{sandbox_url}/") or "/../" in url:
            return None
        try:
            async with client.stream("GET", url) as answer:
                body = bytearray()
                async for chunk in answer.aiter_bytes():
                    body += chunk
                    if len(body) > MAX_URI:
                        return None
                return bytes(body) if answer.status_code == 200 else None
        except (httpx.HTTPError, httpx.InvalidURL):
            return None

    return fetch
