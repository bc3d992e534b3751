"""Something fails in the middle of visitors' flows, and heals: they go on, nothing is lost, and nothing is signed twice."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.cluster import failures
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import Say
from tests.cluster.failures import Failure, away, both, postgres, redis
from tests.cluster.ledger import assert_nothing_is_lost
from tests.cluster.moving import lead_to
from tests.cluster.traffic import flowing
from walletmodal.services.redis_patience import PATIENT

LONG = PATIENT + 1
"""Seconds: longer than what is said is tried again."""
GO_ON = {
    "server killed": failures.killed,
    "server frozen": failures.frozen,
    "PostgreSQL slow": failures.postgres_slow,
    "balancer drops idle sockets": failures.idle_dropped,
    "balancer forgets its sockets": failures.stranded,
    "PostgreSQL restarted": failures.postgres_restarted,
    "Redis away from one server": away(redis),
    "Redis silent for one server": away(redis, silent=True),
    "Redis and PostgreSQL away from one server": away(both),
    "Redis emptied": failures.redis_emptied,
    "Redis with states that cannot be read": failures.redis_spoiled,
    "messages that no worker says": failures.messages_poisoned,
}
"""While it lasts visitors get to the end of their flows."""
WAIT = {
    "PostgreSQL away from one server": away(postgres),
    "PostgreSQL silent for one server": away(postgres, silent=True),
    "PostgreSQL away from all servers": away(postgres, everywhere=True),
    "PostgreSQL takes no writes": failures.postgres_full,
    "Redis away from all servers": away(redis, everywhere=True, seconds=LONG),
    "Redis and PostgreSQL away from all servers": away(both, everywhere=True, seconds=LONG),
}
"""Who is at a server that it concerns cannot go on until it is over."""
HERD = 40
"""Visitors whose sockets break at once. `make bench-scale` has 5,000 come back, who do nothing meanwhile."""


@pytest.mark.parametrize("name", GO_ON)
async def test_visitors_go_on_meanwhile_and_nothing_is_lost(servers: Cluster, name: str, say: Say) -> None:
    failure: Failure = GO_ON[name]
    # All are at the server that fails, where it is one.
    lead_to(servers, 0)
    async with flowing(servers) as traffic:
        servers.balancer.only = None
        await traffic.until_asked()
        async with failure(servers):
            say(f"{name}: all visitors go on after {await traffic.progress():.1f} s")
        await traffic.progress()


@pytest.mark.parametrize("name", WAIT)
async def test_visitors_go_on_afterwards_and_nothing_is_lost(servers: Cluster, name: str, say: Say) -> None:
    failure: Failure = WAIT[name]
    # As above.
    lead_to(servers, 0)
    async with flowing(servers) as traffic:
        servers.balancer.only = None
        await traffic.until_asked()
        async with failure(servers):
            pass
        say(f"{name}: all visitors go on {await traffic.progress():.1f} s after its end")


async def test_a_herd_that_has_lost_its_sockets_goes_on_and_nothing_is_lost(servers: Cluster, say: Say) -> None:
    async with flowing(servers, HERD) as traffic:
        await traffic.until_asked(HERD)
        servers.balancer.break_all()
        say(f"{HERD} sockets break at once: all visitors go on after {await traffic.progress():.1f} s")
        assert all(visitor.tab.lost for visitor in traffic.visitors)


@pytest.mark.parametrize("name", GO_ON)
async def test_who_signs_in_meanwhile_is_signed_in(servers: Cluster, name: str, say: Say) -> None:
    # All are at the server that fails: some sign in while nobody has noticed, the others afterwards.
    lead_to(servers, 0)
    async with servers.visitors(4) as visitors:
        await asyncio.gather(*(visitor.connect() for visitor in visitors))
        servers.balancer.only = None
        began = time.monotonic()
        unnoticed = [asyncio.create_task(visitor.sign_in()) for visitor in visitors[:2]]
        async with GO_ON[name](servers):
            await asyncio.gather(*unnoticed, *(visitor.sign_in() for visitor in visitors[2:]))
            say(f"{name}: all are signed in {time.monotonic() - began:.1f} s after its beginning")
        await assert_nothing_is_lost(servers, visitors)
