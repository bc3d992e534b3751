"""Both caches, by the same tests; Redis is a real one."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from tests.services_fixtures import RedisServer, free_port
from walletmodal.core.clock import MovableClock
from walletmodal.services.cache import REDIS_PREFIX, Cache, MemoryCache, RedisCache, open_cache

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


async def test_nothing_is_there_at_first(cache: Cache) -> None:
    assert await cache.get("a") is None


async def test_a_text_comes_back(cache: Cache) -> None:
    await cache.set("a", "ü ☃ \n", 30)
    assert await cache.get("a") == "ü ☃ \n"


async def test_the_last_text_wins(cache: Cache) -> None:
    await cache.set("a", "1", 30)
    await cache.set("a", "2", 30)
    assert await cache.get("a") == "2"


async def test_a_text_is_kept_until_its_time_is_over(cache: Cache, advance: Advance) -> None:
    await cache.set("a", "1", 30)
    await advance(25)
    assert await cache.get("a") == "1"


async def test_a_text_is_gone_after_its_time(cache: Cache, advance: Advance) -> None:
    await cache.set("a", "1", 30)
    await advance(30)
    assert await cache.get("a") is None


async def test_a_deleted_text_is_gone(cache: Cache) -> None:
    await cache.set("a", "1", 30)
    await cache.delete("a")
    await cache.delete("a")
    assert await cache.get("a") is None


async def test_memory_drops_the_least_recently_used() -> None:
    cache = MemoryCache(MovableClock(), max_entries=2)
    await cache.set("a", "1", 30)
    await cache.set("b", "2", 30)
    await cache.get("a")
    await cache.set("c", "3", 30)
    assert [await cache.get(key) for key in "abc"] == ["1", None, "3"]


async def test_redis_keys_carry_our_prefix(redis_url: str) -> None:
    cache = open_cache(redis_url)
    await cache.set("a", "1", 30)
    async with Redis.from_url(redis_url) as client:
        assert await client.keys() == [f"{REDIS_PREFIX}a".encode()]
    await cache.close()


async def test_two_caches_on_one_redis_share(redis_url: str) -> None:
    first, second = open_cache(redis_url), open_cache(redis_url)
    await first.set("a", "1", 30)
    assert await second.get("a") == "1"
    await first.close()
    await second.close()


async def test_without_redis_nothing_fails_and_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    cache = open_cache(f"redis://127.0.0.1:{free_port()}/0")
    assert isinstance(cache, RedisCache)
    with caplog.at_level(logging.WARNING):
        await cache.set("a", "1", 30)
        assert await cache.get("a") is None
        await cache.delete("a")
    assert (cache.failures, len(caplog.records)) == (3, 3)
    await cache.close()


def test_without_a_url_the_cache_is_memory() -> None:
    assert isinstance(open_cache(None), MemoryCache)
