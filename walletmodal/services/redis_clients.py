"""Connections to Redis: to one server, to the primary of those that Sentinels watch, or to a cluster."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import Any, Final

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.client import PubSub
from redis.asyncio.connection import SSLConnection, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import TimeoutError as RedisTimeoutError

from walletmodal.core.parsing.redis_url import RedisAddress, redis_address
from walletmodal.services.redis_cluster import ClusterClient
from walletmodal.services.redis_patience import SILENCE, Subscriptions, close_idle, listening, lost, patiently, place
from walletmodal.services.redis_sentinels import Sentinels

QUICK: Final = 1.0
"""Seconds for what can be done without."""
_ATTEMPT: Final = 2.0
"""Seconds for a connection, or an answer. A server that is frozen keeps its connections open."""
AT_ONCE: Final = 64
"""Commands of a client that are asked at once: Redis answers one after the other, and the others need no connection before.
Their patience runs out meanwhile as well, or thousands would wait for a server that is frozen, each as long as all before it together."""


NOW: Final = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
"""
"""Begins a script that needs the time, in seconds: of Redis, since clocks of servers may be apart."""


def open_redis(url: str, *, patience: float = QUICK) -> Redis:
    """Opens connections, at the first use.

    Args:
        url: as of REDIS_URL.
        patience: seconds in which a command is tried again while the primary cannot be reached, or is none.

    Raises:
        ValueError: it is no URL of Redis.
    """
    address = redis_address(url)
    attempt = min(_ATTEMPT, patience)
    options: dict[str, Any] = {
        "username": address.username,
        "password": address.password,
        "socket_timeout": attempt,
        "socket_connect_timeout": attempt,
        **address.connection,
    }
    if address.kind != "unix":
        options["socket_keepalive"] = True
    if address.kind == "sentinel":
        return _behind_sentinels(address, options, patience)
    if address.tls:
        options["connection_class"] = SSLConnection
    if address.kind == "cluster":
        return _in_cluster(address, options, patience)
    if address.kind == "unix":
        options |= {"connection_class": UnixDomainSocketConnection, "path": address.path}
    else:
        options["host"], options["port"] = address.hosts[0]
    options["db"] = address.db
    return _Client(ConnectionPool(**options), ConnectionPool(**options, **listening()), patience)


def _behind_sentinels(address: RedisAddress, options: dict[str, Any], patience: float) -> Redis:
    tls = {name: value for name, value in address.connection.items() if name.startswith("ssl_")}
    sentinels = Sentinels(
        address.hosts,
        {
            "username": address.sentinel_username,
            "password": address.sentinel_password,
            "socket_timeout": QUICK,
            "socket_connect_timeout": QUICK,
            "retry": Retry(NoBackoff(), 0),
            **({"ssl": True, **tls} if address.tls else {}),
        },
    )
    # redis-py's pool has no types.
    pool: Any = SentinelConnectionPool
    options = {**options, "db": address.db, "ssl": address.tls}
    return _Client(
        pool(address.service, sentinels, **options),
        pool(address.service, sentinels, **options, **listening()),
        patience,
        sentinels,
    )


def _in_cluster(address: RedisAddress, options: dict[str, Any], patience: float) -> Redis:
    def server(at: tuple[str, int]) -> Redis:
        pool = partial(ConnectionPool, host=at[0], port=at[1], **options)
        # What takes its place is another server.
        return _Client(pool(), pool(health_check_interval=SILENCE), patience=0, queueing=patience)

    return ClusterClient(address.hosts, server, patience)


class _Client(Redis):
    """A client whose commands wait for a primary.

    Args:
        pool: for commands, whose connections are tried once.
        listening: for subscriptions, which go on by themselves.
        patience: seconds.
        sentinels: that are closed with it.
        queueing: seconds that a command waits for others; as long as the patience where none are said.
    """

    def __init__(
        self,
        pool: ConnectionPool,
        listening: ConnectionPool,
        patience: float,
        sentinels: Sentinels | None = None,
        queueing: float | None = None,
    ) -> None:
        super().__init__(connection_pool=pool)
        self.auto_close_connection_pool = True
        self._listening, self._patience, self._sentinels = listening, patience, sentinels
        self._queueing = patience if queueing is None else queueing
        self._room = asyncio.Semaphore(min(AT_ONCE, pool.max_connections))

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """As redis-py does it, until there is an answer or the patience is over."""
        execute: Any = super().execute_command

        clock = asyncio.get_running_loop().time
        ends = clock() + self._queueing

        async def attempt() -> Any:
            async with place(self._room, ends - clock()):
                with lost():
                    return await execute(*args, **options)

        return await patiently(attempt, self._patience, self._forget_idle)

    def pubsub(self, **options: Any) -> PubSub:
        """Subscriptions that outlive the primary."""
        return Subscriptions(self._listening, **options)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - as redis-py has it
        """Close all connections."""
        # Closed they are all the same.
        with contextlib.suppress(RedisTimeoutError):
            await super().aclose(close_connection_pool)
        with contextlib.suppress(RedisTimeoutError):
            await self._listening.disconnect()
        if self._sentinels is not None:
            await self._sentinels.aclose()

    async def _forget_idle(self) -> None:
        """Those that wait for use lead where the last one did."""
        await close_idle(self.connection_pool)


async def primaries_of(client: Redis) -> list[Redis]:
    """A client of each server that takes what is written: of a cluster, which has several, or the one itself."""
    return await client.primaries() if isinstance(client, ClusterClient) else [client]
