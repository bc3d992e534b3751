"""Thousands of visitors without a browser: `python -m bench.scale.population`, a process of its own so that its processor time is told apart.

It reads one JSON command per line and answers each with one line. The first is `{"journey": {…}, "node": URL, "urls": [URL, …]}`. Each other names what the
visitors do and how many of them a second begin; the answer says how long it took, what it cost this process, and what went wrong:

- `{"do": "arrive", "count": 500, "per_second": 20}`: so many more load the page
- `{"do": "perform", "flow": "connect", "count": 100, "per_second": 10}`: so many carry out a flow, those first who have come first
- `{"do": "live", "seconds": 60, "every": 60, "mix": {"push": 9, "send": 1}}`: each who can does something every so many seconds
- `{"do": "refresh", "every": 3}`: who looks at an account asks for it every so many seconds from now on
- `{"do": "replace", "count": 10, "per_second": 2}`: so many leave, and as many others come
- `{"do": "drop"}` → all sockets are lost; `{"do": "come_back"}`: all open one again
- `{"do": "leave"}`
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import httpx
import uvloop

from bench.scale.bridge import Bridge
from bench.scale.journey import Journey
from bench.scale.page import PageError
from bench.scale.visitor import Visitor
from walletmodal.host import Modal

_AT_ONCE: Final = 40


class Population:
    """All visitors of this process.

    Args:
        journeys: what their pages say at each server; they go to one after the other.
        node: URL of the chain's node.
        client: for what they fetch.
    """

    def __init__(self, journeys: Sequence[Journey], node: str, client: httpx.AsyncClient) -> None:
        self._journeys, self._node, self._client = journeys, node, client
        self._host = Modal(journeys[0].url, journeys[0].init["host"]["origin"])
        self._visitors: list[Visitor] = []
        self._numbers = itertools.count()
        self._gone: tuple[int, ...] = (0, 0, 0, 0)
        self._latencies: defaultdict[str, list[float]] = defaultdict(list)
        self._errors: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    async def arrive(self, count: int, per_second: float) -> None:
        """So many more load the page."""
        coming = self._new(count)
        await self._each(coming, per_second, lambda visitor: self._timed("arrive", visitor, visitor.arrive))

    async def perform(self, flow: str, count: int, per_second: float) -> None:
        """So many carry out a flow."""
        chosen = [visitor for visitor in self._visitors if visitor.can(flow)][:count]
        if len(chosen) < count:
            self._note(PageError("too few visitors", f"only {len(chosen)} of {count} can {flow}"))
        await self._each(chosen, per_second, lambda visitor: self._flow(visitor, flow))

    async def live(self, seconds: float, every: float, mix: Mapping[str, float]) -> None:
        """Each visitor does something of the mix at its own moment of every period, of what it can do then."""
        end = time.perf_counter() + seconds

        async def go(visitor: Visitor) -> None:
            due = time.perf_counter() + random.uniform(0, every)  # noqa: S311 - spreads the load, decides nothing
            while due < end:
                await asyncio.sleep(due - time.perf_counter())
                able = {flow: weight for flow, weight in mix.items() if visitor.can(flow)}
                if able:
                    await self._flow(visitor, random.choices([*able], [*able.values()])[0])  # noqa: S311 - as above
                due += every

        await asyncio.gather(*(go(visitor) for visitor in self._visitors))
        await asyncio.sleep(max(0.0, end - time.perf_counter()))

    async def refresh(self, every: float) -> None:
        """Who looks at an account asks for it every so many seconds from now on."""
        Bridge.refresh_seconds = every

    async def replace(self, count: int, per_second: float) -> None:
        """So many, who have come first, close their tabs, and as many others come and open their account."""
        gone, staying = self._visitors[:count], self._visitors[count:]
        await asyncio.gather(*(visitor.page.leave() for visitor in gone))
        for visitor in gone:
            self._gone = tuple(before + more for before, more in zip(self._gone, visitor.totals(), strict=True))
        self._visitors = staying
        coming = self._new(count)

        async def come(visitor: Visitor) -> None:
            await self._timed("arrive", visitor, visitor.arrive)
            for flow in ("open", "connect", "account"):
                if visitor.can(flow):
                    await self._flow(visitor, flow)

        await self._each(coming, per_second, come)

    async def drop(self) -> None:
        """All sockets are lost at once."""
        await asyncio.gather(*(visitor.page.drop() for visitor in self._visitors))

    async def come_back(self) -> None:
        """All open a socket again, at once, as pages do that have lost theirs."""
        visitors = self._visitors
        await asyncio.gather(*(self._timed("come_back", visitor, visitor.come_back) for visitor in visitors))

    async def leave(self) -> None:
        """All close their tabs."""
        await asyncio.gather(*(visitor.page.leave() for visitor in self._visitors))
        self._visitors.clear()

    def _new(self, count: int) -> list[Visitor]:
        numbers = itertools.islice(self._numbers, count)
        coming = [
            Visitor(self._journeys[number % len(self._journeys)], number, self._node, self._client, self._host)
            for number in numbers
        ]
        self._visitors += coming
        return coming

    def begin_report(self) -> Callable[[], dict[str, Any]]:
        """Count from now on; what came of it is told by the function."""
        self._latencies.clear()
        self._errors.clear()
        self._examples.clear()
        before = self._totals()
        began, used = time.perf_counter(), time.process_time()

        def report() -> dict[str, Any]:
            for visitor in self._visitors:
                if (failed := visitor.page.failed) is not None and not visitor.is_lost:
                    visitor.is_lost = True
                    self._note(failed)
            after = self._totals()
            return {
                "seconds": time.perf_counter() - began,
                "cpu_seconds": time.process_time() - used,
                "events": after[0] - before[0],
                "received": after[1] - before[1],
                "sent": after[2] - before[2],
                "refreshes": after[3] - before[3],
                "latencies": {act: [round(one, 5) for one in found] for act, found in self._latencies.items()},
                "errors": dict(self._errors),
                "examples": self._examples,
            }

        return report

    def _totals(self) -> list[int]:
        each = [self._gone, *(visitor.totals() for visitor in self._visitors)]
        return [sum(column) for column in zip(*each, strict=True)]

    async def _flow(self, visitor: Visitor, flow: str) -> None:
        try:
            for act, seconds in (await visitor.perform(flow)).items():
                self._latencies[act].append(seconds)
        except PageError as error:
            visitor.is_lost = True
            self._note(error)

    async def _timed(self, name: str, visitor: Visitor, do: Callable[[], Awaitable[None]]) -> None:
        began = time.perf_counter()
        try:
            await do()
            self._latencies[name].append(time.perf_counter() - began)
        except PageError as error:
            visitor.is_lost = True
            self._note(error)

    def _note(self, error: PageError) -> None:
        self._errors[error.kind] += 1
        self._examples.setdefault(error.kind, str(error))

    @staticmethod
    async def _each(visitors: Sequence[Visitor], per_second: float, do: Callable[[Visitor], Awaitable[None]]) -> None:
        """So many a second begin, and no more at once than a server answers in time, however fast the machine is."""
        began, room = time.perf_counter(), asyncio.Semaphore(_AT_ONCE)

        async def at_its_time(place: int, visitor: Visitor) -> None:
            await asyncio.sleep(max(0.0, began + place / per_second - time.perf_counter()))
            async with room:
                await do(visitor)

        await asyncio.gather(*(at_its_time(place, visitor) for place, visitor in enumerate(visitors)))


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    first = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        recorded = Journey(**first["journey"])
        population = Population([replace(recorded, url=url) for url in first["urls"]], first["node"], client)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            command = json.loads(line)
            report = population.begin_report()
            await getattr(population, command.pop("do"))(**command)
            sys.stdout.write(json.dumps(report()) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(_serve())
