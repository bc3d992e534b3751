"""Both caches, by the same tests; Redis is a real one."""

import logging

import pytest
from redis.asyncio import Redis

from tests.ports import free_ports
from tests.services.caches import Advance
from tests.services.caches import advance as advance
from tests.services.caches import cache as cache
from tests.services.caches import cache_and_advance as cache_and_advance
from walletmodal.core.clock import MovableClock
from walletmodal.services.cache import REDIS_PREFIX, Cache, MemoryCache, RedisCache, open_cache


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


async def test_memory_holds_so_many_characters_and_no_more() -> None:
    cache = MemoryCache(MovableClock(), max_characters=10)
    await cache.set("a", "12345", 30)
    await cache.set("b", "12345", 30)
    await cache.set("a", "123", 30)
    await cache.set("c", "1234567", 30)
    assert [await cache.get(key) for key in "abc"] == ["123", None, "1234567"]


async def test_what_is_larger_than_the_memory_is_not_kept() -> None:
    cache = MemoryCache(MovableClock(), max_characters=10)
    await cache.set("a", "1" * 11, 30)
    await cache.set("b", "1" * 10, 30)
    assert [await cache.get(key) for key in "ab"] == [None, "1" * 10]


async def test_a_worker_fills_redis_with_so_many_characters_and_no_more(redis_url: str) -> None:
    """The visitors' states are there too: who has it asked for more and more leaves them their room."""
    clock = MovableClock()
    async with Redis.from_url(redis_url) as client:
        cache = RedisCache(client, clock=clock, max_characters=3_000)
        for key, text in (("a", "1" * 1_500), ("b", "2"), ("c", "3" * 1_500), ("a", "4" * 2_500)):
            await cache.set(key, text, 30)
        assert [await cache.get(key) for key in "abc"] == [None, "2", None]
        await cache.set("a", "5" * 1_500, 30)
        await cache.delete("b")
        clock.advance(30)
        await cache.set("c", "6" * 2_500, 30)
        assert [await cache.get(key) for key in "abc"] == ["5" * 1_500, None, "6" * 2_500]


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
    cache = open_cache(f"redis://127.0.0.1:{free_ports()}/0")
    assert isinstance(cache, RedisCache)
    with caplog.at_level(logging.WARNING):
        await cache.set("a", "1", 30)
        assert await cache.get("a") is None
        await cache.delete("a")
    assert (cache.failures, len(caplog.records)) == (3, 3)
    await cache.close()


def test_without_a_url_the_cache_is_memory() -> None:
    assert isinstance(open_cache(None), MemoryCache)
