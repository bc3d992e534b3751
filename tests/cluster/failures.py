"""What fails: each a context in which it is broken, entered once that is noticed, and left when it is whole again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import asyncpg
import redis

from tests.cluster.cluster import Cluster
from tests.cluster.network import Line
from tests.patience import eventually

Failure = Callable[[Cluster], AbstractAsyncContextManager[None]]

_SLOW_SECONDS: Final = 0.05
_IDLE_SECONDS: Final = 3.0


async def _leaves(servers: Cluster, *ports: int) -> None:
    """Wait until the balancer sends nobody to these."""
    await eventually(lambda: not servers.balancer.ready.intersection(ports), "the balancer's notice", step=0.05)


async def _whole(servers: Cluster) -> None:
    ports = {member.server.port for member in servers.members}
    await eventually(lambda: servers.balancer.ready == ports, "readiness of all servers", step=0.05)


@asynccontextmanager
async def killed(servers: Cluster) -> AsyncIterator[None]:
    """One server, with all its processes."""
    server = servers.members[0].server
    server.kill()
    await _leaves(servers, server.port)
    yield
    await asyncio.to_thread(server.start)
    await _whole(servers)


@asynccontextmanager
async def frozen(servers: Cluster) -> AsyncIterator[None]:
    """One server: its connections stay, and nothing is answered."""
    server = servers.members[0].server
    server.pause()
    try:
        await _leaves(servers, server.port)
        yield
    finally:
        server.resume()
    await _whole(servers)


def cut_off(*names: str, everywhere: bool = False) -> Failure:
    """From Redis, PostgreSQL or both: one server, or all."""

    @asynccontextmanager
    async def broken(servers: Cluster) -> AsyncIterator[None]:
        members = servers.members if everywhere else servers.members[:1]
        lines: list[Line] = [getattr(member, name) for member in members for name in names]
        for line in lines:
            line.cut()
        await _leaves(servers, *(member.server.port for member in members))
        yield
        for line in lines:
            line.heal()
        await _whole(servers)

    return broken


@asynccontextmanager
async def redis_emptied(servers: Cluster) -> AsyncIterator[None]:
    """As after a restart of a Redis that keeps nothing."""
    with redis.Redis.from_url(servers.redis.url) as client:
        client.flushall()
    yield


@asynccontextmanager
async def redis_poisoned(servers: Cluster) -> AsyncIterator[None]:
    """What it keeps of visitors cannot be read any more, half of it from its first byte on, and its channels say nonsense."""
    with redis.Redis.from_url(servers.redis.url) as client:
        for place, key in enumerate(client.scan_iter("*_reflex___state*")):
            if not key.endswith(b"_lock"):
                kept = client.get(key) or b""
                client.set(key, (kept[: len(kept) // 2] if place % 2 else b"") + b"nonsense", keepttl=True)
        for channel in client.pubsub_channels("*"):
            client.publish(channel, b"nonsense")
    yield


@asynccontextmanager
async def postgres_restarted(servers: Cluster) -> AsyncIterator[None]:
    """It ends as in a crash."""
    await asyncio.to_thread(servers.postgres.halt)
    await _leaves(servers, *(member.server.port for member in servers.members))
    await asyncio.to_thread(servers.postgres.resume)
    await _whole(servers)
    yield


@asynccontextmanager
async def postgres_full(servers: Cluster) -> AsyncIterator[None]:
    """It takes no writes any more, as managed ones do whose disk is full."""
    await _administer(servers, "ALTER SYSTEM SET default_transaction_read_only = on")
    try:
        yield
    finally:
        await _administer(
            servers, "SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only"
        )


async def _administer(servers: Cluster, *statements: str) -> None:
    connection = await asyncpg.connect(servers.postgres.url("postgres"))
    try:
        for statement in (*statements, "SELECT pg_reload_conf()"):
            await connection.execute(statement)
    finally:
        await connection.close()


@asynccontextmanager
async def postgres_slow(servers: Cluster) -> AsyncIterator[None]:
    """Each of its answers takes a while."""
    for member in servers.members:
        member.database.slow_down(_SLOW_SECONDS)
    yield
    for member in servers.members:
        member.database.heal()


@asynccontextmanager
async def idle_dropped(servers: Cluster) -> AsyncIterator[None]:
    """The balancer ends sockets on which nothing was said for a moment, which is shorter than the pause between two pings."""
    servers.balancer.drop_idle(_IDLE_SECONDS)
    yield
    servers.balancer.drop_idle(None)


@asynccontextmanager
async def stranded(servers: Cluster) -> AsyncIterator[None]:
    """The balancer forgets all connections without a word, as one that fails over."""
    servers.balancer.strand()
    yield
