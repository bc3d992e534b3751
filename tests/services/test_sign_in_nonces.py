"""Nonces, in memory and in a real Redis."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from tests.lossy_relay import lossy_relay
from tests.patience import PATIENCE
from tests.services_fixtures import RedisServer
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.sign_in.nonces import (
    MAX_PER_VISITOR,
    REDIS_PREFIX,
    MemoryNonces,
    Nonces,
    RedisNonces,
    open_nonces,
)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest_asyncio.fixture(params=["memory", "redis"])
async def nonces(request: pytest.FixtureRequest) -> AsyncIterator[Nonces]:
    url = None if request.param == "memory" else request.getfixturevalue("redis_server").url
    if url is not None:
        async with Redis.from_url(url) as client:
            await client.flushall()
    opened = open_nonces(url)
    yield opened
    await opened.close()


async def test_a_nonce_gives_its_value_once(nonces: Nonces) -> None:
    await nonces.keep("ann", "n1", "für später ✓", 600)
    assert await nonces.take("ann", "n1") == "für später ✓"
    assert await nonces.take("ann", "n1") is None


async def test_of_many_who_ask_at_once_one_gets_the_value(nonces: Nonces) -> None:
    await nonces.keep("ann", "n1", "value", 600)
    taken = await asyncio.gather(*(nonces.take("ann", "n1") for _ in range(20)))
    assert sorted(taken, key=str) == [None] * 19 + ["value"]


async def test_a_nonce_is_of_its_visitor_alone(nonces: Nonces) -> None:
    await nonces.keep("ann", "n1", "value", 600)
    for other in ("bob", "", "ann ", "ann\0n1"):
        assert await nonces.take(other, "n1") is None
    assert await nonces.take("ann", "n1") == "value"


async def test_a_nonce_that_was_never_given_out_is_unknown(nonces: Nonces) -> None:
    await nonces.keep("ann", "n1", "value", 600)
    for other in ("", "n", "n11", "N1", "n1\0"):
        assert await nonces.take("ann", other) is None
    assert await nonces.take("ann", "n1") == "value"


async def test_a_nonce_ends_with_its_time(clock: MovableClock) -> None:
    nonces = MemoryNonces(clock)
    await nonces.keep("ann", "n1", "value", 600)
    await nonces.keep("ann", "n2", "value", 600)
    clock.advance(599.99)
    assert await nonces.take("ann", "n1") == "value"
    clock.advance(0.02)
    assert await nonces.take("ann", "n2") is None


async def test_a_nonce_in_redis_ends_with_its_time(redis_url: str) -> None:
    nonces = RedisNonces(open_redis(redis_url))
    async with Redis.from_url(redis_url) as client:
        await nonces.keep("ann", "n1", "value", 0.001)
        await nonces.keep("ann", "n2", "value", 600)
        kept = await _time(client)
        while await _time(client) < kept + 0.002:
            pass
        assert [await nonces.take("ann", one) for one in ("n1", "n2")] == [None, "value"]
    await nonces.close()


async def _time(client: Redis) -> float:
    seconds, microseconds = await client.time()
    return float(seconds + microseconds / 1e6)


async def test_who_asks_again_and_again_pushes_out_the_own_oldest(nonces: Nonces) -> None:
    await nonces.keep("bob", "b", "value", 600)
    for number in range(MAX_PER_VISITOR + 1):
        await nonces.keep("ann", f"n{number}", str(number), 600 + number)
    taken = [await nonces.take("ann", f"n{number}") for number in range(MAX_PER_VISITOR + 1)]
    assert taken == [None, *map(str, range(1, MAX_PER_VISITOR + 1))]
    assert await nonces.take("bob", "b") == "value"


async def test_what_is_over_makes_room_first(clock: MovableClock) -> None:
    nonces = MemoryNonces(clock)
    await nonces.keep("ann", "long", "kept", 600)
    for number in range(MAX_PER_VISITOR - 1):
        await nonces.keep("ann", f"n{number}", "short", 10)
    clock.advance(11)
    await nonces.keep("ann", "new", "value", 600)
    assert await nonces.take("ann", "long") == "kept"


async def test_visitors_who_never_come_back_take_no_room_in_memory() -> None:
    nonces = MemoryNonces(max_visitors=3)
    for visitor in "abcd":
        await nonces.keep(visitor, "n", visitor, 600)
    assert [await nonces.take(visitor, "n") for visitor in "abcd"] == [None, "b", "c", "d"]
    assert not nonces._kept


async def test_what_nobody_takes_ends_in_redis_too(redis_server: RedisServer) -> None:
    nonces = open_nonces(redis_server.url)
    async with Redis.from_url(redis_server.url) as client:
        await client.flushall()
        await nonces.keep("a visitor's secret", "n1", "value", 600)
        (key,) = await client.keys("*")
        assert key.startswith(REDIS_PREFIX.encode())
        assert b"secret" not in key
        assert 590_000 < await client.pttl(key) <= 600_000
    await nonces.close()


async def test_a_nonce_counts_once_whose_answer_was_lost(redis_url: str, redis_server: RedisServer) -> None:
    async with lossy_relay(redis_server.port) as lossy:
        nonces = RedisNonces(open_redis(f"redis://127.0.0.1:{lossy.port}/0", patience=PATIENCE))
        await nonces.keep("ann", "n1", "value", 600)
        lossy.lose_answer_to(b"'HDEL'")
        taken = [await nonces.take("ann", "n1") for _ in range(2)]
        await nonces.close()
    assert (taken, lossy.lost) == (["value", None], 1)


async def test_without_redis_nobody_gets_or_uses_a_nonce() -> None:
    nonces = RedisNonces(open_redis("redis://127.0.0.1:9/0", patience=0.1))
    with pytest.raises(SignInUnavailableError):
        await nonces.keep("ann", "n1", "value", 600)
    with pytest.raises(SignInUnavailableError):
        await nonces.take("ann", "n1")
    await nonces.close()
