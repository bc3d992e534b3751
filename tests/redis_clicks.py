"""Clicks of visitors on two workers while a Redis fails over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from tests.patience import PATIENCE, eventually, patience
from tests.redis_groups import Failing, Group
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.services.redis_clients import open_redis

_REDIS: Any = RedisStates
VISITORS = tuple(f"visitor-{number}" for number in range(6))
FIRST = str(ShellState.get_fields()["title"].default_value())
AFTER = 3
"""Clicks of each visitor on each worker when it is over."""
LOCK_MS = round(4 * PATIENCE * 1000)
"""However slow the machine fails over."""


@asynccontextmanager
async def two_workers(
    url: str, *, patience: float = PATIENCE, lock_ms: int = LOCK_MS
) -> AsyncIterator[list[RedisStates]]:
    """Two that share visitors, whose sessions have begun."""
    found = [_REDIS(redis=open_redis(url, patience=patience), lock_expiration=lock_ms) for _ in range(2)]
    try:
        for visitor in VISITORS:
            async with found[0].modify_state(BaseStateToken(ident=visitor, cls=State)):
                pass
        yield found
    finally:
        for one in found:
            await one.close()


class Clicks:
    """Those of one visitor on one worker, one after the other, until it is over.

    Attributes:
        done: what is counted.
        longest: seconds that one of them has waited.
    """

    def __init__(self, worker: RedisStates, visitor: str, name: str, over: asyncio.Event) -> None:
        self._worker, self.visitor, self._name, self._over = worker, visitor, name, over
        self.done: list[str] = []
        self.longest = 0.0

    async def go_on(self) -> None:
        """Click."""
        left = AFTER
        while left:
            left -= self._over.is_set()
            click, begun = f"{self._name}{len(self.done)}", time.monotonic()
            async with self._worker.modify_state(_token(self.visitor)) as root:
                shell: Any = await self._worker.get_state(
                    _token(self.visitor), top_level=False, for_state_instance=root
                )
                shell.title += f" {click}"
            self.longest = max(self.longest, time.monotonic() - begun)
            self.done.append(click)
            await asyncio.sleep(0.05)


async def longest_wait(group: Group, workers: Sequence[RedisStates], way: Failing) -> float:
    """Seconds that a click has waited at most while a primary fails.

    Raises:
        AssertionError: one does not count once, or there are none any more.
    """
    over = asyncio.Event()
    clicks = [
        Clicks(worker, visitor, f"{name}-", over)
        for visitor in VISITORS
        for worker, name in zip(workers, "ab", strict=True)
    ]
    going = [asyncio.create_task(one.go_on()) for one in clicks]

    async def come_about(holds: Callable[[], object], what: str) -> None:
        """Says also which click has failed."""

        def looked() -> object:
            for one in going:
                if one.done():
                    one.result()
            return holds()

        await eventually(looked, what, step=0.05)

    try:
        await come_about(lambda: all(len(one.done) > 3 for one in clicks), "clicks")
        failed = group.primaries()[0]
        failed.fail(way)
        await come_about(lambda: group.is_whole(without=failed), "another primary")
        seen = [len(one.done) for one in clicks]
        await come_about(
            lambda: all(len(one.done) > before for one, before in zip(clicks, seen, strict=True)), "clicks that go on"
        )
        if way == "frozen":
            failed.resume()
        over.set()
        async with patience():
            await asyncio.gather(*going)
    finally:
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)
    for visitor in VISITORS:
        done = [click for one in clicks if one.visitor == visitor for click in one.done]
        assert sorted(await _counted(workers[0], visitor)) == sorted(done)
    return max(one.longest for one in clicks)


async def _counted(worker: RedisStates, visitor: str) -> list[str]:
    async with worker.modify_state(_token(visitor)) as root:
        shell: Any = await worker.get_state(_token(visitor), top_level=False, for_state_instance=root)
        return str(shell.title).split()[len(FIRST.split()) :]


def _token(visitor: str) -> BaseStateToken:
    return BaseStateToken(ident=visitor, cls=ShellState)
