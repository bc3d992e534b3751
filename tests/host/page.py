"""A visitor's browser at a host's page."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

import httpx

from tests.host.test_tokens import PAGE


class Page(Protocol):
    """A visitor's browser at the host's page: keeps cookies."""

    async def __call__(self, method: str, path: str, token: str | None = None, **headers: str) -> httpx.Response: ...


def sync_page(app: Any) -> Page:
    client = httpx.Client(transport=httpx.WSGITransport(app), base_url=PAGE)

    async def call(method: str, path: str, token: str | None = None, **headers: str) -> httpx.Response:
        # As a WSGI server does it: without an event loop around.
        return await asyncio.to_thread(client.request, method, path, headers={**bearer(token), **headers})

    return call


def async_page(app: Any) -> Page:
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=PAGE)

    async def call(method: str, path: str, token: str | None = None, **headers: str) -> httpx.Response:
        return await client.request(method, path, headers={**bearer(token), **headers})

    return call


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}
