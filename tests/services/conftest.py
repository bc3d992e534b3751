"""Fixtures of the service tests."""

from collections.abc import AsyncIterator

import httpx
import pytest_asyncio

from tests.services.node import node
from tests.services_fixtures import redis_server, redis_url
from walletmodal.services.rpc import rpc_http_client

__all__ = ["client", "node", "redis_server", "redis_url"]


@pytest_asyncio.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with rpc_http_client() as client:
        yield client
