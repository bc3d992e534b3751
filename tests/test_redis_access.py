"""A Redis that lets nobody in without TLS, a certificate and a password, and its user the least: one server, one of a cluster, or a primary behind Sentinels."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from redis.exceptions import AuthenticationError
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State, StateUpdate

from tests.driver import nobody
from tests.guarded_redis import QUOTED, QUOTED_OF_SENTINELS, USER, GuardedRedis, guarded_redis, rights
from tests.patience import eventually, patience
from walletmodal.config import Settings
from walletmodal.operator.look_at_cluster import cluster
from walletmodal.operator.look_at_records import redis as examined
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.session_end import forget_session, forget_sessions_with
from walletmodal.reflex_internals.worker_messages import WorkerSockets
from walletmodal.secure.calls.nonces import RedisNonces as SecureNonces
from walletmodal.services.cache import RedisCache
from walletmodal.services.rate_limit import Rate, RedisRateLimit
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.sign_in.nonces import RedisNonces

_REDIS: Any = RedisStates
ANYBODYS = {"auth", "hello"}
"""Rights that Redis takes from nobody."""
UNUSED = {"select", "client|setname"}
"""Rights that no URL here asks for: of another database than 0, and of `client_name`."""
OF_CLUSTERS = {"cluster|slots", "asking"}


@pytest.fixture(params=["redis", "redis+cluster", "redis+sentinel"])
def server(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GuardedRedis]:
    """One that runs, with the environment of `walletmodal serve`."""
    monkeypatch.setenv("REFLEX_IGNORE_REDIS_CONFIG_ERROR", "true")
    with guarded_redis(tmp_path, request.param) as found:
        yield found


@pytest_asyncio.fixture
async def guarded(server: GuardedRedis) -> AsyncIterator[str]:
    """Its URL; a connection over TLS that is closed ends once the server has taken leave, too."""
    yield server.url
    await eventually(lambda: USER not in {one["user"] for one in server.admin.client_list()}, "an end of connections")


@pytest_asyncio.fixture
async def client(guarded: str) -> AsyncIterator[Any]:
    opened = open_redis(guarded)
    yield opened
    await opened.aclose()


async def test_a_wrong_password_is_not_waited_for(guarded: str) -> None:
    stranger = open_redis(guarded.replace(QUOTED, "guessed"), patience=3600)
    with pytest.raises(AuthenticationError):
        await stranger.get("a")
    await stranger.aclose()


@pytest.mark.parametrize("server", ["redis+sentinel"], indirect=True)
async def test_a_wrong_password_of_sentinels_is_not_waited_for(guarded: str) -> None:
    stranger = open_redis(guarded.replace(QUOTED_OF_SENTINELS, "guessed"), patience=3600)
    with pytest.raises(AuthenticationError):
        await stranger.get("a")
    await stranger.aclose()


async def test_states_live_there(guarded: str) -> None:
    one, other = (_REDIS(redis=open_redis(guarded)) for _ in range(2))
    token = BaseStateToken(ident="visitor", cls=State)
    async with patience(), asyncio.TaskGroup() as both, one.modify_state(token):
        both.create_task(_enter(other, token))
        await eventually(lambda: other._lock_waiters, "another worker that waits")
    async with patience():
        await forget_session(one, "visitor", is_wanted=nobody, is_known=nobody)
        assert await forget_sessions_with(one.redis, "nothing") == 0
    for manager in (one, other):
        await manager.close()


async def _enter(manager: Any, token: BaseStateToken) -> None:
    async with manager.modify_state(token):
        pass


async def test_a_socket_that_another_worker_has_is_told_of(guarded: str) -> None:
    one, other = (WorkerSockets(open_redis(guarded)) for _ in range(2))
    told = list[str]()

    async def tell(_update: StateUpdate, token: str) -> None:
        told.append(token)

    one.ensure_lost_and_found_task(tell)
    async with patience():
        assert await one.link_token_to_sid("visitor", "sid") is None
        while not told:
            assert await other.emit_lost_and_found("visitor", StateUpdate())
            await asyncio.sleep(0.01)
        await one._renew("visitor", one.token_to_socket["visitor"])
        await one.disconnect_token("visitor", "sid")
        assert not await other.is_token_connected("visitor")
    for manager in (one, other):
        await manager.close()


async def test_all_else_is_there_too(client: Any, guarded: str) -> None:
    cache, nonces, limit = RedisCache(client), RedisNonces(client), RedisRateLimit(client, "test", Rate(1, 1))
    await cache.set("a", "b", 60)
    assert await cache.get("a") == "b"
    await cache.delete("a")
    await nonces.keep("visitor", "nonce", "value", 60)
    assert await nonces.take("visitor", "nonce") == "value"
    assert await limit.allows("client")
    assert await SecureNonces(client).use("nonce", 60)
    assert cache.failures == 0
    assert [found.state for found in await examined(Settings(_env_file=None, redis_url=guarded))] == ["ok"]


async def test_the_doctor_names_each_right_that_is_missing(server: GuardedRedis) -> None:
    chosen = Settings(_env_file=None, redis_url=server.url)
    wanted = {*rights()} - ANYBODYS - UNUSED - (set() if "cluster" in server.url else OF_CLUSTERS)
    unnamed = set()
    for right in wanted:
        with server.without(right):
            told = [one.text for one in await cluster(chosen) if one.state == "failed"]
        if right not in re.split("[ ,:]+", " ".join(told)):
            unnamed.add(right)
    assert unnamed == set()


@pytest.mark.parametrize("right", ["ping", "info"])
async def test_what_the_doctor_may_not_ask_is_no_server_that_does_not_answer(server: GuardedRedis, right: str) -> None:
    with server.without(right):
        (found,) = await examined(Settings(_env_file=None, redis_url=server.url))
    assert (found.state, found.text) == ("failed", f"refuses what servers need: {right}")
