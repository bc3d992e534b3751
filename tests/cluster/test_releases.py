"""Servers of two releases beside each other, as they stand during an upgrade: the release before, built from its own sources, and this one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from scripts.project import ROOT
from tests.cluster.cluster import Cluster, cluster
from tests.cluster.ledger import assert_nothing_is_lost
from tests.cluster.moving import lead_to, move
from tests.cluster.releases import upgrade
from tests.cluster.rolling import PLACE_OF_RELEASES, OpenForm, PendingRequest, roll
from tests.cluster.visitor import Visitor
from tests.services_fixtures import PostgresServer, RedisServer

# Redis is emptied: sessions of the test before have the same names, and belong to another database.
pytestmark = pytest.mark.usefixtures("redis_url")
VISITORS: Final = 12


@pytest.fixture
def servers(
    tmp_path: Path, redis_server: RedisServer, postgres_server: PostgresServer, release_before: Path
) -> Iterator[Cluster]:
    """Two servers of the release before."""
    settings = {"DRAIN_DELAY_SECONDS": "2"}
    with cluster(tmp_path, redis_server, postgres_server, settings=settings, project=release_before) as found:
        yield found


async def begun(sending: Visitor, asked: Visitor) -> tuple[OpenForm, PendingRequest]:
    """Two who have signed in, the one in the middle of a form, the other of a request."""
    for visitor in (sending, asked):
        await visitor.connect()
        await visitor.sign_in()
    form, request = OpenForm(sending), PendingRequest(asked)
    await form.begin()
    await request.begin()
    return form, request


async def test_an_upgrade_of_one_server_after_the_other_loses_no_form_and_no_pending_request(servers: Cluster) -> None:
    for member in servers.members:
        member.server.serve_from(ROOT)
    async with servers.visitors(VISITORS) as visitors:
        assert await roll(servers, visitors, PLACE_OF_RELEASES) == []
        await assert_nothing_is_lost(servers, visitors)
        assert any(one.tab.lost for one in visitors)


@pytest.mark.parametrize("updated", [0, 1])
async def test_what_was_begun_at_one_release_is_finished_at_the_other(servers: Cluster, updated: int) -> None:
    upgrade(servers, updated)
    lead_to(servers, 0)
    async with servers.visitors(2) as (sending, asked):
        form, request = await begun(sending, asked)
        await move(servers, sending, 1)
        await move(servers, asked, 1)
        assert [await form.finish(), await request.finish()] == ["", ""]


async def test_a_page_that_is_loaded_anew_at_the_other_release_begins_there(servers: Cluster) -> None:
    upgrade(servers, 1)
    for number in (0, 1, 0):
        lead_to(servers, number)
        # The same numbers, so the same tokens: tabs keep theirs when they are loaded anew.
        servers._count = 0
        async with servers.visitors(2) as (sending, asked):
            form, request = await begun(sending, asked)
            assert [await form.finish(), await request.finish()] == ["", ""]
