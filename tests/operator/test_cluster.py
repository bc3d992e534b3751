"""`doctor --cluster` and the start: whether several servers are one deployment, and which of them is not of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from redis import Redis as SyncRedis
from redis.asyncio import Redis

from tests.services_fixtures import postgres_server, redis_server, redis_url
from walletmodal.config import Settings
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.operator.findings import Finding
from walletmodal.operator.look_at_cluster import cluster, compare
from walletmodal.operator.start_checks import cluster_gaps
from walletmodal.server_report import server_report
from walletmodal.services.servers import PREFIX, ServerReport, Servers

__all__ = ["postgres_server", "redis_server", "redis_url"]

SECRET = "hunter2-of-this-deployment"
REPORT = ServerReport(
    name="a:3000",
    version="1.0.0",
    states="shape",
    front_end="built",
    secret_key="keyed",
    policy="",
    settings={"NETWORKS": "keyed"},
    database="7/1",
    revision="0012",
)


def report(**changed: Any) -> ServerReport:
    return REPORT.model_copy(update=changed)


def told(found: list[Finding]) -> list[tuple[str, str]]:
    return [(one.state, one.part) for one in found]


def settings(**chosen: Any) -> Settings:
    return Settings(_env_file=None, **chosen)


@pytest.fixture(autouse=True)
def _no_other_settings(environment: pytest.MonkeyPatch) -> None:
    """What a test chooses is all that is set."""


def test_servers_that_agree_are_one_deployment() -> None:
    assert told(compare([report(), report(name="b:3000"), report(name="c:3000")])) == [("ok", "cluster")]


def test_one_server_is_no_cluster() -> None:
    assert told(compare([report()])) == [("failed", "cluster")]


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"secret_key": "another", "settings": {"NETWORKS": "keyed with another"}}, "SECRET_KEY"),
        ({"policy": "another"}, "POLICY_FILE"),
        ({"settings": {"NETWORKS": "another"}}, "NETWORKS"),
        ({"settings": {}}, "NETWORKS"),
        ({"database": "7/2"}, "database"),
        ({"database": "SQLite"}, "SQLite"),
        ({"clock_ahead": -1.2}, "clock"),
    ],
)
def test_the_server_that_differs_is_named_with_what_it_differs_in(changed: dict[str, Any], word: str) -> None:
    found = compare([report(), report(name="b:3000", **changed), report(name="c:3000")])
    assert {(one.state, one.part) for one in found} == {("failed", "server b:3000")}
    assert word in found[0].text


@pytest.mark.parametrize("changed", [{"version": "1.1.0"}, {"front_end": "newer"}, {"states": "x"}, {"revision": "13"}])
def test_servers_in_the_middle_of_an_upgrade_are_only_warned_of(changed: dict[str, Any]) -> None:
    assert told(compare([report(), report(name="b:3000", **changed)])) == [("warning", "server b:3000")]


async def test_what_a_server_says_of_itself_has_nothing_secret(tmp_path: Path) -> None:
    policy = tmp_path / "policy.py"
    policy.write_text("def decide(request):\n    return None\n")
    engine = open_engine(f"sqlite:///{tmp_path / 'none.db'}")
    chosen = settings(secret_key=SecretStr(SECRET), api_key=SecretStr(SECRET), policy_file=policy)
    said = (await server_report(chosen, engine)).model_dump_json()
    await close_engine(engine)
    assert SECRET not in said


async def test_a_server_without_a_secret_says_nothing_of_its_settings(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'modal.db'}")
    report = await server_report(settings(secret_key=None, api_key=SecretStr(SECRET)), engine)
    await close_engine(engine)
    assert (report.secret_key, report.settings) == ("", {})


async def test_the_same_secret_and_settings_look_alike_and_others_do_not(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'none.db'}")
    one, same, other = [
        await server_report(settings(secret_key=SecretStr(secret), networks=(chain,), walletmodal_port=port), engine)
        for secret, chain, port in (
            (SECRET, "eip155:1", 3000),
            (SECRET, "eip155:1", 3001),
            (SECRET[::-1], "eip155:1", 3002),
        )
    ]
    await close_engine(engine)
    assert told(compare([one, same])) == [("failed", f"server {one.name}"), ("failed", f"server {same.name}")]
    assert (one.secret_key, one.settings) == (same.secret_key, same.settings)
    assert other.secret_key != one.secret_key


async def test_servers_on_one_postgresql_say_so(postgres_server: Any) -> None:
    found = []
    for url in (postgres_server.create_database(), postgres_server.create_database()):
        engine = open_engine(url)
        found.append((await server_report(settings(database_url=url), engine)).database)
        await close_engine(engine)
    system = [one.partition("/")[0] for one in found]
    assert system[0] == system[1] != ""
    assert found[0] != found[1]


async def test_redis_has_the_servers_of_the_last_half_minute(redis_url: str) -> None:
    async with Redis.from_url(redis_url) as redis:
        servers = Servers(redis)
        await servers.put(report(clock_ahead=5.0))
        await redis.set(f"{PREFIX}nonsense", "no entry")
        (found,) = await servers.all()
        assert (found.name, abs(found.clock_ahead) < 4, 0 < await redis.ttl(f"{PREFIX}a:3000") <= 30) == (
            "a:3000",
            True,
            True,
        )


async def test_a_redis_that_evicts_is_no_cluster_s(redis_url: str) -> None:
    async with Redis.from_url(redis_url) as redis:
        for name in ("a:3000", "b:3000"):
            await Servers(redis).put(report(name=name))
        chosen = settings(redis_url=redis_url)
        assert told(list(await cluster(chosen))) == [("ok", "cluster"), ("ok", "redis"), ("ok", "redis")]
        await redis.config_set("maxmemory-policy", "volatile-lru")
        try:
            assert told(list(await cluster(chosen)))[-1] == ("failed", "redis")
        finally:
            await redis.config_set("maxmemory-policy", "noeviction")


async def test_a_redis_that_refuses_what_servers_need_is_named(redis_url: str) -> None:
    async with Redis.from_url(redis_url) as redis:
        await redis.acl_setuser("few", enabled=True, passwords=["+few"], commands=["+@all", "-eval"], keys=["*"])
        try:
            found = await cluster(settings(redis_url=redis_url.replace("://", "://few:few@")))
        finally:
            await redis.acl_deluser("few")
    assert any(one.state == "failed" and "eval" in one.text for one in found)


async def test_without_redis_there_is_no_cluster() -> None:
    assert told(list(await cluster(settings()))) == [("failed", "cluster")]


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ({}, []),
        ({"database_url": "postgresql://localhost/walletmodal"}, ["REDIS_URL"]),
        ({"walletmodal_host": "0.0.0.0"}, ["TRUSTED_PROXIES"]),
        ({"walletmodal_host": "0.0.0.0", "trusted_proxies": ("10.0.0.0/8",)}, []),
    ],
)
def test_the_start_says_what_a_cluster_would_lack(chosen: dict[str, Any], names: list[str]) -> None:
    assert [one.split()[0] for one in cluster_gaps(settings(**chosen))] == names


def test_the_start_says_that_other_servers_cannot_share_its_database(redis_url: str) -> None:
    with SyncRedis.from_url(redis_url) as client:
        client.set(f"{PREFIX}b:3000", report(name="b:3000").model_dump_json())
    said = cluster_gaps(settings(redis_url=redis_url))
    assert ["b:3000" in said[0], *(one.split()[0] for one in said[1:])] == [True, "DATABASE_URL", "SECRET_KEY"]
