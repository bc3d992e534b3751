"""Every server of a deployment is replaced, one after the other, and no visitor loses a form or a request."""

from collections.abc import Iterator

import pytest

from tests.cluster.cluster import Cluster, cluster
from tests.cluster.rolling import roll
from tests.services_fixtures import PostgresServer, RedisServer

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
        assert any(one.tab.lost for one in visitors)
