"""What fails: each a context in which it is broken, entered once that is noticed, and left when it is whole again."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import asyncpg
from redis.asyncio import Redis

from tests.cluster.cluster import Cluster, Member
from tests.cluster.network import Line
from tests.patience import eventually

Failure = Callable[[Cluster], AbstractAsyncContextManager[None]]

_SLOW_SECONDS: Final = 0.05
_IDLE_SECONDS: Final = 3.0
_SPOILED_FROM: Final = 40
"""Of the bytes of a state; those before say which life of a session it belongs to."""
_POISON: Final = (b"", b"\xff\xfe\x00", b"{}", b"cwalletmodal.nowhere\nNothing\n.", pickle.dumps({"token": ["all"]}))
"""No text, none that can be read, and what nobody has a use for."""


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


Lines = Callable[[Member], Sequence[Line]]
"""Which of a server's."""


def redis(member: Member) -> Sequence[Line]:
    """The line to Redis."""
    return [member.redis]


def postgres(member: Member) -> Sequence[Line]:
    """The line to PostgreSQL."""
    return [member.database]


def both(member: Member) -> Sequence[Line]:
    """Both lines."""
    return [member.redis, member.database]


def away(of: Lines, *, everywhere: bool = False, silent: bool = False, seconds: float = 0.0) -> Failure:
    """What some lines lead to cannot be reached.

    Args:
        of: the lines of a server.
        everywhere: by any server; else by one of them.
        silent: connections stay, and nothing is answered; else they break.
        seconds: for how long after the balancer has noticed.
    """

    @asynccontextmanager
    async def failing(servers: Cluster) -> AsyncIterator[None]:
        members = servers.members if everywhere else servers.members[:1]
        lines = [line for member in members for line in of(member)]
        for line in lines:
            line.freeze() if silent else line.cut()
        await _leaves(servers, *(member.server.port for member in members))
        await asyncio.sleep(seconds)
        yield
        for line in lines:
            line.heal()
        await _whole(servers)

    return failing


@asynccontextmanager
async def redis_emptied(servers: Cluster) -> AsyncIterator[None]:
    """It forgets everything."""
    async with Redis.from_url(servers.redis.url) as client:
        await client.flushall()
    yield


@asynccontextmanager
async def messages_poisoned(servers: Cluster) -> AsyncIterator[None]:
    """What listens at each worker hears what no worker says, and whatever it does with that, something more."""
    async with Redis.from_url(servers.redis.url) as client:
        channels = await client.pubsub_channels("*")
        assert len(channels) >= len(servers.members)
        for channel in channels:
            for message in _POISON:
                assert await client.publish(channel, message)
    yield


@asynccontextmanager
async def redis_spoiled(servers: Cluster) -> AsyncIterator[None]:
    """No state can be read."""
    async with Redis.from_url(servers.redis.url) as client:
        states = [key async for key in client.scan_iter("*_reflex___state____state*")]
        assert states
        for key in states:
            await client.setrange(key, _SPOILED_FROM, b"unreadable")
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
    """It takes no writes any more, as managed ones do whose disk is full, and has refused some."""
    before = refused(servers)
    await _administer(servers, "ALTER SYSTEM SET default_transaction_read_only = on")
    try:
        await eventually(lambda: refused(servers) > before, "a write that is refused", step=0.1)
        yield
    finally:
        await _administer(
            servers, "SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only"
        )


def refused(servers: Cluster) -> float:
    """How much PostgreSQL has not done for the servers."""
    return sum(member.server.metric("walletmodal_database_failures_total") for member in servers.members)


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
    """The balancer ends sockets on which nothing was said for a moment, which is shorter than the pause between two pings. A page that nobody touches has come back then."""
    servers.balancer.drop_idle(_IDLE_SECONDS)
    async with servers.visitors(1) as (visitor,):
        await eventually(lambda: visitor.tab.failed, "the end of an idle socket", step=0.05)
        await visitor.return_to_server()
        yield
    servers.balancer.drop_idle(None)


@asynccontextmanager
async def stranded(servers: Cluster) -> AsyncIterator[None]:
    """The balancer forgets all connections without a word, as one that fails over."""
    servers.balancer.strand()
    yield
