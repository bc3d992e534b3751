"""The clocks of two servers are a minute apart."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scripts.project import ROOT
from tests.cluster.cluster import Cluster, cluster
from tests.cluster.moving import lead_to, move
from tests.cluster.traffic import flowing
from tests.services_fixtures import PostgresServer, RedisServer

AHEAD = timedelta(minutes=1)
"""As in clock_ahead/sitecustomize.py."""


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, redis_server: RedisServer, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    # The folder's script imports ours, before Python adds the folder that it is started in.
    path = os.pathsep.join([str(Path(__file__).parent / "clock_ahead"), str(ROOT)])
    own: tuple[dict[str, str], ...] = ({}, {"PYTHONPATH": path})
    with cluster(tmp_path_factory.mktemp("clocks"), redis_server, postgres_server, own=own) as found:
        yield found


async def test_visitors_go_through_all_flows_and_nothing_is_lost(servers: Cluster) -> None:
    async with flowing(servers) as traffic:
        await traffic.progress()
        servers.balancer.break_all()
        await traffic.progress()


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
