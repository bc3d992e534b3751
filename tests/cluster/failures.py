"""What fails: each a context in which it is broken, entered once that is noticed, and left when it is whole again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import asyncpg
from redis.asyncio import Redis

from tests.cluster.cluster import Cluster
from tests.patience import eventually
from walletmodal.services.redis_patience import PATIENT

Failure = Callable[[Cluster], AbstractAsyncContextManager[None]]

_SLOW_SECONDS: Final = 0.05
_IDLE_SECONDS: Final = 3.0
_SPOILED_FROM: Final = 40
"""Of the bytes of a state; those before say which life of a session it belongs to."""


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


@asynccontextmanager
async def postgres_cut_off(servers: Cluster) -> AsyncIterator[None]:
    """One server does not reach it."""
    member = servers.members[0]
    member.database.cut()
    await _leaves(servers, member.server.port)
    yield
    member.database.heal()
    await _whole(servers)


@asynccontextmanager
async def redis_cut_off(servers: Cluster) -> AsyncIterator[None]:
    """One server does not reach it."""
    member = servers.members[0]
    member.redis.cut()
    await _leaves(servers, member.server.port)
    yield
    member.redis.heal()
    await _whole(servers)


@asynccontextmanager
async def both_cut_off(servers: Cluster) -> AsyncIterator[None]:
    """One server reaches neither Redis nor PostgreSQL."""
    member = servers.members[0]
    member.cut()
    await _leaves(servers, member.server.port)
    yield
    member.heal()
    await _whole(servers)


@asynccontextmanager
async def both_cut(servers: Cluster) -> AsyncIterator[None]:
    """No server reaches Redis or PostgreSQL, for longer than what is said is tried again."""
    for member in servers.members:
        member.cut()
    await _leaves(servers, *(member.server.port for member in servers.members))
    await asyncio.sleep(PATIENT + 1)
    yield
    for member in servers.members:
        member.heal()
    await _whole(servers)


@asynccontextmanager
async def redis_cut(servers: Cluster) -> AsyncIterator[None]:
    """No server reaches it, for longer than what is said is tried again."""
    for member in servers.members:
        member.redis.cut()
    await _leaves(servers, *(member.server.port for member in servers.members))
    await asyncio.sleep(PATIENT + 1)
    yield
    for member in servers.members:
        member.redis.heal()
    await _whole(servers)


@asynccontextmanager
async def redis_emptied(servers: Cluster) -> AsyncIterator[None]:
    """It forgets everything."""
    async with Redis.from_url(servers.redis.url) as redis:
        await redis.flushall()
    yield


@asynccontextmanager
async def redis_spoiled(servers: Cluster) -> AsyncIterator[None]:
    """No state can be read."""
    async with Redis.from_url(servers.redis.url) as redis:
        async for key in redis.scan_iter("*_reflex___state____state*"):
            await redis.setrange(key, _SPOILED_FROM, b"unreadable")
    yield


@asynccontextmanager
async def postgres_cut(servers: Cluster) -> AsyncIterator[None]:
    """No server reaches it."""
    for member in servers.members:
        member.database.cut()
    await _leaves(servers, *(member.server.port for member in servers.members))
    yield
    for member in servers.members:
        member.database.heal()
    await _whole(servers)


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
