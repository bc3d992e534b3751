"""Handlers that give way to all others: what views ask for by themselves, again and again, while somebody looks.

Such an event begins once the event loop is free enough, one in each of its rounds, the page first that has waited since longest. So a worker that
has more to do than it can do refreshes less often, and answers clicks as before. While one waits, the page's next of the same name is left out:
it would do the same.

Why: Reflex begins all that comes at once. With more than a worker can do each event takes longer, and those that have begun fill its memory,
until Redis gives up on them and pages on their sockets.
Test: `test_an_event_of_low_priority_is_put_off_until_there_is_room`, `tests/test_low_priority.py`.
Dropped when: Reflex begins events by their priority.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from typing import Any, Final, TypeVar

from prometheus_client import Counter
from reflex_base.event.processor import EventProcessor

from walletmodal.services.expiring import Expiring

ROUND_SECONDS: Final = 0.02
"""A round of the event loop that takes longer has too much in it for anything that can wait."""
_PAUSE_SECONDS: Final = 0.05
_REMEMBERED, _REMEMBERED_SECONDS = 20_000, 600.0

_LEFT_OUT: Final = Counter(
    "walletmodal_refreshes_left_out",
    "Refreshes of views that were left out, for the one before still waited for a turn.",
)
_MARK: Final = "_walletmodal_low_priority"
_Handler = TypeVar("_Handler", bound=Callable[..., Any])


def low_priority(handler: _Handler) -> _Handler:
    """Decorator of an event handler in the background, below `rx.event`."""
    setattr(handler, _MARK, True)
    return handler


def has_low_priority(handler: Any) -> bool:
    """Whether Reflex's handler is one."""
    return hasattr(handler.fn, _MARK)


def give_way(processor: EventProcessor, is_busy: Callable[[], bool]) -> None:
    """Has a processor's events of low priority wait for the others. `is_busy`: whether events wait for their states."""
    execute, turns, waiting = processor._execute_event, _Turns(is_busy), set[str]()  # noqa: SLF001 - there is no public way

    async def in_turn(*, entry: Any, registered_handler: Any) -> None:
        if has_low_priority(registered_handler.handler):
            name = f"{entry.ctx.token} {entry.event.name}"
            if name in waiting:
                _LEFT_OUT.inc()
                return
            waiting.add(name)
            try:
                await turns.wait(name)
            finally:
                waiting.discard(name)
        await execute(entry=entry, registered_handler=registered_handler)

    processor._execute_event = in_turn  # type: ignore[method-assign]  # noqa: SLF001 - as above


class _Turns:
    """Lets who waits go on, one after the other.

    Args:
        is_busy: whether others are waited for.
    """

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        self._is_busy = is_busy
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._last = Expiring[float](None, max_size=_REMEMBERED, size_of=lambda _last: 1)
        self._calling: asyncio.Task[None] | None = None

    async def wait(self, name: str) -> None:
        """Returns when it is the turn of a name: sooner, the longer ago its last one was."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        heapq.heappush(self._waiting, (self._last.get(name) or 0.0, next(self._numbers), turn))
        if self._calling is None or self._calling.done():
            self._calling = asyncio.create_task(self._call(), name="low-priority")
        await turn
        self._last.put(name, loop.time(), _REMEMBERED_SECONDS)

    async def _call(self) -> None:
        while self._waiting:
            await self._free_round()
            while self._waiting:
                turn = heapq.heappop(self._waiting)[-1]
                if not turn.done():
                    turn.set_result(None)
                    break

    async def _free_round(self) -> None:
        """Waits for a short round of the event loop in which no event waits for its states."""
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            await asyncio.sleep(0)
            if clock() - began < ROUND_SECONDS and not self._is_busy():
                return
            await asyncio.sleep(_PAUSE_SECONDS)
