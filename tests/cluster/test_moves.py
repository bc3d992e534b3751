"""What a visitor has begun at one server goes on at another one, where the page's socket comes back."""

from __future__ import annotations

from tests.cluster.cluster import Cluster
from tests.cluster.moving import lead_to, move
from tests.cluster.rolling import OpenForm, PendingRequest


async def test_a_request_that_was_asked_at_one_server_is_approved_at_another(servers: Cluster) -> None:
    lead_to(servers, 0)
    async with servers.visitors(1) as (visitor,):
        await visitor.connect()
        request = PendingRequest(visitor)
        await request.begin()
        await move(servers, visitor, 1)
        assert await request.finish() == ""


async def test_a_form_that_was_filled_in_at_one_server_is_sent_at_another(servers: Cluster) -> None:
    lead_to(servers, 0)
    async with servers.visitors(1) as (visitor,):
        await visitor.connect()
        await visitor.sign_in()
        form = OpenForm(visitor)
        await form.begin()
        await move(servers, visitor, 1)
        assert await form.finish() == ""
