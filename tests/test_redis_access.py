"""A Redis that lets nobody in without TLS, a certificate and a password, and its user the least: one server, or one of a cluster."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import redis
from redis.exceptions import AuthenticationError
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State
from reflex.utils.token_manager import RedisTokenManager

from scripts.project import ROOT
from tests.driver import nobody
from tests.patience import eventually, patience
from tests.ports import free_ports
from tests.redis_groups import RedisProcess
from tests.services_fixtures import wait_until
from tests.tls import Authority
from walletmodal.config import Settings
from walletmodal.operator.look_at_records import redis as examined
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.session_end import forget_session, forget_sessions_with
from walletmodal.secure.calls.nonces import RedisNonces as SecureNonces
from walletmodal.services.cache import RedisCache
from walletmodal.services.rate_limit import Rate, RedisRateLimit
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.sign_in.nonces import RedisNonces

_REDIS: Any = RedisStates
PASSWORD = "pa/ss#w@rd?"
QUOTED = "pa%2Fss%23w%40rd%3F"


def documented() -> dict[str, str]:
    """What docs/operations.md tells operators to configure."""
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    found = re.search(r"```text\n(notify-keyspace-events .*?)```", text, re.DOTALL)
    assert found is not None
    return dict.fromkeys(found[1].replace(">password", f">{PASSWORD}").splitlines(), "")


CLUSTER = {
    "cluster-enabled": "yes",
    "tls-cluster": "yes",
    "cluster-announce-hostname": "localhost",
    "cluster-preferred-endpoint-type": "hostname",
    "user admin on nopass ~* &* +@all": "",
}


@pytest.fixture(params=["redis", "redis+cluster"])
def guarded(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """URL of one that runs, with the environment of `walletmodal serve`."""
    monkeypatch.setenv("REFLEX_IGNORE_REDIS_CONFIG_ERROR", "true")
    authority, in_cluster = Authority(tmp_path), request.param == "redis+cluster"
    lines = {
        **documented(),
        "tls-port": str(port := free_ports()),
        "tls-cert-file": str(authority.certificate),
        "tls-key-file": str(authority.key),
        "tls-ca-cert-file": str(authority.file),
        "tls-auth-clients": "yes",
        "save": '""',
        **({**CLUSTER, "cluster-port": str(free_ports())} if in_cluster else {}),
    }
    server = RedisProcess(tmp_path, 0, lines)
    files = f"ssl_ca_certs={authority.file}&ssl_certfile={authority.certificate}&ssl_keyfile={authority.key}"
    url = f"rediss://walletmodal:{QUOTED}@localhost:{port}/0?{files}"
    try:
        with redis.Redis.from_url(url) as client:
            wait_until(lambda: _answers(client), "redis-server")
        if in_cluster:
            with redis.Redis.from_url(url.replace(f"walletmodal:{QUOTED}", "admin:none")) as admin:
                admin.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16383)
                wait_until(lambda: b"cluster_state:ok" in admin.execute_command("CLUSTER", "INFO"), "a cluster")
        yield url.replace("rediss://", f"{request.param.replace('redis', 'rediss')}://")
    finally:
        server.stop()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


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


async def test_states_live_there(guarded: str) -> None:
    one, other = (_REDIS(redis=open_redis(guarded)) for _ in range(2))
    token = BaseStateToken(ident="visitor", cls=State)
    async with patience(), asyncio.TaskGroup() as both, one.modify_state(token):
        both.create_task(_enter(other, token))
        await eventually(lambda: other._lock_waiters, "another worker that waits")
    async with patience():
        await forget_session(one, "visitor", is_wanted=nobody)
        assert await forget_sessions_with(one.redis, "nothing") == 0
    for manager in (one, other):
        await manager.close()


async def _enter(manager: Any, token: BaseStateToken) -> None:
    async with manager.modify_state(token):
        pass


async def test_a_socket_that_another_worker_has_is_told_of(guarded: str) -> None:
    one, other = (RedisTokenManager(open_redis(guarded)) for _ in range(2))
    async with patience():
        assert await one.link_token_to_sid("visitor", "sid") is None
        assert await other.is_token_connected("visitor")
        # It hears that it is gone by what Redis tells of keys.
        await other.link_token_to_sid("somebody", "else")
        while "visitor" in other.token_to_socket:
            await one.link_token_to_sid("visitor", "sid")
            await one.disconnect_token("visitor", "sid")
            await asyncio.sleep(0.01)
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
