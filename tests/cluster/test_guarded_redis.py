"""Servers over Redis behind Sentinels, or in a cluster, all of whom ask for TLS, a certificate, a user and a password: a primary fails in the middle of visitors' flows."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.cluster.cluster import Cluster, cluster
from tests.cluster.conftest import Say
from tests.cluster.traffic import flowing
from tests.guarded_redis import guarded_cluster, guarded_sentinels
from tests.patience import eventually
from tests.redis_groups import Failing, Group
from tests.services_fixtures import PostgresServer, RedisServer


@pytest.fixture(params=[guarded_sentinels, guarded_cluster], ids=["behind Sentinels", "in a cluster"])
def group(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Group]:
    with request.param(tmp_path_factory.mktemp("redis")) as found:
        yield found


@pytest.fixture
def over_it(
    tmp_path_factory: pytest.TempPathFactory, group: Group, redis_server: RedisServer, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    with cluster(folder, redis_server, postgres_server, settings={"REDIS_URL": group.url}) as found:
        yield found


@pytest.mark.parametrize("way", ["killed", "frozen"])
async def test_visitors_go_on_while_another_primary_takes_over(
    over_it: Cluster, group: Group, way: Failing, say: Say
) -> None:
    async with flowing(over_it) as traffic:
        await traffic.until_asked()
        failed = group.primaries()[0]
        began = time.monotonic()
        failed.fail(way)
        await eventually(lambda: group.is_whole(without=failed), "another primary", step=0.2)
        await traffic.progress()
        say(f"primary {way}: all visitors go on after {time.monotonic() - began:.1f} s")
        if way == "frozen":
            failed.resume()
        await traffic.progress()
