"""PostgreSQL is failed over to its standby, or its disk is full, in the middle of visitors' flows: nothing that was told is lost."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster, cluster
from tests.cluster.conftest import Say
from tests.cluster.failures import refused
from tests.cluster.postgres import SmallDisk, Standby, small_disk
from tests.cluster.traffic import flowing
from tests.patience import eventually
from tests.services_fixtures import PostgresServer, RedisServer


@pytest.fixture
def pair() -> Iterator[tuple[PostgresServer, Standby]]:
    """A primary and its standby, which has what the primary has said to be committed."""
    primary = PostgresServer()
    primary.start()
    standby = Standby(primary)
    try:
        standby.start()
        yield primary, standby
    finally:
        standby.stop()
        shutil.rmtree(primary._folder)


async def test_nothing_is_lost_when_postgresql_fails_over(
    pair: tuple[PostgresServer, Standby], redis_server: RedisServer, tmp_path: Path, say: Say
) -> None:
    primary, standby = pair
    with cluster(tmp_path, redis_server, primary) as servers:
        await standby.hold_commits()
        async with flowing(servers) as traffic:
            await traffic.until_asked()
            await asyncio.to_thread(primary.halt)
            await _fail_over(servers, standby)
            say(f"PostgreSQL fails over: all visitors go on {await traffic.progress():.1f} s after it")


async def _fail_over(servers: Cluster, standby: Standby) -> None:
    """Whoever asks for the database by its one address reaches the standby, which takes writes by then."""
    await asyncio.to_thread(standby.promote)
    for member in servers.members:
        member.database.upstream = standby.port
    servers.database_url = servers.database_url.replace(f":{servers.postgres.port}/", f":{standby.port}/")
    servers.postgres = standby


@pytest.fixture
def filling() -> Iterator[SmallDisk]:
    """One on a disk that a test can fill."""
    try:
        with small_disk() as folder:
            server = SmallDisk(folder)
            server.start()
            yield server
            server.stop()
    except PermissionError:
        pytest.skip("who runs the tests may not mount a disk, without which none can be full")


async def test_nothing_is_lost_when_the_disk_of_postgresql_is_full(
    filling: SmallDisk, redis_server: RedisServer, tmp_path: Path, say: Say
) -> None:
    with cluster(tmp_path, redis_server, filling) as servers:
        ready = {member.server.port for member in servers.members}
        async with flowing(servers) as traffic:
            await traffic.until_asked()
            before = refused(servers)
            filling.fill()
            await eventually(lambda: refused(servers) > before, "a write for which there is no room", step=0.1)
            await filling.make_room()
            await eventually(lambda: servers.balancer.ready == ready, "readiness of all servers", step=0.05)
            say(f"PostgreSQL's disk is full: all visitors go on {await traffic.progress():.1f} s after its end")
