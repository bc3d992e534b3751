"""What visitors click while Redis fails over: it waits, and each click counts once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reflex.state import StateUpdate

from tests.guarded_redis import guarded_sentinels
from tests.patience import PATIENCE, eventually, patience
from tests.redis_clicks import longest_wait, two_workers
from tests.redis_groups import Failing, Group, behind_sentinels, in_cluster
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.worker_messages import WorkerSockets
from walletmodal.services.redis_clients import open_redis

_REDIS: Any = RedisStates
AT_ONCE = 30
"""Commands that need a connection each."""


@pytest.fixture(params=["behind Sentinels", "behind Sentinels, over TLS", "in a cluster"])
def group(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Group]:
    if request.param == "in a cluster":
        running = in_cluster(replicas=1)
    else:
        running = behind_sentinels() if request.param == "behind Sentinels" else guarded_sentinels(tmp_path)
    with running as found:
        yield found


@pytest.mark.parametrize("way", ["killed", "frozen"])
async def test_each_click_counts_once(
    group: Group, way: Failing, record_property: Callable[[str, object], None]
) -> None:
    async with two_workers(group.url) as workers:
        record_property("longest wait, s", round(await longest_wait(group, workers, way), 1))


@pytest.mark.parametrize("group", ["behind Sentinels, over TLS"], indirect=True)
async def test_a_primary_that_hangs_is_left_at_once(group: Group) -> None:
    others = sockets()
    async with open_redis(group.url, patience=PATIENCE) as client:
        # All but one of these connections wait for use then.
        await asyncio.gather(*(client.set(f"key {number}", number) for number in range(AT_ONCE)))
        (failed,) = group.primaries()
        failed.fail("frozen")
        assert await client.set("key", "value")
    failed.resume()
    await eventually(lambda: sockets() <= others, "connections that are closed", step=0.1)


@pytest.mark.parametrize("group", ["behind Sentinels"], indirect=True)
async def test_no_sentinel_is_forgotten(group: Group) -> None:
    first, *others = group.sentinels
    async with patience(), open_redis(group.url, patience=PATIENCE) as client:

        async def ask() -> None:
            await asyncio.gather(*(client.set(f"key {number}", number) for number in range(AT_ONCE)))

        first.fail("frozen")
        await ask()
        first.resume()
        for one in others:
            one.fail("frozen")
        await client.connection_pool.disconnect()
        await ask()


def sockets() -> int:
    """How many this process has open."""
    found = 0
    for one in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += one.readlink().name.startswith("socket:")
    return found


@pytest.mark.parametrize("group", ["in a cluster"], indirect=True)
async def test_connections_do_not_grow_as_replicas_take_over(group: Group) -> None:
    others = sockets()
    worker = _REDIS(redis=open_redis(group.url, patience=PATIENCE))

    async def work() -> None:
        async with patience(), asyncio.TaskGroup() as at_once:
            for number in range(AT_ONCE):
                at_once.create_task(worker.redis.set(f"key {number}", number))

    async def tell(_update: StateUpdate, _token: str) -> None:
        """Nobody is told."""

    listening = WorkerSockets(worker.redis)
    listening.ensure_lost_and_found_task(tell)
    for _ in range(group.shards):
        await eventually(group.is_copied, "replicas that have all", step=0.1)
        replica = next(one for one in group.servers if not one.is_primary)
        # One that could not be carried out ends after five seconds.
        while not replica.is_primary:
            replica.ask("CLUSTER", "FAILOVER")
            for _ in range(60):
                await asyncio.sleep(0 if replica.is_primary else 0.1)
        await work()
        # One listens.
        await eventually(lambda: sockets() - others <= AT_ONCE + 1, "connections that are closed", step=0.1)
    await listening.close()
    await worker.close()
    await eventually(lambda: sockets() <= others, "connections that are closed", step=0.1)
