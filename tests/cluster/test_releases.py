"""The release before beside this one, over the same Redis and PostgreSQL: pages move between both and lose nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scripts.project import ROOT
from tests.cluster.cluster import Cluster, cluster
from tests.cluster.moving import approve_elsewhere, lead_to, move
from tests.cluster.other_release import other_release
from tests.services_fixtures import PostgresServer, RedisServer


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, redis_server: RedisServer, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    """The first server is of the other release."""
    folder = tmp_path_factory.mktemp("releases")
    projects = (other_release(folder / "other"), ROOT)
    with cluster(folder, redis_server, postgres_server, projects=projects) as found:
        yield found


@pytest.mark.parametrize("begun", [0, 1], ids=["to this release", "to the other release"])
async def test_a_page_that_moves_keeps_its_wallet_and_its_view(servers: Cluster, begun: int) -> None:
    lead_to(servers, begun)
    async with servers.visitors(1) as (visitor,):
        await visitor.connect()
        await visitor.open_account()
        for number in (1 - begun, begun, 1 - begun):
            await move(servers, visitor, number)
            await visitor.reach_connected()
            assert (visitor.tab.value("ShellState", "open"), visitor.tab.value("ShellState", "view")) == (
                True,
                "Account",
            )


@pytest.mark.parametrize("begun", [0, 1], ids=["to this release", "to the other release"])
async def test_a_request_that_waits_goes_on_there_and_is_signed_once(servers: Cluster, begun: int) -> None:
    lead_to(servers, begun)
    async with servers.visitors(1) as (visitor,):
        await visitor.connect()
        told = await approve_elsewhere(servers, visitor, "hello", 1 - begun)
        assert [one.value for one in visitor.loader.signed if one.request] == [told["value"]]


async def test_visitors_get_to_the_end_of_every_flow_while_both_serve(servers: Cluster) -> None:
    async with servers.visitors(2) as visitors:
        for visitor in visitors:
            await visitor.connect()
            told = await visitor.sign_in()
            assert servers.host.verify(told["token"], online=True).address == visitor.wallet.address
            await move(servers, visitor, visitor.number % 2)
            servers.balancer.only = None
            assert await visitor.send() in [one.value for one in visitor.loader.signed]
