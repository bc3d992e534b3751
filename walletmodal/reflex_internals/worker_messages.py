"""What workers hear by way of Redis: each message is carried out or left out, with a line in the log, and the next one is heard.

Messages of this kind come from workers alone, of this release or of another; of others that have Redis nobody knows what they write there.

Why: what Reflex cannot read ends its listener. What comes within the second after that is lost, and after five such messages within a
minute all that comes before another page connects.
Test: `test_what_the_framework_cannot_read_ends_what_listens`, `tests/test_worker_messages.py`.
Dropped when: Reflex leaves out what it cannot read.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from reflex.istate.manager.redis import StateManagerRedis, enable_keyspace_notifications
from reflex.state import StateUpdate
from reflex.utils.token_manager import LostAndFoundRecord, RedisTokenManager

from walletmodal.reflex_internals.unread import MOST

_log: Final = logging.getLogger(__name__)

Tell = Callable[[StateUpdate, str], Coroutine[None, None, None]]


class WorkerSockets(RedisTokenManager):
    """Reflex's sockets of all workers."""

    async def _subscribe_lost_and_found_updates(self, emit_update: Tell) -> None:
        """As Reflex does it: what another worker has for a page whose socket is here."""
        async with self.redis.pubsub() as pubsub:
            await pubsub.psubscribe(f"channel:{self._get_lost_and_found_key(self.instance_id)}")
            async for message in pubsub.listen():
                if message["type"] == "pmessage":
                    with _or_left_out():
                        record = _record(message["data"])
                        await emit_update(record.update, record.token)

    async def _subscribe_socket_record_updates(self) -> None:
        """As Reflex does it: which worker has whose socket."""
        await enable_keyspace_notifications(self.redis)
        options = self.redis.get_connection_kwargs()  # type: ignore[no-untyped-call]  # of redis-py
        keys = f"__keyspace@{options.get('db', 0)}__:{self._get_redis_key('')}"
        async with self.redis.pubsub() as pubsub:
            await pubsub.psubscribe(f"{keys}*")
            async for message in pubsub.listen():
                if message["type"] == "pmessage":
                    with _or_left_out():
                        token = message["channel"].decode().removeprefix(keys)
                        await self._on_socket_record(token, message["data"])

    async def _on_socket_record(self, token: str, event: bytes) -> None:
        if token not in self.token_to_socket:
            return
        if event in (b"del", b"expired", b"evicted"):
            await self._handle_socket_record_del(token)
        elif event == b"set":
            await self._get_token_owner(token, refresh=True)


class WorkerLocks(StateManagerRedis):
    """Reflex's locks of all workers."""

    async def _handle_lock_contention(self, message: Any) -> None:
        """As Reflex does it: that somebody waits for a lock."""
        with _or_left_out():
            await super()._handle_lock_contention(message)


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
