"""What visitors click while Redis fails over: it waits, and each click counts once."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State, StateUpdate

from tests.patience import PATIENCE, eventually, patience
from tests.redis_groups import Failing, Group, behind_sentinels, in_cluster
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.worker_messages import WorkerSockets
from walletmodal.services.redis_clients import open_redis

_REDIS: Any = RedisStates
VISITORS = tuple(f"visitor-{number}" for number in range(6))
FIRST = str(ShellState.get_fields()["title"].default_value())
AFTER = 3
"""Clicks of each visitor on each worker when it is over."""
AT_ONCE = 30
"""Commands that need a connection each."""
LOCK_MS = round(4 * PATIENCE * 1000)
"""However slow the machine fails over."""


@pytest.fixture(params=["behind Sentinels", "in a cluster"])
def group(request: pytest.FixtureRequest) -> Iterator[Group]:
    with behind_sentinels() if request.param == "behind Sentinels" else in_cluster(replicas=1) as found:
        yield found


@pytest_asyncio.fixture
async def workers(group: Group) -> AsyncIterator[list[RedisStates]]:
    """Two that share visitors, whose sessions have begun."""
    found = [_REDIS(redis=open_redis(group.url, patience=PATIENCE), lock_expiration=LOCK_MS) for _ in range(2)]
    for visitor in VISITORS:
        async with found[0].modify_state(BaseStateToken(ident=visitor, cls=State)):
            pass
    yield found
    for one in found:
        await one.close()


def token(visitor: str) -> BaseStateToken:
    return BaseStateToken(ident=visitor, cls=ShellState)


class Clicks:
    """Those of one visitor on one worker, one after the other, until it is over."""

    def __init__(self, worker: RedisStates, visitor: str, name: str, over: asyncio.Event) -> None:
        self._worker, self.visitor, self._name, self._over = worker, visitor, name, over
        self.done: list[str] = []
        self.longest = 0.0

    async def go_on(self) -> None:
        left = AFTER
        while left:
            left -= self._over.is_set()
            click, begun = f"{self._name}{len(self.done)}", time.monotonic()
            async with self._worker.modify_state(token(self.visitor)) as root:
                shell: Any = await self._worker.get_state(token(self.visitor), top_level=False, for_state_instance=root)
                shell.title += f" {click}"
            self.longest = max(self.longest, time.monotonic() - begun)
            self.done.append(click)
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("way", ["killed", "frozen"])
async def test_each_click_counts_once(
    group: Group, workers: list[RedisStates], way: Failing, record_property: Callable[[str, object], None]
) -> None:
    over = asyncio.Event()
    clicks = [
        Clicks(worker, visitor, f"{name}-", over)
        for visitor in VISITORS
        for worker, name in zip(workers, "ab", strict=True)
    ]
    going = [asyncio.create_task(one.go_on()) for one in clicks]
    await eventually(lambda: all(len(one.done) > 3 for one in clicks), "clicks")
    failed = group.primaries()[0]
    failed.fail(way)
    await eventually(lambda: group.is_whole(without=failed), "another primary", step=0.2)
    seen = {id(one): len(one.done) for one in clicks}
    await eventually(lambda: all(len(one.done) > seen[id(one)] for one in clicks), "clicks that go on")
    if way == "frozen":
        failed.resume()
    over.set()
    async with patience():
        await asyncio.gather(*going)
    for visitor in VISITORS:
        async with workers[0].modify_state(token(visitor)) as root:
            shell: Any = await workers[0].get_state(token(visitor), top_level=False, for_state_instance=root)
            counted = shell.title.split()[len(FIRST.split()) :]
        done = [click for one in clicks if one.visitor == visitor for click in one.done]
        assert sorted(counted) == sorted(done)
    record_property("longest wait, s", round(max(one.longest for one in clicks), 1))


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
