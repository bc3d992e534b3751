"""Token buckets, in memory and in Redis."""

import secrets

from redis.asyncio import Redis

from walletmodal.core.clock import MovableClock
from walletmodal.services.rate_limit import MemoryRateLimit, Rate, RedisRateLimit


async def test_an_empty_bucket_fills_with_time() -> None:
    clock = MovableClock()
    limit = MemoryRateLimit(Rate(per_second=2, burst=2), clock)
    assert [await limit.allows("a") for _ in range(3)] == [True, True, False]
    clock.advance(0.5)
    assert [await limit.allows("a") for _ in range(2)] == [True, False]


async def test_a_bucket_never_holds_more_than_its_burst() -> None:
    clock = MovableClock()
    limit = MemoryRateLimit(Rate(per_second=10, burst=2), clock)
    await limit.allows("a")
    clock.advance(3600)
    assert [await limit.allows("a") for _ in range(3)] == [True, True, False]


async def test_clients_do_not_spend_each_others_calls() -> None:
    limit = MemoryRateLimit(Rate(per_second=1, burst=1), MovableClock())
    assert [await limit.allows("a"), await limit.allows("b")] == [True, True]


async def test_who_has_a_full_bucket_again_is_not_remembered() -> None:
    clock = MovableClock()
    limit = MemoryRateLimit(Rate(per_second=1, burst=2), clock)
    for client in "abc":
        await limit.allows(client)
    clock.advance(2)
    for client in "def":
        await limit.allows(client)
    assert limit.clients == 3


async def test_of_too_many_who_made_no_call_for_longest_is_forgotten() -> None:
    limit = MemoryRateLimit(Rate(per_second=1, burst=1), MovableClock(), max_clients=2)
    found = [await limit.allows(client) for client in "abacbca"]
    assert (found, limit.clients) == ([True, True, False, True, True, False, True], 2)


async def test_workers_share_a_bucket_in_redis(redis_url: str) -> None:
    rate, client = Rate(per_second=0.001, burst=3), secrets.token_hex(8)
    async with Redis.from_url(redis_url) as here, Redis.from_url(redis_url) as there:
        workers = [RedisRateLimit(here, "test", rate), RedisRateLimit(there, "test", rate)]
        found = [await workers[n % 2].allows(client) for n in range(4)]
    assert found == [True, True, True, False]


async def test_a_bucket_in_redis_fills_with_time(redis_url: str) -> None:
    client = secrets.token_hex(8)
    async with Redis.from_url(redis_url) as redis:
        assert await RedisRateLimit(redis, "test", Rate(per_second=1000, burst=1)).allows(client)
        found = False
        for _ in range(1000):
            found = found or await RedisRateLimit(redis, "test", Rate(per_second=1000, burst=1)).allows(client)
    assert found
