"""Servers over a Redis Cluster: visitors connect, sign in and approve, also while a primary of it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.cluster.cluster import Cluster, cluster
from tests.patience import eventually, patience
from tests.redis_groups import Group, in_cluster
from tests.services_fixtures import PostgresServer, RedisServer
from walletmodal.operator.look_at_cluster import compare
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.servers import Servers

VISITORS = 6


@pytest.fixture(scope="module")
def group() -> Iterator[Group]:
    with in_cluster(replicas=1) as found:
        yield found


@pytest.fixture(scope="module")
def over_it(
    tmp_path_factory: pytest.TempPathFactory, group: Group, redis_server: RedisServer, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    with cluster(folder, redis_server, postgres_server, settings={"REDIS_URL": group.url, "WORKERS": "2"}) as found:
        yield found


async def test_visitors_go_on_while_a_primary_is_replaced(over_it: Cluster, group: Group) -> None:
    async with over_it.visitors(VISITORS) as visitors:
        await asyncio.gather(*(one.connect() for one in visitors))
        for visitor in visitors:
            told = await visitor.sign_in()
            assert over_it.host.verify(told["token"], online=True).address == visitor.wallet.address
        failed = group.primaries()[0]
        failed.fail("killed")
        signed = await asyncio.gather(*(one.approve("hello") for one in visitors))
        assert len(set(signed)) == VISITORS
        assert all(one.approved for one in visitors)
        await eventually(lambda: group.is_whole(without=failed), "another primary", step=0.2)
        for visitor in visitors:
            await visitor.return_to_server()
            await visitor.approve("again")


async def test_the_doctor_finds_that_they_fit_together(over_it: Cluster, group: Group) -> None:
    async with open_redis(group.url, patience=15) as redis, patience():
        while len(reports := await Servers(redis).all()) < len(over_it.members):
            await asyncio.sleep(0.2)
    assert [one.state for one in compare(reports)] == ["ok"]
