"""Every server of a deployment is replaced, one after the other, and no visitor loses a form or a request."""

import asyncio
from collections.abc import Iterator

import pytest
from redis.asyncio import Redis

from tests.cluster.cluster import Cluster, cluster
from tests.cluster.ledger import assert_nothing_is_lost
from tests.cluster.rolling import MOVED, roll
from tests.services_fixtures import PostgresServer, RedisServer
from walletmodal.services.servers import PREFIX, server_name

VISITORS = 12


@pytest.fixture(scope="module")
def behind_a_balancer(
    tmp_path_factory: pytest.TempPathFactory, redis_server: RedisServer, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    """Two servers whose balancer hears in time that one of them is going to end."""
    with cluster(
        tmp_path_factory.mktemp("rolling"), redis_server, postgres_server, settings={"DRAIN_DELAY_SECONDS": "2"}
    ) as found:
        yield found


async def test_a_rolling_restart_loses_no_form_and_no_pending_request(behind_a_balancer: Cluster) -> None:
    async with behind_a_balancer.visitors(VISITORS) as visitors:
        assert await roll(behind_a_balancer, visitors) == []
        await assert_nothing_is_lost(behind_a_balancer, visitors)
        assert any(one.tab.lost for one in visitors)


async def test_pages_do_not_wait_for_a_server_that_is_not_there(behind_a_balancer: Cluster) -> None:
    """They come back to the next one, where the one that ends is the only one."""
    going, other = (member.server for member in behind_a_balancer.members)
    await asyncio.to_thread(other.stop)
    async with Redis.from_url(behind_a_balancer.redis.url) as redis:
        # As after the time for which it is kept.
        assert await redis.delete(f"{PREFIX}{server_name(other.port)}")
    try:
        async with behind_a_balancer.visitors(1) as (visitor,):
            await visitor.connect()
            await asyncio.to_thread(going.restart)
            await visitor.return_to_server()
            assert visitor.tab.lost
            assert MOVED not in visitor.tab.lost
            await visitor.approve("hello")
    finally:
        await asyncio.to_thread(other.start)
