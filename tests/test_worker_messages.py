"""What workers hear by way of Redis: what no worker says is left out with a line in the log, and what comes after it is heard."""

from __future__ import annotations

import asyncio
import gc
import json
import pickle
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.app import EventNamespace
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State, StateUpdate
from reflex.utils.token_manager import LocalTokenManager, LostAndFoundRecord, RedisTokenManager, SocketRecord

from tests.patience import eventually, patience
from walletmodal.reflex_internals import worker_messages
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.session_moves import release_token
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


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of sockets are renewed every ten milliseconds."""
    monkeypatch.setattr(worker_messages, "_RENEWALS", 360_000)


@pytest.mark.usefixtures("often")
async def test_what_redis_has_of_a_socket_stays_as_long_as_the_socket(tokens: WorkerSockets, client: Redis) -> None:
    key = tokens._get_redis_key("visitor")
    async with patience():
        await client.expire(key, 5)
        while await client.ttl(key) <= 5:
            await asyncio.sleep(0.01)
        await client.delete(key)
        while not await client.exists(key):
            await asyncio.sleep(0.01)
        await tokens.disconnect_token("visitor", "socket")
        assert await client.exists(key) == 0
        tokens.token_to_socket["another"] = SocketRecord(instance_id=tokens.instance_id, sid="another")
        while not await client.exists(tokens._get_redis_key("another")):
            await asyncio.sleep(0.01)
    assert await client.exists(key) == 0


@pytest.mark.usefixtures("often")
async def test_what_another_worker_says_of_a_socket_is_left_as_it_is(tokens: WorkerSockets, client: Redis) -> None:
    key = tokens._get_redis_key("visitor")
    theirs = pickle.dumps(SocketRecord(instance_id="another", sid="another"))
    async with patience():
        await client.set(key, theirs, ex=5)
        while await client.ttl(key) <= 5:
            await asyncio.sleep(0.01)
    assert await client.get(key) == theirs


async def test_the_record_of_a_socket_is_the_same_for_as_long_as_the_socket(tokens: WorkerSockets) -> None:
    """What a page was told over it goes with the record."""
    first = tokens.token_to_socket["visitor"]
    assert await tokens._fetch_socket_record("visitor") == first
    assert tokens.token_to_socket["visitor"] is first


@pytest.mark.parametrize(
    "end",
    [lambda tokens: tokens.disconnect_token("visitor", "socket"), lambda tokens: release_token(tokens, "visitor")],
    ids=["lost", "moved"],
)
async def test_the_record_of_a_socket_goes_with_the_socket(
    tokens: WorkerSockets, end: Callable[[WorkerSockets], Awaitable[None]]
) -> None:
    record = weakref.ref(tokens.token_to_socket["visitor"])
    await end(tokens)
    gc.collect()
    assert record() is None


async def test_where_a_socket_of_another_worker_is_is_asked_each_time(tokens: WorkerSockets, client: Redis) -> None:
    key, found = tokens._get_redis_key("elsewhere"), []
    for worker in ("one", "another"):
        await client.set(key, pickle.dumps(SocketRecord(instance_id=worker, sid="theirs")))
        found.append(await tokens._get_token_owner("elsewhere"))
    await client.delete(key)
    assert (found, await tokens.is_token_connected("elsewhere")) == (["one", "another"], False)
    assert ([*tokens.token_to_socket], [*tokens.sid_to_token]) == (["visitor"], ["socket"])


async def test_a_record_of_a_socket_that_cannot_be_read_is_nobodys(tokens: WorkerSockets, client: Redis) -> None:
    for value in (b"\xff", b"{}", pickle.dumps(["visitor"])):
        await client.set(tokens._get_redis_key("elsewhere"), value)
        assert await tokens._get_token_owner("elsewhere") is None
    assert tokens.token_to_socket["visitor"].sid == "socket"


async def test_sockets_that_are_lost_together_leave_redis_together(tokens: WorkerSockets, client: Redis) -> None:
    """One by one, of thousands the last would wait for longer than Redis is waited for, and stay there."""
    lost = [f"visitor-{number}" for number in range(300)]
    for token in lost:
        await tokens.link_token_to_sid(token, f"socket of {token}")
    before = await deletions(client)
    await asyncio.gather(*(tokens.disconnect_token(token, f"socket of {token}") for token in lost))
    # A scan may name a key twice.
    left = {key async for key in client.scan_iter("token_manager_socket_record_*")}
    assert left == {tokens._get_redis_key("visitor").encode()}
    assert await deletions(client) - before <= 2


async def test_with_a_worker_all_of_its_sockets_leave_redis(tokens: WorkerSockets, client: Redis) -> None:
    for number in range(35):
        await tokens.link_token_to_sid(f"visitor-{number}", f"socket-{number}")
    await tokens.disconnect_all()
    assert [key async for key in client.scan_iter("token_manager_socket_record_*")] == []


async def test_of_a_socket_that_ends_once_its_session_has_moved_nothing_stays(tokens: WorkerSockets) -> None:
    await release_token(tokens, "visitor")
    await tokens.disconnect_token("visitor", "socket")
    assert not tokens.sid_to_token


async def deletions(client: Redis) -> int:
    """How many commands Redis has had that delete something."""
    return int((await client.info("commandstats")).get("cmdstat_del", {"calls": 0})["calls"])


async def test_a_page_that_is_back_before_redis_knows_that_it_was_lost_is_no_second_tab(
    tokens: WorkerSockets, client: Redis
) -> None:
    lost = asyncio.create_task(tokens.disconnect_token("visitor", "socket"))
    await asyncio.sleep(0)
    assert await tokens.link_token_to_sid("visitor", "another") is None
    await lost
    assert tokens.token_to_socket["visitor"].sid == "another"
    assert await client.exists(tokens._get_redis_key("visitor"))


async def test_a_page_that_ends_twice_while_redis_is_slow_holds_up_nobody(
    tokens: WorkerSockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, answers = list[asyncio.Future[None]](), tokens.redis.delete

    async def late(*keys: str) -> None:
        slow.append(answer := asyncio.get_running_loop().create_future())
        await answer
        await answers(*keys)

    monkeypatch.setattr(tokens.redis, "delete", late)
    first = asyncio.create_task(tokens.disconnect_token("visitor", "socket"))
    await eventually(lambda: slow, "the first deletion")
    # As Reflex does it where Redis cannot be asked whether the token is somebody's.
    await LocalTokenManager.link_token_to_sid(tokens, "visitor", "another")
    second = asyncio.create_task(tokens.disconnect_token("visitor", "another"))
    await eventually(lambda: slow[1:], "the second deletion")
    for answer, ended in zip(slow, (first, second), strict=True):
        answer.set_result(None)
        await ended
    assert tokens._ended == {}


async def test_a_page_whose_socket_is_there_is_a_second_tab(tokens: WorkerSockets) -> None:
    assert await tokens.link_token_to_sid("visitor", "another") not in (None, "visitor")
    assert tokens.token_to_socket["visitor"].sid == "socket"


async def test_a_socket_that_redis_cannot_be_told_of_ends_all_the_same(
    tokens: WorkerSockets, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any) -> None:
        raise RedisConnectionError

    with monkeypatch.context() as patched:
        patched.setattr(tokens.redis, "delete", away)
        await tokens.disconnect_token("visitor", "socket")
    assert (dict(tokens.token_to_socket), dict(tokens.sid_to_token), len(lines(caplog))) == ({}, {}, 1)
    assert await tokens.link_token_to_sid("visitor", "another") not in (None, "visitor")


async def test_a_worker_hears_of_nothing_that_others_do(redis_url: str, client: Redis) -> None:
    url = f"{redis_url}?client_name=hears_nothing"
    one, other = (_REDIS(redis=open_redis(url, patience=15)) for _ in range(2))
    sockets, token = WorkerSockets(open_redis(url, patience=15)), BaseStateToken(ident="visitor", cls=State)
    async with patience():
        await sockets.link_token_to_sid("visitor", "socket")
        async with one.modify_state(token):
            waiting = asyncio.create_task(_enter(other, token))
            await eventually(lambda: other._lock_waiters, "another worker that waits")
        await waiting
    ours = [each for each in await client.client_list() if each["name"] == "hears_nothing"]
    assert len(ours) >= 3
    assert {(each["sub"], each["psub"]) for each in ours} == {("0", "0")}
    for manager in (one, other, sockets):
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
