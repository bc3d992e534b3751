"""What workers hear of each other by way of Redis: what one has for a page whose socket another has, and nothing else.

Each message is carried out or left out, with a line in the log, and the next one is heard. Messages of this kind come from workers alone, of this
release or of another; of others that have Redis nobody knows what they write there.

Why: what Reflex cannot read ends its listener. What comes within the second after that is lost, and after five such messages within a
minute all that comes before another page connects. And Reflex has Redis tell every worker of the key of every socket, and of every lock once it
has waited for one: the more workers there are, the more each hears of what is none of its business. Sockets that end it takes out of Redis each
by itself: of thousands that are lost at once some wait so long for the others that they stay there, and their pages are taken for second tabs.
Test: `test_what_the_framework_cannot_read_ends_what_listens`, `test_the_framework_hears_of_every_socket`, `tests/test_worker_messages.py`.
Dropped when: Reflex leaves out what it cannot read, hears of its own sockets alone, and takes out together what has ended together.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError
from reflex.state import StateUpdate
from reflex.utils.token_manager import LocalTokenManager, LostAndFoundRecord, RedisTokenManager, SocketRecord

from walletmodal.reflex_internals.unread import MOST
from walletmodal.services.redis_cluster import ClusterClient

_RENEWALS: Final = 4
"""Times that a record of a socket is renewed within its length."""

_log: Final = logging.getLogger(__name__)

Tell = Callable[[StateUpdate, str], Coroutine[None, None, None]]


class _Records(dict[str, SocketRecord]):
    """By their tokens. One that says the same as the one that is there does not take its place: what is known of a socket goes with its record."""

    def __setitem__(self, token: str, record: SocketRecord) -> None:
        if self.get(token) != record:
            super().__setitem__(token, record)


class WorkerSockets(RedisTokenManager):
    """Reflex's sockets of all workers."""

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis)
        self.token_to_socket = _Records()
        # Tokens whose sockets have ended, and what takes them out of Redis.
        self._ended: dict[str, asyncio.Task[None]] = {}
        self._together: list[str] = []

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        """As Reflex does it, once what is known of the token's last socket has left Redis."""
        while (deletion := self._ended.get(token)) is not None:
            await asyncio.shield(deletion)
        return await super().link_token_to_sid(token, sid)

    async def disconnect_token(self, token: str, sid: str) -> None:
        """As Reflex does it, together with the others that end at this moment."""
        record = self.token_to_socket.get(token)
        if record is None or record.sid != sid or record.instance_id != self.instance_id:
            # It was released, or is another socket's by now.
            self.sid_to_token.pop(sid, None)
            return
        await LocalTokenManager.disconnect_token(self, token, sid)
        if isinstance(self.redis, ClusterClient):
            # They lie at several servers.
            deletion = asyncio.create_task(self._delete([token]), name="socket-ended")
        elif self._together:
            deletion = self._ended[self._together[0]]
            self._together.append(token)
        else:
            self._together = [token]
            deletion = asyncio.create_task(self._delete(self._together), name="sockets-ended")
        self._ended[token] = deletion
        await asyncio.shield(deletion)

    async def disconnect_all(self) -> None:
        """As Reflex does it, together."""
        await asyncio.gather(*(self.disconnect_token(token, sid) for sid, token in [*self.sid_to_token.items()]))

    async def close(self) -> None:
        """As Reflex does it, once Redis has been told of what has ended."""
        await asyncio.gather(*{*self._ended.values()}, return_exceptions=True)
        await super().close()

    async def _delete(self, tokens: list[str]) -> None:
        try:
            # Others end in the same round of the event loop.
            await asyncio.sleep(0)
            if tokens is self._together:
                self._together = []
            await self.redis.delete(*map(self._get_redis_key, tokens))
        except Exception as error:  # noqa: BLE001 - as Reflex does it: sockets end whatever becomes of Redis
            _log.warning("sockets that have ended stay in Redis, and their pages count as second tabs: %r", error)
        finally:
            if tokens is self._together:
                self._together = []
            for token in tokens:
                # Where Redis did not answer in time, another socket of it may have begun and ended meanwhile.
                if self._ended.get(token) is asyncio.current_task():
                    del self._ended[token]

    async def _subscribe_lost_and_found_updates(self, emit_update: Tell) -> None:
        """As Reflex does it: what another worker has for a page whose socket is here."""
        async with self.redis.pubsub() as pubsub:
            await pubsub.subscribe(f"channel:{self._get_lost_and_found_key(self.instance_id)}")
            async for message in pubsub.listen():
                if message["type"] == "message":
                    with _or_left_out():
                        record = _record(message["data"])
                        await emit_update(record.update, record.token)

    async def _subscribe_socket_record_updates(self) -> None:
        """Keep what Redis has of the sockets that are here, of which Reflex waits to be told that it has expired."""
        while True:
            await asyncio.sleep(self.token_expiration / _RENEWALS)
            for token, record in [*self.token_to_socket.items()]:
                # It may have left while others were renewed.
                if record.instance_id == self.instance_id and self.token_to_socket.get(token) is record:
                    # The next time is soon enough.
                    with contextlib.suppress(RedisError):
                        await self._renew(token, record)

    async def _renew(self, token: str, record: SocketRecord) -> None:
        if not await self.redis.expire(self._get_redis_key(token), self.token_expiration):
            stored = await self._store_socket_record(token, record, nx=True)
            if stored and self.token_to_socket.get(token) is not record:
                # It has left meanwhile.
                await self.redis.delete(self._get_redis_key(token))

    async def _fetch_socket_record(self, token: str) -> SocketRecord | None:
        """As Reflex does it; another worker's is not kept, for nobody tells when it is gone."""
        found = await super()._fetch_socket_record(token)
        if found is not None and found.instance_id != self.instance_id:
            self.token_to_socket.pop(token, None)
            self.sid_to_token.pop(found.sid, None)
        return found


def hear_all(namespace: Any) -> None:
    """Ours in the place of Reflex's, where sockets are in Redis."""
    sockets = namespace._token_manager
    if type(sockets) is RedisTokenManager:
        namespace._token_manager = WorkerSockets(sockets.redis)


def _record(data: bytes) -> LostAndFoundRecord:
    """What another worker has for a page.

    Raises:
        ValueError: no worker says that. Reading raises anything.
    """
    if len(data) > MOST:
        raise ValueError(f"{len(data)} bytes, more than any page is told")
    record: object = pickle.loads(data)  # noqa: S301 - as Reflex does it; who can write to Redis has its states too
    if not (isinstance(record, LostAndFoundRecord) and isinstance(record.token, str) and _is_update(record.update)):
        raise ValueError("nothing that a page could be told")
    return record


def _is_update(update: object) -> bool:
    return (
        isinstance(update, StateUpdate)
        and isinstance(update.delta, Mapping)
        and all(isinstance(one, Mapping) for one in update.delta.values())
        and isinstance(update.events, list)
    )


@contextmanager
def _or_left_out() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever becomes of one message, the next is another
        _log.warning("a message of another worker is left out: %s: %s", type(error).__name__, error)
