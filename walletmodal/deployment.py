"""What one process of this deployment holds open: wired from the settings on first use, closed with the app."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from walletmodal.config import Settings, settings
from walletmodal.db.engine import open_engine
from walletmodal.db.resume import ResumeStore
from walletmodal.services.balances import NativeBalances
from walletmodal.services.cache import Cache, open_cache
from walletmodal.services.chains.eip155 import Eip155Adapter
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client


class Deployment:
    """Connections and caches that all visitors of a process share.

    Attributes:
        rpc: the way to each network's nodes.
        balances: native balances, cached.
        resume: what lost sessions get back.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._client: httpx.AsyncClient = rpc_http_client()
        self._cache: Cache = open_cache(settings.redis_url)
        self.rpc = RpcEndpoints(
            self._client,
            gateway=settings.service_url("RPC_URL"),
            project_id=settings.project_id,
            overrides=settings.rpc_urls,
        )
        self.balances = NativeBalances([Eip155Adapter(self.rpc.transport)], self._cache)
        self._engine = open_engine(settings.database_url)
        self.resume = ResumeStore(self._engine)

    async def close(self) -> None:
        """Writes what is unwritten and closes every connection."""
        await self.balances.close()
        await self.resume.close()
        await self._engine.dispose()
        await self._cache.close()
        await self._client.aclose()


class _Process:
    deployment: Deployment | None = None


def deployment() -> Deployment:
    """The deployment of this process. First called inside the event loop that will use it."""
    if _Process.deployment is None:
        _Process.deployment = Deployment(settings())
    return _Process.deployment


@asynccontextmanager
async def running(chosen: Deployment | None = None) -> AsyncIterator[Deployment]:
    """Holds the deployment open for the life of the app, or of a test."""
    held = _Process.deployment = chosen or Deployment(settings())
    try:
        yield held
    finally:
        _Process.deployment = None
        await held.close()


@asynccontextmanager
async def hold_deployment() -> AsyncIterator[None]:
    """A lifespan task, `app.register_lifespan_task(hold_deployment)`."""
    async with running():
        yield
