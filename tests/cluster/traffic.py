"""Visitors who go through their flows one after the other while something fails."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from tests.cluster.cluster import Cluster
from tests.cluster.ledger import assert_nothing_is_lost
from tests.cluster.visitor import Visitor
from tests.patience import START_SECONDS


class Traffic:
    """Flows of visitors.

    Args:
        visitors: whose; they are connected.
    """

    def __init__(self, visitors: Sequence[Visitor]) -> None:
        self.visitors = visitors
        self._done = dict.fromkeys((visitor.number for visitor in visitors), 0)
        self._stops = False
        self._tasks = [asyncio.create_task(self._go_on(visitor)) for visitor in visitors]

    async def progress(self) -> float:
        """Wait until each visitor has got to the end of a flow from now on; seconds that it took.

        Raises:
            AssertionError: one did not.
        """
        began, before = time.monotonic(), dict(self._done)
        while any(self._done[number] == count for number, count in before.items()):
            assert time.monotonic() < began + START_SECONDS, "\n".join(map(str, self.visitors))
            await self._look()
        return time.monotonic() - began

    async def until_asked(self, count: int = 1) -> None:
        """Wait until so many more answers of wallets are on their way."""
        began, asked = time.monotonic(), self._signed() + count
        while self._signed() < asked:
            assert time.monotonic() < began + START_SECONDS, "no wallet was asked"
            await self._look()

    async def finish(self) -> None:
        """Let each visitor get to the end of the present flow."""
        self._stops = True
        await asyncio.gather(*self._tasks)

    def abandon(self) -> None:
        """End the flows where they are."""
        for task in self._tasks:
            task.cancel()

    def _signed(self) -> int:
        return sum(len(visitor.loader.signed) for visitor in self.visitors)

    async def _look(self) -> None:
        done, _ = await asyncio.wait(self._tasks, timeout=0.02, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()

    async def _go_on(self, visitor: Visitor) -> None:
        for turn in itertools.count():
            if self._stops:
                return
            if (visitor.number + turn) % 2:
                await visitor.send()
            else:
                await visitor.approve(f"message {turn} of {visitor.number}")
            self._done[visitor.number] += 1


@asynccontextmanager
async def flowing(servers: Cluster, count: int = 3) -> AsyncIterator[Traffic]:
    """Visitors who have signed in and go on while the block breaks things and heals them; in the end nothing may be lost."""
    async with servers.visitors(count) as visitors:
        await asyncio.gather(*(_enter(visitor) for visitor in visitors))
        traffic = Traffic(visitors)
        try:
            await traffic.progress()
            yield traffic
            await traffic.finish()
        finally:
            traffic.abandon()
        await assert_nothing_is_lost(servers, visitors)


async def _enter(visitor: Visitor) -> None:
    await visitor.connect()
    await visitor.sign_in()
