"""Calls that wait until something has happened: in this process they are woken, what another has done they find by looking."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

from walletmodal.core.clock import Clock
from walletmodal.secure.errors import unavailable

LOOK_SECONDS: Final = 1.0
MOST_WAITING: Final = 2000

T = TypeVar("T")


async def first_of(*ways: Coroutine[Any, Any, object]) -> None:
    """Returns when one of these has come to its end; the others are cancelled."""
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


class Waiting:
    """The calls of this process that wait.

    Args:
        clock: what their time is measured with.
        most: how many there may be.
    """

    def __init__(self, clock: Clock, *, most: int = MOST_WAITING) -> None:
        self._clock, self._most = clock, most
        self._count = 0
        self._events: dict[str, set[asyncio.Event]] = {}

    async def until(
        self, key: str, look: Callable[[], Awaitable[T | None]], seconds: float, *, every: float = LOOK_SECONDS
    ) -> T | None:
        """What `look` finds, or None when it has found nothing within `seconds`.

        Args:
            key: with which `notify` wakes it.
            look: asked at once, when woken, and every so many seconds.
            seconds: how long.
            every: seconds.

        Raises:
            CallError: 503, too many wait; what `look` raises.
        """
        if self._count >= self._most:
            raise unavailable()
        event, end = asyncio.Event(), self._clock.monotonic() + seconds
        self._events.setdefault(key, set()).add(event)
        self._count += 1
        try:
            while True:
                event.clear()
                found = await look()
                left = end - self._clock.monotonic()
                if found is not None or left <= 0:
                    return found
                await self._pause(event, min(left, every))
        finally:
            self._count -= 1
            self._events[key].discard(event)
            if not self._events[key]:
                del self._events[key]

    def notify(self, key: str) -> None:
        """Wakes who waits for this."""
        for event in self._events.get(key, ()):
            event.set()

    async def _pause(self, event: asyncio.Event, seconds: float) -> None:
        await first_of(event.wait(), self._clock.sleep(seconds))
