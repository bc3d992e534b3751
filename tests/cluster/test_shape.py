"""Three servers as a team runs them: behind nginx, PgBouncer before PostgreSQL, Redis over TLS with the least rights, each as docs/operations.md says."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.browser.polling import until
from tests.browser.servers import ModalServer
from tests.cluster.cluster import SECRET, Cluster, Member, cluster
from tests.cluster.conftest import Say
from tests.cluster.traffic import flowing
from tests.guarded_redis import GuardedRedis, guarded_redis
from tests.patience import eventually
from tests.proxies import NAME, nginx_command, sample, with_own
from tests.services_fixtures import PgBouncer, PostgresServer, RedisServer, wait_until
from tests.services_fixtures import pgbouncer as pgbouncer
from tests.tls import Authority

SERVERS = 3
VISITORS = 4
STICKY = "hash $binary_remote_addr consistent;"
POOLED = 2
"""Connections that the pooler has to PostgreSQL."""


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuardedRedis]:
    with guarded_redis(tmp_path_factory.mktemp("redis")) as found:
        yield found


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory,
    redis: GuardedRedis,
    redis_server: RedisServer,
    postgres_server: PostgresServer,
    pgbouncer: PgBouncer,
) -> Iterator[Cluster]:
    folder, settings = tmp_path_factory.mktemp("cluster"), {"REDIS_URL": redis.url}
    with cluster(folder, redis_server, postgres_server, count=SERVERS, settings=settings, pooler=pgbouncer) as found:
        # nginx takes its port.
        found.balancer.close()
        yield found


@pytest.fixture(params=["", STICKY], ids=["no stickiness", "stickiness"])
def sticky(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def behind_nginx(servers: Cluster, tmp_path: Path, sticky: str) -> Iterator[Cluster]:
    with nginx(tmp_path, servers, sticky):
        yield servers


@contextmanager
def nginx(folder: Path, servers: Cluster, sticky: str) -> Iterator[None]:
    """It leads to the servers for the length of the block."""
    # Its certificate is looked at by tests/web/test_proxies.py.
    authority = Authority(folder, NAME)
    ports = [f"127.0.0.1:{member.server.port}" for member in servers.members]
    theirs = dict(zip(("10.0.0.11:3000", "10.0.0.12:3000", "10.0.0.13:3000"), ports, strict=True))
    upstream = with_own(sample("nginx", "upstream "), {**theirs, "{\n": f"{{\n{sticky}\n"})
    site = with_own(
        sample("nginx", "map "),
        {
            "listen 443 ssl http2;": f"listen 127.0.0.1:{servers.balancer.port};",
            "/etc/ssl/modal.example.com.pem": str(authority.certificate),
            "/etc/ssl/modal.example.com.key": str(authority.key),
            "/var/log/nginx/modal.log": str(folder / "modal.log"),
            "/var/log/nginx/error.log": str(folder / "error.log"),
            "http://127.0.0.1:3000": "http://walletmodal",
        },
    )
    # All visitors are on this machine, and tell of another address as a proxy before this one does.
    addresses = "set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;\n"
    running = subprocess.Popen(
        nginx_command(folder, addresses + upstream + site), stdin=subprocess.DEVNULL, env={"HOME": str(folder)}
    )
    try:
        wait_until(lambda: running.poll() is not None or _listens(servers.balancer.port), "nginx")
        assert running.poll() is None, (folder / "error.log").read_text("utf-8")
        yield
    finally:
        running.terminate()
        running.wait()


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def pages(servers: Cluster) -> list[float]:
    """How many each server has."""
    return [member.server.metric("walletmodal_open_sockets") for member in servers.members]


def busiest(servers: Cluster) -> Member:
    """The server with the most pages."""
    most = max(zip(pages(servers), range(SERVERS), strict=True))
    assert most[0]
    return servers.members[most[1]]


async def test_pages_are_spread_as_nginx_is_told(behind_nginx: Cluster, sticky: str) -> None:
    async with behind_nginx.visitors(VISITORS) as visitors:
        await eventually(lambda: sum(pages(behind_nginx)) == VISITORS, "figures of all pages", step=0.2)
        before = pages(behind_nginx)
        for visitor in visitors:
            await visitor.return_to_server()
        await eventually(lambda: sum(pages(behind_nginx)) == VISITORS, "figures of all pages", step=0.2)
        if sticky:
            assert pages(behind_nginx) == before
        else:
            assert all(pages(behind_nginx))


@pytest.mark.parametrize("end", [ModalServer.kill, ModalServer.stop], ids=["killed", "ended"])
async def test_visitors_go_on_when_a_server_goes_and_nothing_is_lost(
    behind_nginx: Cluster, end: Any, sticky: str, say: Say
) -> None:
    async with flowing(behind_nginx, VISITORS) as traffic:
        await traffic.until_asked()
        server = busiest(behind_nginx).server
        await asyncio.to_thread(end, server)
        seconds = await traffic.progress()
        await asyncio.to_thread(server.start)
        await traffic.progress()
        lost = {kind for visitor in traffic.visitors for kind in visitor.tab.lost}
        assert lost
    how = "with stickiness" if sticky else "without stickiness"
    say(f"server {end.__name__}, nginx {how}: all visitors go on after {seconds:.1f} s ({', '.join(sorted(lost))})")
    assert await connections(behind_nginx) <= POOLED


async def connections(servers: Cluster) -> int:
    """How many PostgreSQL has of all servers together."""
    asking: Any = await asyncpg.connect(servers.postgres.url("postgres"))
    name = servers.database_url.rpartition("/")[2]
    try:
        return int(await asking.fetchval("SELECT count(*) FROM pg_stat_activity WHERE datname = $1", name))
    finally:
        await asking.close()


Found = tuple[int, dict[str, str]]
"""Status of the doctor, and what has failed: part and sentence."""


def doctor(servers: Cluster) -> Found:
    done = servers.members[0].server.run("doctor", "--cluster", "--json")
    found = json.loads(done.stdout)
    return done.returncode, {one["part"]: one["finding"] for one in found if one["state"] == "failed"}


@pytest.fixture
def examined(servers: Cluster, tmp_path: Path) -> Iterator[Cluster]:
    """Servers that browsers reach, and of which each has said what it is."""
    with nginx(tmp_path, servers, ""):
        until(lambda: doctor(servers), lambda found: not found[0], what="servers that fit together")
        yield servers


def test_the_doctor_finds_that_all_is_well(examined: Cluster) -> None:
    done = examined.members[-1].server.run("doctor", "--cluster")
    assert done.returncode == 0
    assert f"{SERVERS} servers fit together" in done.stdout


def test_the_doctor_names_the_server_with_another_secret(examined: Cluster) -> None:
    server = examined.members[1].server
    _restart(server, SECRET[::-1])
    try:
        _, failed = until(lambda: doctor(examined), lambda found: bool(found[0]), what="a server that does not fit")
    finally:
        _restart(server, SECRET)
    ((part, finding),) = failed.items()
    assert part.endswith(f":{server.port}")
    assert "another SECRET_KEY" in finding


def _restart(server: ModalServer, secret: str) -> None:
    server.kill()
    server.set(SECRET_KEY=secret)
    server.start()


def test_the_doctor_names_the_right_that_the_user_of_redis_lacks(examined: Cluster, redis: GuardedRedis) -> None:
    with redis.without("publish"):
        assert doctor(examined) == (1, {"redis": "refuses what servers need: publish"})
