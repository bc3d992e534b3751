"""What workers hear by way of Redis: what no worker says is left out with a line in the log, and what comes after it is heard."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from reflex.app import EventNamespace
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State, StateUpdate
from reflex.utils.token_manager import LocalTokenManager, LostAndFoundRecord, RedisTokenManager, SocketRecord

from tests.patience import eventually, patience
from walletmodal.reflex_internals import redis_states
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.unread import MOST
from walletmodal.reflex_internals.worker_messages import WorkerSockets, hear_all
from walletmodal.services.redis_clients import open_redis

# What is abstract in its base class looks abstract to mypy.
_REDIS: Any = RedisStates
DELTA: dict[str, Any] = {"state": {"title": "told"}}
PUBSUB_LIMIT = 32 * 1024 * 1024
"""Of Redis: who is told more at once loses the connection."""
LOGGER = "walletmodal.reflex_internals.worker_messages"


def record(token: Any = "visitor", update: Any = None) -> bytes:
    return pickle.dumps(LostAndFoundRecord(token=token, update=StateUpdate(delta=DELTA) if update is None else update))


FOR_PAGES = {
    "nothing": b"",
    "no pickle": b"\xff\xfe\x00",
    "cut off": record()[:-9],
    "JSON": b'{"token": "visitor", "update": {"delta": {}}}',
    "another type": pickle.dumps({"token": "visitor", "update": StateUpdate(delta=DELTA)}),
    "of a class that is not there": b"cwalletmodal.nowhere\nNothing\n.",
    "a token of another type": record(token=["visitor"]),
    "an update of another type": record(update={"delta": DELTA}),
    "a change of another type": record(update=StateUpdate(delta={"state": "title"})),  # type: ignore[dict-item]  # no mapping
    "events of another type": record(update=StateUpdate(events="all")),  # type: ignore[arg-type]  # no list
    "what has no JSON": record(update=StateUpdate(delta={"state": {"title": {1j: 1j}}})),
    "more than a page is told": record(update=StateUpdate(delta={"state": {"title": "x" * MOST}})),
}
"""Messages for a page whose socket is at another worker."""


class Sockets:
    """The sockets of one worker.

    Attributes:
        told: what pages were told, by their sockets.
    """

    emit_update: Any = EventNamespace.emit_update

    def __init__(self, tokens: WorkerSockets) -> None:
        self._token_manager = tokens
        self.told: list[tuple[str, str]] = []

    async def emit(self, _event: str, update: StateUpdate, to: str) -> None:
        self.told.append((to, json.dumps(update.delta)))


@pytest_asyncio.fixture
async def client(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url) as found:
        yield found


@pytest_asyncio.fixture
async def tokens(redis_url: str) -> AsyncIterator[WorkerSockets]:
    """Of a worker with the socket of a visitor."""
    found = WorkerSockets(open_redis(redis_url, patience=15))
    await found.link_token_to_sid("visitor", "socket")
    yield found
    await found.close()


@pytest_asyncio.fixture
async def sockets(tokens: WorkerSockets, client: Redis) -> Sockets:
    """They, which hear what other workers have for their pages."""
    found = Sockets(tokens)
    tokens.ensure_lost_and_found_task(found.emit_update)
    await heard(client, channel(tokens), record(token="somebody"))
    return found


def channel(tokens: WorkerSockets) -> str:
    return f"channel:{tokens._get_lost_and_found_key(tokens.instance_id)}"


async def heard(client: Redis, at: str, message: bytes | str) -> None:
    """Say something until somebody hears it."""
    async with patience():
        while not await client.publish(at, message):
            await asyncio.sleep(0.01)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.name == LOGGER]


@pytest.mark.parametrize("kind", FOR_PAGES)
async def test_a_page_is_told_what_comes_after_what_no_worker_says(
    sockets: Sockets, client: Redis, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    at = channel(sockets._token_manager)
    await client.publish(at, FOR_PAGES[kind])
    await client.publish(at, record())
    await eventually(lambda: sockets.told, "what came after it")
    assert (sockets.told, len(lines(caplog))) == ([("socket", json.dumps(DELTA))], 1)


async def test_what_is_for_a_page_that_is_nowhere_is_left_out(sockets: Sockets, client: Redis) -> None:
    at = channel(sockets._token_manager)
    for token in ("nobody", "", "visitor\x00", "v" * 100_000):
        await client.publish(at, record(token=token))
    await client.publish(at, record())
    await eventually(lambda: sockets.told, "what came after it")
    assert sockets.told == [("socket", json.dumps(DELTA))]


async def test_pages_are_told_again_after_more_than_redis_passes_on(sockets: Sockets, client: Redis) -> None:
    at = channel(sockets._token_manager)
    await client.publish(at, bytes(PUBSUB_LIMIT + 1))
    async with patience():
        while not sockets.told:
            await client.publish(at, record())
            await asyncio.sleep(0.01)


OF_KEYS = {
    "an event that is no text": (b"visitor", b"\xff\xfe"),
    "an event that is not known": (b"visitor", b'{"event": "del"}'),
    "an event that is very long": (b"visitor", b"del" * 1_000_000),
    "a token that is no text": (b"\xff\xfe", b"del"),
    "a token that nobody has": (b"nobody", b"del"),
}
"""Messages about keys: of which token, and what became of it."""


@pytest.mark.parametrize("kind", OF_KEYS)
async def test_a_worker_hears_that_a_socket_is_gone_after_what_redis_does_not_say(
    tokens: WorkerSockets, client: Redis, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    at = "__keyspace@0__:token_manager_socket_record_"
    await heard(client, f"{at}somebody", "set")
    tokens.token_to_socket["elsewhere"] = SocketRecord(instance_id="another", sid="another")
    token, event = OF_KEYS[kind]
    publish: Callable[..., Awaitable[int]] = client.publish
    await publish(at.encode() + token, event)
    await client.publish(f"{at}elsewhere", "del")
    await eventually(lambda: "elsewhere" not in tokens.token_to_socket, "what came after it")
    assert "visitor" in tokens.token_to_socket
    assert len(lines(caplog)) == (kind == "a token that is no text")


async def test_a_record_of_a_socket_that_cannot_be_read_is_left_out(tokens: WorkerSockets, client: Redis) -> None:
    key = tokens._get_redis_key("visitor")
    await heard(client, f"__keyspace@0__:{tokens._get_redis_key('somebody')}", "set")
    for value in (b"\xff", b"{}", pickle.dumps(["visitor"])):
        await client.set(key, value)
    tokens.token_to_socket["elsewhere"] = SocketRecord(instance_id="another", sid="another")
    await client.publish(f"__keyspace@0__:{tokens._get_redis_key('elsewhere')}", "del")
    await eventually(lambda: "elsewhere" not in tokens.token_to_socket, "what came after it")
    assert tokens.token_to_socket["visitor"].sid == "socket"


@pytest.mark.parametrize(
    "poison", [(b"\xff\xfe_lock_waiters", b"sadd"), (b"visitor_lock", b"\xff\xfe"), (b"\xff_lock", b"del")]
)
async def test_who_waits_for_a_lock_is_told_that_it_is_free_after_what_redis_does_not_say(
    redis_url: str, client: Redis, poison: tuple[bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody looks by himself.
    monkeypatch.setattr(redis_states, "_RELEASED_MS", 3_600_000)
    one, other = (_REDIS(redis=open_redis(redis_url, patience=15)) for _ in range(2))
    token = BaseStateToken(ident="visitor", cls=State)
    async with patience():
        async with one.modify_state(token):
            waiting = asyncio.create_task(_enter(other, token))
            await eventually(lambda: other._lock_waiters, "another worker that waits")
            key, event = poison
            publish: Callable[..., Awaitable[int]] = client.publish
            assert await publish(b"__keyspace@0__:" + key, event)
        await waiting
    for manager in (one, other):
        await manager.close()


async def _enter(manager: Any, token: BaseStateToken) -> None:
    async with manager.modify_state(token):
        pass


@pytest.mark.parametrize(
    ("theirs", "ours"), [(RedisTokenManager, WorkerSockets), (LocalTokenManager, LocalTokenManager)]
)
def test_workers_over_redis_hear_so(theirs: Any, ours: Any, redis_url: str) -> None:
    sockets = theirs(Redis.from_url(redis_url)) if theirs is RedisTokenManager else theirs()
    namespace = SimpleNamespace(_token_manager=sockets)
    hear_all(namespace)
    assert type(namespace._token_manager) is ours
