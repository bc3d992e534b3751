"""Fair queue for fetching pictures: nobody's slow pictures hold up those of others for long."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

FAST: Final = 32
"""Pictures that are fetched at a time, of those that have not taken long yet."""
SLOW: Final = 64
"""Those that have taken long and go on beside them."""
SLOW_AFTER: Final = 1.0
"""Seconds after which a picture has taken long: its place is another's then."""
PER_ASKER: Final = 16
"""How many of the first a single asker has, while others wait."""


class Lanes:
    """Gives a place to each fetch. Of those who wait, the asker whose turn was longest ago is next.

    Args:
        slow_after: seconds, see `SLOW_AFTER`.
    """

    def __init__(self, *, slow_after: float = SLOW_AFTER) -> None:
        self._slow_after = slow_after
        self._fast, self._slow = dict[str, int](), 0
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def place(self, asker: str) -> AsyncIterator[None]:
        """Waits for a place of this asker's.

        Raises:
            TimeoutError: it took long, and so do as many others as may.
        """
        await self._enter(asker)
        loop, is_fast = asyncio.get_running_loop(), True
        try:
            async with asyncio.timeout(None) as given_up:

                def slow_down() -> None:
                    nonlocal is_fast
                    if self._slow >= SLOW:
                        given_up.reschedule(loop.time())
                        return
                    is_fast, self._slow = False, self._slow + 1
                    self._leave(asker)

                later = loop.call_later(self._slow_after, slow_down)
                try:
                    yield
                finally:
                    later.cancel()
        finally:
            if is_fast:
                self._leave(asker)
            else:
                self._slow -= 1

    async def _enter(self, asker: str) -> None:
        if not self._waiting and self._has_room(asker):
            self._take(asker)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(turn)
        self._hand_out()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(asker)
            else:
                self._forget(asker, turn)
            raise

    def _has_room(self, asker: str) -> bool:
        return sum(self._fast.values()) < FAST and self._fast.get(asker, 0) < PER_ASKER

    def _take(self, asker: str) -> None:
        self._fast[asker] = self._fast.get(asker, 0) + 1

    def _leave(self, asker: str) -> None:
        self._fast[asker] -= 1
        if not self._fast[asker]:
            del self._fast[asker]
        self._hand_out()

    def _hand_out(self) -> None:
        """Places that are free go round: who gets one stands behind all others then."""
        while (asker := next((one for one in self._waiting if self._has_room(one)), None)) is not None:
            turns = self._waiting.pop(asker)
            turn = turns.popleft()
            if turns:
                self._waiting[asker] = turns
            if not turn.done():
                self._take(asker)
                turn.set_result(None)

    def _forget(self, asker: str, turn: asyncio.Future[None]) -> None:
        turns = self._waiting.get(asker)
        if turns is not None and turn in turns:
            turns.remove(turn)
            if not turns:
                del self._waiting[asker]
