"""A Redis Cluster of three primaries: what servers share lies there as it does in one Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
import redis.asyncio
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State, StateUpdate

from tests.patience import PATIENCE, eventually, patience
from tests.redis_groups import SHARDS, Group, in_cluster
from walletmodal.config import Settings
from walletmodal.features.shell.state import ShellState
from walletmodal.operator.look_at_cluster import cluster as examined_together
from walletmodal.operator.look_at_records import redis as examined
from walletmodal.operator.start_checks import redis_failure
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.session_end import forget_session, forget_sessions_with
from walletmodal.reflex_internals.worker_messages import WorkerSockets
from walletmodal.secure.calls.nonces import RedisNonces as SecureNonces
from walletmodal.services.cache import RedisCache
from walletmodal.services.rate_limit import Rate, RedisRateLimit
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.servers import Servers
from walletmodal.services.sign_in.nonces import RedisNonces

_REDIS: Any = RedisStates
VISITORS = ("ada", "grace", "mary", "hedy", "}{", "{", "%7B")
"""At all three primaries; and some who say what could be taken for a hash tag."""


@pytest.fixture(scope="module")
def group() -> Iterator[Group]:
    with in_cluster() as found:
        yield found


@pytest_asyncio.fixture
async def client(group: Group) -> AsyncIterator[Any]:
    for one in group.servers:
        one.ask("FLUSHALL")
    opened = open_redis(group.url, patience=15)
    yield opened
    await opened.aclose()


@pytest_asyncio.fixture
async def workers(client: Any, group: Group) -> AsyncIterator[list[RedisStates]]:
    """Two that share visitors."""
    found = [_REDIS(redis=one) for one in (client, open_redis(group.url, patience=15))]
    yield found
    for one in found:
        await one.close()


def token(visitor: str, state: Any = ShellState) -> BaseStateToken:
    return BaseStateToken(ident=visitor, cls=state)


async def retitle(manager: RedisStates, visitor: str, title: str) -> None:
    async with manager.modify_state(token(visitor)) as root:
        shell: Any = await manager.get_state(token(visitor), top_level=False, for_state_instance=root)
        shell.title += title


async def begin(manager: RedisStates) -> None:
    for visitor in VISITORS:
        async with manager.modify_state(token(visitor, State)):
            pass


async def test_all_keys_of_a_session_lie_in_one_slot(workers: list[RedisStates], group: Group) -> None:
    await begin(workers[0])
    slots: dict[str, set[int]] = {}
    counts = []
    for one in group.primaries():
        keys = one.ask("KEYS", "*reflex___state*")
        counts.append(len(keys))
        for key in keys:
            slots.setdefault(key.partition("}_")[0], set()).add(key_slot(key.encode()))
    assert [len(found) for found in slots.values()] == [1] * len(VISITORS)
    assert [count > 0 for count in counts] == [True] * SHARDS


async def test_what_two_workers_do_to_a_session_counts_once_each(workers: list[RedisStates]) -> None:
    await begin(workers[0])
    async with patience(), asyncio.TaskGroup() as all_at_once:
        for visitor in VISITORS:
            for number in range(6):
                all_at_once.create_task(retitle(workers[number % 2], visitor, f" {number}"))
    for visitor in VISITORS:
        state: Any = await workers[1].get_state(token(visitor), top_level=False)
        assert sorted(state.title.split()[-6:]) == list("012345")


async def test_sockets_that_are_lost_together_leave_all_primaries(client: Any, group: Group) -> None:
    sockets = WorkerSockets(open_redis(group.url, patience=15))
    try:
        async with patience():
            for visitor in VISITORS:
                await sockets.link_token_to_sid(visitor, f"socket of {visitor}")
            await asyncio.gather(*(sockets.disconnect_token(visitor, f"socket of {visitor}") for visitor in VISITORS))
            assert [key async for key in client.scan_iter("token_manager_socket_record_*")] == []
    finally:
        await sockets.close()


async def test_a_primary_that_is_away_keeps_no_other_from_forgetting_sockets(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete = client.delete

    async def away(*keys: str) -> None:
        if any(key.endswith("-0") for key in keys):
            raise RedisConnectionError
        await delete(*keys)

    sockets = WorkerSockets(client)
    monkeypatch.setattr(client, "delete", away)
    lost = [f"visitor-{number}" for number in range(9)]
    async with patience():
        for visitor in lost:
            await sockets.link_token_to_sid(visitor, f"socket of {visitor}")
        await sockets.disconnect_all()
        left = [key async for key in client.scan_iter("token_manager_socket_record_*")]
    assert left == [sockets._get_redis_key("visitor-0").encode()]
    await sockets.close()


async def test_who_waits_for_one_primary_holds_up_nobody_at_another(workers: list[RedisStates], group: Group) -> None:
    manager: Any = workers[0]
    await begin(manager)
    paused = group.primaries()[0]
    there, elsewhere = list[str](), list[str]()
    for visitor in (f"visitor-{number}" for number in range(200)):
        _host, port = manager.redis.primary_of(manager._lock_key(manager._coerce_token(token(visitor))))
        (there if port == paused.port else elsewhere).append(visitor)
    async with patience():
        paused.ask("CLIENT", "PAUSE", str(round(PATIENCE * 1000)), "WRITE")
        waiting = [asyncio.create_task(_visit(manager, visitor)) for visitor in there]
        await eventually(lambda: manager.is_busy, "more than may ask at once")
        await asyncio.gather(*(_visit(manager, visitor) for visitor in elsewhere))
        assert not any(one.done() for one in waiting)
        paused.ask("CLIENT", "UNPAUSE")
        await asyncio.gather(*waiting)
    assert not manager.is_busy


async def _visit(manager: RedisStates, visitor: str) -> None:
    async with manager.modify_state(token(visitor, State)):
        pass


async def test_who_waits_for_a_lock_is_told_that_it_is_free(
    workers: list[RedisStates],
) -> None:
    one, other = workers
    await begin(one)
    for visitor in VISITORS:
        async with patience():
            async with one.modify_state(token(visitor)):
                waiting = asyncio.create_task(retitle(other, visitor, " told"))
                lock = one._lock_key(one._coerce_token(token(visitor)))
                await eventually(lambda lock=lock: other._n_lock_waiters(lock), "another worker that waits")  # type: ignore[misc]  # a default
            await waiting


async def test_a_socket_at_another_worker_is_known_and_told_once(group: Group) -> None:
    one, other = (WorkerSockets(open_redis(group.url, patience=15)) for _ in range(2))
    told: list[str] = []

    async def tell(_update: StateUpdate, token: str) -> None:
        told.append(token)

    one.ensure_lost_and_found_task(tell)
    try:
        async with patience():
            for visitor in VISITORS:
                assert await one.link_token_to_sid(visitor, f"socket of {visitor}") is None
            while not told:
                assert await other.emit_lost_and_found("ada", StateUpdate())
                await asyncio.sleep(0.01)
            told.clear()
            for visitor in VISITORS:
                assert await other.emit_lost_and_found(visitor, StateUpdate())
            await eventually(lambda: set(told) >= set(VISITORS), "what was said at another worker")
            for visitor in VISITORS:
                await one.disconnect_token(visitor, f"socket of {visitor}")
                assert not await other.is_token_connected(visitor)
        assert sorted(name for name in told if name != "ada") == sorted(set(VISITORS) - {"ada"})
    finally:
        for manager in (one, other):
            await manager.close()


async def test_a_session_is_forgotten_wherever_it_is(workers: list[RedisStates], client: Any, group: Group) -> None:
    await begin(workers[0])
    for visitor in ("ada", "grace", "mary"):
        await retitle(workers[0], visitor, " Lovelace")
    assert await forget_sessions_with(client, "lovelace") == 3
    for visitor in VISITORS:
        await forget_session(workers[0], visitor, is_wanted=_nobody, is_known=_nobody)
    assert [one.ask("KEYS", "*reflex___state*") for one in group.primaries()] == [[]] * SHARDS


async def _nobody(_token: str) -> bool:
    return False


async def test_all_keys_are_found_once(client: Any) -> None:
    names = {f"key {number}".encode() for number in range(300)}
    for name in names:
        await client.set(name, 1)
    assert sorted([name async for name in client.scan_iter("key *", count=10)]) == sorted(names)


async def test_all_else_is_there_too(client: Any, group: Group) -> None:
    cache, limit = RedisCache(client), RedisRateLimit(client, "test", Rate(1, 1))
    for visitor in VISITORS:
        await cache.set(visitor, "b", 60)
        assert await cache.get(visitor) == "b"
        await cache.delete(visitor)
        nonces = RedisNonces(client)
        await nonces.keep(visitor, "nonce", "value", 60)
        assert [await nonces.take(visitor, "nonce") for _ in range(2)] == ["value", None]
        assert [await limit.allows(visitor, 1) for _ in range(2)] == [True, False]
        assert await SecureNonces(client).use(visitor, 60)
    assert cache.failures == 0
    assert abs(await Servers(client).clock_ahead()) < 60
    settings = Settings(_env_file=None, redis_url=group.url)
    assert [found.state for found in await examined(settings)] == ["ok"]
    assert await asyncio.to_thread(redis_failure, settings) is None
    found = await examined_together(settings)
    assert [one.text for one in found if one.state == "failed"] == [
        "of 2 servers or more only these have written to Redis within 30 s: none"
    ]


async def test_a_primary_that_evicts_is_found(group: Group) -> None:
    settings = Settings(_env_file=None, redis_url=group.url)
    group.servers[2].ask("CONFIG", "SET", "maxmemory-policy", "volatile-lru")
    try:
        assert any("volatile-lru" in one.text for one in await examined_together(settings) if one.state == "failed")
    finally:
        group.servers[2].ask("CONFIG", "SET", "maxmemory-policy", "noeviction")


async def test_a_key_is_found_while_its_slot_moves(client: Any, group: Group) -> None:
    await client.set("{moving} one", "1")
    slot = key_slot(b"moving")
    primaries = group.primaries()
    source = next(one for one in primaries if one.ask("CLUSTER", "COUNTKEYSINSLOT", slot))
    target = next(one for one in primaries if one is not source)
    names = {one: one.ask("CLUSTER", "MYID") for one in primaries}
    target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", names[source])
    source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", names[target])
    # One key is there already, and the other is not.
    await client.set("{moving} two", "2")
    assert [await client.get(f"{{moving}} {name}") for name in ("one", "two")] == [b"1", b"2"]
    both = asyncio.create_task(client.mget(["{moving} one", "{moving} two"]))
    source.ask("MIGRATE", "127.0.0.1", target.port, "{moving} one", 0, 5000)
    for one in (target, source):
        one.ask("CLUSTER", "SETSLOT", slot, "NODE", names[target])
    async with patience():
        assert await both == [b"1", b"2"]


async def test_nobody_is_asked_any_more_once_it_is_closed() -> None:
    asked = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(say_nothing, "127.0.0.1", 0) as server, patience():
        (port,) = {one.getsockname()[1] for one in server.sockets}
        client: Any = open_redis(f"redis+cluster://127.0.0.1:{port}", patience=15)
        asking = asyncio.create_task(client.get("a"))
        await asked.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await client.aclose()
        assert "redis-cluster" not in {one.get_name() for one in asyncio.all_tasks()}


async def test_a_server_of_no_cluster_is_not_waited_for(redis_url: str) -> None:
    opened = open_redis(redis_url.replace("redis://", "redis+cluster://"), patience=3600)
    with pytest.raises(redis.asyncio.RedisError, match="cluster support disabled"):
        await opened.get("a")
    await opened.aclose()
