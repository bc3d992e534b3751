"""A blockchain service in this process that has a history to tell, for the tests of states."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from walletmodal.deployment import Deployment, service_settings
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients

NEWEST = datetime(2026, 1, 20, 12, tzinfo=UTC)


def entry(number: int, *transfers: dict[str, Any], chain: str = "eip155:1", **metadata: Any) -> dict[str, Any]:
    """A transaction as the service writes it, each one day older than the one before."""
    return {
        "id": f"t-{number}",
        "metadata": {
            "operationType": "send",
            "hash": f"0x{number:064x}",
            "minedAt": (NEWEST - timedelta(days=number)).isoformat(),
            "status": "confirmed",
            "chain": chain,
            **metadata,
        },
        "transfers": list(transfers),
    }


def nft(name: str = "Kite", *, spam: bool = False, direction: str = "in") -> dict[str, Any]:
    """An NFT that moved."""
    return {
        "nft_info": {"name": name, "flags": {"is_spam": spam}},
        "direction": direction,
        "quantity": {"numeric": "1"},
    }


@dataclass
class History:
    """The service. `entries` come `size` at a time; `answer` takes the place of its own; `asked`: the query of each question."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    size: int = 50
    answer: Callable[[], Response] | None = None
    asked: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.url.path.endswith("/supported-chains"):
            return JSONResponse({"http": ["eip155:1", "eip155:137"], "ws": []})
        if not request.url.path.endswith("/history"):
            return JSONResponse({"error": "not found"}, status_code=404)
        self.asked.append(dict(request.query_params))
        self.paths.append(request.url.path)
        if self.answer is not None:
            return self.answer()
        start = int(request.query_params.get("cursor") or 0)
        stop = start + self.size
        following = str(stop) if stop < len(self.entries) else None
        return JSONResponse({"data": self.entries[start:stop], "next": following})


@asynccontextmanager
async def history_service(deployed: Deployment) -> AsyncIterator[History]:
    """Has a deployment ask a history of the test's own making."""
    history = History()
    client = httpx.AsyncClient(transport=httpx.ASGITransport(history))
    settings = replace(service_settings(deployed.settings), blockchain_url="http://blockchain.example")
    deployed.services = ServiceClients(settings, client, MemoryCache())
    yield history
    await deployed.services.close()
    await client.aclose()
