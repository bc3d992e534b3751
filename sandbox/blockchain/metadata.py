"""What the metadata of an NFT says. That which lies at a URL is got from this sandbox only: no stranger's contract sends the sandbox anywhere."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import httpx

from walletmodal.core.parsing.strict_json import read_json

SECONDS: Final = 2.0
MAX_URI: Final = 60_000
_TYPES: Final = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
}
_BAIT: Final = re.compile(r"https?://|www\.|\bclaim\b|\breward\b|\bvisit\b|\.(?:com|org|net|xyz|io)\b", re.IGNORECASE)

Fetch = Callable[[str], Awaitable[bytes | None]]


@dataclass(frozen=True, slots=True)
class NftInfo:
    """One NFT.

    Attributes:
        name: its own, or its collection's with the id.
        image: URL of its picture, https, or `data:`, or of this sandbox; None without one.
        content_type: of the picture, as far as its URL tells.
        is_spam: whether its name is an advertisement.
    """

    name: str
    image: str | None
    content_type: str | None
    is_spam: bool


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


def described(document: bytes | None, otherwise: str) -> NftInfo:
    """What the metadata of an NFT says; `otherwise` is its name where that says none."""
    metadata = _read(document)
    named = metadata.get("name")
    name = named[:120] if isinstance(named, str) and named else otherwise
    image = metadata.get("image") or metadata.get("image_url")
    shown = image if isinstance(image, str) and _is_picture(image) else None
    return NftInfo(name, shown, _content_type(shown) if shown else None, _BAIT.search(name) is not None)


def _read(document: bytes | None) -> dict[str, object]:
    try:
        parsed = read_json(document) if document else None
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _is_picture(url: str) -> bool:
    return len(url) <= MAX_URI and url.startswith(
        ("https://", "ipfs://", "data:image/", "http://localhost:", "http://127.0.0.1:")
    )


def _content_type(url: str) -> str | None:
    if url.startswith("data:"):
        return url[5:].split(",", 1)[0].split(";", 1)[0]
    return _TYPES.get(url.rsplit(".", 1)[-1].lower())
