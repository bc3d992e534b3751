"""Several servers are one modal, whichever of them a socket or a request reaches: nothing is one server's alone, and nothing counts twice."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest
from redis.asyncio import Redis

from tests.cluster.cluster import Cluster
from tests.cluster.moving import lead_to
from tests.patience import PATIENCE, patience
from walletmodal.operator.look_at_cluster import compare
from walletmodal.services.servers import Servers
from walletmodal.web.host_api import GUESS_RATE


async def test_what_a_socket_began_at_one_server_goes_on_over_http_at_the_other(servers: Cluster) -> None:
    lead_to(servers, 0)
    async with servers.visitors(1) as (visitor,):
        await visitor.connect()
        lead_to(servers, 1)
        told = await visitor.sign_in()
        assert servers.host.verify(told["token"], online=True).address == visitor.wallet.address


async def test_calls_that_reach_different_servers_count_together(servers: Cluster) -> None:
    begun = time.monotonic()
    visitor = {"X-Forwarded-For": "203.0.113.7"}
    ports = [member.server.port for member in servers.members]
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE, headers=visitor) as client:
        asked = [
            await client.get(f"http://127.0.0.1:{ports[number % 2]}/v1/sessions/guess")
            for number in range(2 * GUESS_RATE.burst)
        ]
    allowed = sum(one.status_code != httpx.codes.TOO_MANY_REQUESTS for one in asked)
    refilled = (time.monotonic() - begun) * GUESS_RATE.per_second
    assert GUESS_RATE.burst <= allowed <= GUESS_RATE.burst + refilled + 1


@pytest.mark.parametrize("sticky", [False, True], ids=["no stickiness", "stickiness"])
async def test_any_balancer_will_do(servers: Cluster, sticky: bool) -> None:
    servers.balancer.sticky = sticky
    try:
        async with servers.visitors(3) as visitors:
            for visitor in visitors:
                await visitor.connect()
                told = await visitor.sign_in()
                assert servers.host.verify(told["token"], online=True).address == visitor.wallet.address
                await visitor.approve("hello")
    finally:
        servers.balancer.sticky = False


async def test_the_doctor_finds_that_they_fit_together(servers: Cluster) -> None:
    async with Redis.from_url(servers.redis.url) as redis, patience():
        while len(reports := await Servers(redis).all()) < len(servers.members):
            await asyncio.sleep(0.2)
    assert [one.state for one in compare(reports)] == ["ok"]
