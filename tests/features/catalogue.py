"""A small directory of wallets behind the states, and a deployment that asks it: what the tests of choosing a wallet share."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field, replace
from typing import Any, Final

import httpx

from tests.driver import METAMASK
from walletmodal.deployment import Deployment, service_settings
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients

SOLANA: Final = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
PHANTOM: Final[dict[str, Any]] = {**METAMASK, "id": "phantom", "name": "Phantom", "rdns": "app.phantom"}


def wallet(number: int, **changes: Any) -> dict[str, Any]:
    """A wallet of the directory."""
    return {
        "id": f"{number:064x}",
        "name": f"Wallet {number}",
        "chains": ["eip155:1"],
        "image_id": f"picture-{number}",
        "homepage": f"https://wallet{number}.example",
        "mobile_link": f"wallet{number}://",
        "rdns": f"example.wallet{number}",
        **changes,
    }


def number(count: int) -> list[str]:
    """The ids of the first wallets."""
    return [wallet(at)["id"] for at in range(count)]


@dataclass
class Catalogue:
    """The directory: what it has, how it fails, what it was asked (`getWallets` only). It answers when `gate` is open."""

    wallets: list[dict[str, Any]] = field(default_factory=lambda: [wallet(at) for at in range(12)])
    status: int = 200
    body: bytes | None = None
    asked: list[dict[str, str]] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    async def answer(self, request: httpx.Request) -> httpx.Response:
        """As the public directory answers."""
        query = dict(request.url.params)
        self.asked.append(query)
        await self.gate.wait()
        if self.body is not None or self.status != 200:
            return _response(self.body or b"{}", self.status)
        include, exclude = query.get("include", ""), query.get("exclude", "").split(",")
        found = [w for w in self.wallets if (not include or w["id"] in include.split(",")) and w["id"] not in exclude]
        return _response(json.dumps({"count": len(found), "data": found[: int(query["entries"])]}).encode())


def _response(body: bytes, status: int = 200) -> httpx.Response:
    # As a stream: what is given as content has been read already, and the product reads it itself.
    return httpx.Response(status, stream=httpx.ByteStream(body))


async def asks(deployment: Deployment, catalogue: Catalogue) -> httpx.AsyncClient:
    """Has the deployment ask this directory; the client is the caller's to close."""
    client = httpx.AsyncClient(transport=httpx.MockTransport(catalogue.answer))
    await deployment.services.close()
    settings = replace(service_settings(deployment.settings), directory_url="http://directory.example")
    deployment.services = ServiceClients(settings, client, MemoryCache(), clock=deployment.clock)
    return client
