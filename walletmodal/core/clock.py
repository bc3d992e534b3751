"""Clocks that can be passed in, so that tests of an expiry take no time."""

import asyncio
import heapq
import itertools
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Civil time, in UTC, with its zone."""
        ...

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Returns when that many seconds have passed on this clock; at once when they are none."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Civil time, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since the machine's start."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Returns when that many seconds have passed."""
        if seconds > 0:
            await asyncio.sleep(seconds)


class MovableClock:
    """A clock that stands still until it is moved.

    Args:
        start: where it stands at first; default 2026-01-01 in UTC.
    """

    def __init__(self, start: datetime | None = None) -> None:
        self._now = start or datetime(2026, 1, 1, tzinfo=UTC)
        self._monotonic = 0.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._laid_down = asyncio.Event()

    def now(self) -> datetime:
        """Where it stands."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that it was moved by so far."""
        return self._monotonic

    @property
    def sleepers(self) -> tuple[float, ...]:
        """For how many seconds each sleeper still sleeps, the next to wake first."""
        awaited = sorted(at for at, _, woken in self._sleepers if not woken.done())
        return tuple(at - self._monotonic for at in awaited)

    async def sleep(self, seconds: float) -> None:
        """Returns when the clock has been moved that far; at once when `seconds` are none."""
        if seconds <= 0:
            return
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._monotonic + seconds, next(self._order), woken))
        self._laid_down.set()
        await woken

    async def asleep(self, count: int = 1) -> None:
        """Returns as soon as at least `count` sleepers wait for this clock to be moved."""
        while len(self.sleepers) < count:
            self._laid_down.clear()
            await self._laid_down.wait()

    def advance(self, seconds: float) -> None:
        """Move it forward and wake whose time has come, the earliest first.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError("a clock does not go back")
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds
        while self._sleepers and self._sleepers[0][0] <= self._monotonic:
            _, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)
