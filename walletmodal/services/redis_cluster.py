"""A Redis Cluster as one client: each command goes to the primary that has its key, and a subscription to any.

redis-py's own (7.4.1, `redis.asyncio.cluster`) has no subscriptions, fails commands while a replica takes over from a primary that is there, and
leaves connections open. So its clients of single servers do the work, and here is only which one. The keys of a command must lie in one slot.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Final, Self, cast
from weakref import WeakSet

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from walletmodal.services.redis_patience import LONGEST_PAUSE, close_idle, patiently

Address = tuple[str, int]
Open = Callable[[Address], Any]
"""A client of one server, whose commands and subscriptions are tried once. Some of redis-py's methods have no types."""

_ANY: Final = frozenset({"TIME", "INFO", "PUBLISH"})
_FRESH: Final = 0.1
"""Seconds in which what was read of the cluster is not read again, however many commands fail."""
_ASKED: Final = 0.5
"""Seconds that a server may take to say where the others are, before another one is asked."""
_UNHEARD: Final = 1_000
"""Messages that wait for who listens; the others wait at their servers."""


class ClusterClient(Redis):
    """A client of all servers of a cluster.

    Args:
        hosts: some of its servers, which know the others.
        server: opens a client of one of them.
        patience: seconds in which a command is tried again while its primary cannot be reached, or is none.
    """

    def __init__(self, hosts: Sequence[Address], server: Open, patience: float) -> None:
        # Says what all connections are made of.
        super().__init__(connection_pool=server(hosts[0]).connection_pool)
        self._hosts, self._open, self._patience = hosts, server, patience
        self._clients: dict[Address, Any] = {}
        self._primaries: tuple[Address, ...] = ()
        self._replicas: tuple[Address, ...] = ()
        self._owners: list[Address | None] = []
        self._failed: Address | None = None
        self._is_stale, self._read_at = True, 0.0
        self._reading: asyncio.Task[None] | None = None
        self._listening: WeakSet[_ClusterSubscriptions] = WeakSet()

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """As redis-py does it, until there is an answer or the patience is over."""
        return await self._patiently(lambda: self._attempt(args, options))

    async def primaries(self) -> list[Redis]:
        """A client of each, in the order of their slots."""
        await self._patiently(self._look)
        return [self.at(one) for one in self._primaries]

    def pubsub(self, **_options: Any) -> PubSub:
        """Subscriptions that outlive the primaries."""
        found = _ClusterSubscriptions(self)
        self._listening.add(found)
        return cast("PubSub", found)

    def pipeline(self, *_args: Any, **_options: Any) -> Any:
        """Nothing that we use sends commands together.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("commands to a Redis Cluster are sent one by one")

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - as redis-py has it
        """Close all connections."""
        await super().aclose(close_connection_pool)
        for one in list(self._listening):
            await one.aclose()
        if self._reading is not None:
            await _end(self._reading)
        for client in self._clients.values():
            await client.aclose()

    async def follow(self, subscriptions: _ClusterSubscriptions) -> None:
        """Have subscriptions begin."""
        await self.primaries()
        subscriptions.follow(self._primaries)

    def primary_of(self, key: bytes) -> Address | None:
        """Which primary has a key, as far as that is known."""
        return self._owners[key_slot(key)] if self._owners else None

    def at(self, address: Address) -> Any:
        """The client of one server."""
        found = self._clients.get(address)
        if found is None:
            found = self._clients[address] = self._open(address)
        return found

    async def on_failure(self, address: Address) -> None:
        """Look, once, for what stands in the place of a server that does not answer."""
        self._failed, self._is_stale = address, True
        await self._look()

    async def _patiently(self, do: Callable[[], Any]) -> Any:
        return await patiently(do, self._patience, self._distrust)

    async def _distrust(self) -> None:
        self._is_stale = True

    async def _attempt(self, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        await self._look()
        name = args[0]
        if name == "PING":
            *_, answer = [await self._ask(one, args, options) for one in self._primaries]
            return answer
        if name == "SCAN":
            return await self._scan(args, options)
        address = random.choice(self._primaries) if name in _ANY else self._owner(args)  # noqa: S311 - whichever
        try:
            return await self._ask(address, args, options)
        except MovedError:
            # To redis-py it is an AskError too.
            raise
        except AskError as error:
            # The key is on its way there.
            async with self.at((error.host or address[0], error.port)).pipeline(transaction=False) as both:
                both.execute_command("ASKING")
                both.execute_command(*args, **options)
                return (await both.execute())[-1]

    async def _ask(self, address: Address, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        try:
            return await self.at(address).execute_command(*args, **options)
        except (RedisConnectionError, RedisTimeoutError):
            self._failed = address
            # Those that wait for use lead where this one did.
            await close_idle(self.at(address).connection_pool)
            raise

    async def _scan(self, args: Sequence[Any], options: Mapping[str, Any]) -> tuple[int, list[Any]]:
        """One step through all primaries, one after the other: the cursor says at which one, and where there."""
        within, place = divmod(int(args[1]), REDIS_CLUSTER_HASH_SLOTS)
        if place >= len(self._primaries):
            return 0, []
        within, keys = await self._ask(self._primaries[place], ("SCAN", within, *args[2:]), options)
        place += within == 0
        return (within * REDIS_CLUSTER_HASH_SLOTS + place if place < len(self._primaries) else 0), keys

    def _owner(self, args: Sequence[Any]) -> Address:
        key = args[3] if args[0] == "EVAL" else args[1]
        found = self._owners[key_slot(key if isinstance(key, bytes) else str(key).encode())]
        if found is None:
            raise ClusterDownError("no primary has the slot of a key")
        return found

    async def _look(self) -> None:
        """Read anew which servers there are, where that may have changed; all who wait for it, together.

        Raises:
            redis.exceptions.RedisError: nobody says it.
        """
        now = asyncio.get_running_loop().time()
        if not self._is_stale or (self._primaries and now < self._read_at + _FRESH):
            return
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read(), name="redis-cluster")
        await asyncio.shield(self._reading)

    async def _read(self) -> None:
        found = await self._shards()
        self._owners = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, servers in found:
            self._owners[first : last + 1] = [servers[0]] * (last + 1 - first)
        self._primaries = tuple(dict.fromkeys(servers[0] for _, _, servers in found))
        self._replicas = tuple({one for _, _, servers in found for one in servers[1:]})
        self._is_stale, self._read_at = False, asyncio.get_running_loop().time()
        for one in list(self._listening):
            one.follow(self._primaries)
        for address, client in list(self._clients.items()):
            if address not in self._primaries:
                # Those in use are closed once they have their answer.
                await client.connection_pool.update_active_connections_for_reconnect()
                await close_idle(client.connection_pool)

    async def _shards(self) -> list[tuple[int, int, list[Address]]]:
        """The first slot, the last, their primary and its replicas, as the first server says that answers."""
        known = [*{*self._primaries, *self._replicas, *self._hosts}]
        random.shuffle(known)
        known.sort(key=lambda one: one == self._failed)
        failure: RedisError = RedisConnectionError("no server says which others there are")
        for host, port in known:
            try:
                async with asyncio.timeout(_ASKED), self._open((host, port)) as asked:
                    rows = await asked.execute_command("CLUSTER SLOTS")
            except (RedisConnectionError, RedisTimeoutError) as error:
                failure = error
            except TimeoutError:
                continue
            else:
                if rows:
                    # A server that does not know its own address is where it was asked.
                    return sorted(
                        (row[0], row[1], [(_text(one[0]) or host, one[1]) for one in row[2:]]) for row in rows
                    )
        raise failure


class _ClusterSubscriptions:
    """What Reflex uses of redis-py's `PubSub`: subscriptions to channels, at one of the primaries, for what is published reaches all of them."""

    def __init__(self, client: ClusterClient) -> None:
        self._client = client
        self._channels: tuple[str, ...] = ()
        self._heard: asyncio.Queue[Any] = asyncio.Queue(_UNHEARD)
        self._at: Address | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Listen no longer."""
        self._channels = ()
        self._leave()
        await asyncio.gather(*self._ending)

    async def subscribe(self, *channels: str) -> None:
        """As redis-py does it, once."""
        self._channels = channels
        await self._client.follow(self)

    async def listen(self) -> AsyncIterator[Any]:
        """As redis-py does it."""
        while True:
            heard = await self._heard.get()
            if isinstance(heard, Exception):
                raise heard
            yield heard

    def follow(self, primaries: Sequence[Address]) -> None:
        """Listen to one of these servers."""
        if not self._channels or self._at in primaries:
            return
        self._leave()
        self._at = random.choice(primaries)  # noqa: S311 - whichever
        self._hearing = asyncio.create_task(self._hear(self._at), name="redis-subscription")

    def _leave(self) -> None:
        self._at = None
        if self._hearing is not None:
            ending = asyncio.create_task(_end(self._hearing), name="redis-subscription-end")
            self._hearing = None
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def _hear(self, address: Address) -> None:
        client = self._client.at(address)
        while True:
            try:
                async with client.pubsub() as here:
                    await here.subscribe(*self._channels)
                    async for message in here.listen():
                        await self._heard.put(message)
            except (RedisConnectionError, RedisTimeoutError):
                await asyncio.sleep(random.uniform(0, LONGEST_PAUSE))  # noqa: S311 - not all at once
                with contextlib.suppress(RedisError):
                    await self._client.on_failure(address)
            except Exception as error:  # noqa: BLE001 - who listens gets it
                await self._heard.put(error)
                return


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it ends: what it waits for swallows that once where it comes as a command is sent (`asyncio.wait_for`, Python 3.11)."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=LONGEST_PAUSE)


def _text(value: bytes | str | None) -> str:
    return value.decode() if isinstance(value, bytes) else value or ""
