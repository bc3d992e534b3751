"""Both caches of a deployment for one and the same test; Redis is a real one."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from tests.services_fixtures import RedisServer
from walletmodal.core.clock import MovableClock
from walletmodal.services.cache import Cache, MemoryCache, open_cache

Advance = Callable[[float], Awaitable[None]]


@pytest_asyncio.fixture(params=["memory", "redis"])
async def cache_and_advance(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Cache, Advance]]:
    if request.param == "memory":
        clock = MovableClock()

        async def move(seconds: float) -> None:
            clock.advance(seconds)

        yield MemoryCache(clock), move
        return
    server = request.getfixturevalue("redis_server")
    assert isinstance(server, RedisServer)
    cache = open_cache(server.url)
    client = Redis.from_url(server.url)
    await client.flushall()

    async def shorten(seconds: float) -> None:
        """Time of a server cannot be moved, but what is left of each entry can."""
        async for key in client.scan_iter():
            await client.pexpire(key, round(await client.pttl(key) - seconds * 1000))

    yield cache, shorten
    await cache.close()
    await client.aclose()


@pytest.fixture
def cache(cache_and_advance: tuple[Cache, Advance]) -> Cache:
    return cache_and_advance[0]


@pytest.fixture
def advance(cache_and_advance: tuple[Cache, Advance]) -> Advance:
    return cache_and_advance[1]
