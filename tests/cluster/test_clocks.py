"""The clocks of two servers are a minute apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from tests.cluster.cluster import Cluster, clock_ahead, cluster
from tests.cluster.conftest import Say
from tests.cluster.moving import lead_to, move
from tests.cluster.traffic import flowing
from tests.services_fixtures import PostgresServer, RedisServer

AHEAD = timedelta(minutes=1)


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, redis_server: RedisServer, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    own: tuple[dict[str, str], ...] = ({}, clock_ahead(minutes=1))
    with cluster(tmp_path_factory.mktemp("clocks"), redis_server, postgres_server, own=own) as found:
        yield found


async def test_visitors_go_through_all_flows_and_nothing_is_lost(servers: Cluster, say: Say) -> None:
    async with flowing(servers) as traffic:
        await traffic.progress()
        servers.balancer.break_all()
        say(f"clocks a minute apart: all visitors go on {await traffic.progress():.1f} s after their sockets broke")


@pytest.mark.parametrize("first", [0, 1], ids=["the earlier", "the later"])
async def test_a_page_is_told_by_the_other_server_which_browser_it_is_in(servers: Cluster, first: int) -> None:
    lead_to(servers, first)
    async with servers.visitors(1) as (visitor,):
        # What is asked for over HTTP from now on reaches the other one.
        lead_to(servers, 1 - first)
        await visitor.connect()
        told = await visitor.loader.call("getSession")
        assert (told["ok"], told["value"]) == (True, None), told


@pytest.mark.parametrize("first", [0, 1], ids=["the earlier", "the later"])
async def test_a_sign_in_at_one_server_counts_at_once_for_hosts_and_at_the_other(servers: Cluster, first: int) -> None:
    lead_to(servers, first)
    async with servers.visitors(1) as (visitor,):
        await visitor.connect()
        begun = datetime.now(UTC) + (timedelta(0), AHEAD)[first]
        token = (await visitor.sign_in())["token"]
        lead_to(servers, 1 - first)
        session = servers.host.verify(token, online=True)
        assert session.address == visitor.wallet.address
        assert session.issued_at >= begun.replace(microsecond=0)
        await move(servers, visitor, 1 - first)
        told = await visitor.loader.call("getSession")
        assert told["value"]["address"] == f"eip155:1:{visitor.wallet.address}"
