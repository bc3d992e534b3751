"""What workers hear of each other by way of Redis: what one has for a page whose socket another has, and nothing else.

Each message is carried out or left out, with a line in the log, and the next one is heard. Messages of this kind come from workers alone, of this
release or of another; of others that have Redis nobody knows what they write there.

Why: what Reflex cannot read ends its listener. What comes within the second after that is lost, and after five such messages within a
minute all that comes before another page connects. And Reflex has Redis tell every worker of the key of every socket, and of every lock once it
has waited for one: the more workers there are, the more each hears of what is none of its business.
Test: `test_what_the_framework_cannot_read_ends_what_listens`, `test_the_framework_hears_of_every_socket`, `tests/test_worker_messages.py`.
Dropped when: Reflex leaves out what it cannot read, and hears of its own sockets alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from redis.exceptions import RedisError
from reflex.state import StateUpdate
from reflex.utils.token_manager import LostAndFoundRecord, RedisTokenManager, SocketRecord

from walletmodal.reflex_internals.unread import MOST

_RENEWALS: Final = 4
"""Times that a record of a socket is renewed within its length."""

_log: Final = logging.getLogger(__name__)

Tell = Callable[[StateUpdate, str], Coroutine[None, None, None]]


class WorkerSockets(RedisTokenManager):
    """Reflex's sockets of all workers."""

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
