"""Handlers that give way to all others: what views ask for by themselves, again and again, while somebody looks.

Such an event begins once the event loop is free enough, one in each of its rounds, the page first that has waited since longest; what follows something
that a visitor has begun, such as a transaction, has three turns for each one of what reads anew what is shown. So a worker that has more
to do than it can do refreshes less often (it begins up to four such events a second), and answers clicks as before. One that still waits when the page's next of the
same name comes is left out, and the next has its place: it does the same, and knows in which language the page is by now. A refresh
that a page itself has asked for is left out once the page has gone: it asks again at intervals, for what a click has asked as well.

Why: Reflex begins all that comes at once. With more than a worker can do each event takes longer, and those that have begun fill its memory,
until Redis gives up on them and pages on their sockets.
Test: `test_an_event_of_low_priority_waits_for_room`, `tests/test_low_priority.py`.
Dropped when: Reflex begins events by their priority.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar

from prometheus_client import Counter
from reflex_base.event.processor import EventProcessor

from walletmodal.services.expiring import Expiring

ROUND_SECONDS: Final = 0.005
"""A round of the event loop that takes longer has too much in it for anything that can wait."""
LONGEST_SECONDS: Final = 0.25
"""After which one begins without such a round: a worker may never have one, and hosts wait for what becomes of transactions."""
NEW_SECONDS: Final = 60.0
"""A page that had no turn comes before those whose last one was later than that; not before all, or many that come would keep the others waiting."""
_PAUSE_SECONDS: Final = 0.05
_REMEMBERED, _REMEMBERED_SECONDS = 20_000, 600.0

_LEFT_OUT: Final = Counter(
    "walletmodal_refreshes_left_out",
    "Refreshes of views that were left out, for they still waited for a turn when the next came.",
)
_MARK: Final = "_walletmodal_low_priority"
_Purpose = Literal["progress", "refresh"]
_PROGRESS_TURNS: Final = 3
"""For progress, one after the other, while a refresh waits: no more, or pages that ask for progress all the time would keep the others waiting for ever."""
_Handler = TypeVar("_Handler", bound=Callable[..., Any])


def low_priority(purpose: _Purpose) -> Callable[[_Handler], _Handler]:
    """Decorator of an event handler in the background, below `rx.event`.

    Args:
        purpose: `progress` of something that the visitor has begun and waits for, or a `refresh` of what is shown.
    """

    def mark(handler: _Handler) -> _Handler:
        setattr(handler, _MARK, purpose)
        return handler

    return mark


def has_low_priority(handler: Any) -> bool:
    """Whether Reflex's handler is one."""
    return _purpose(handler) is not None


def _purpose(handler: Any) -> _Purpose | None:
    found: _Purpose | None = getattr(handler.fn, _MARK, None)
    return found


def give_way(processor: EventProcessor, is_busy: Callable[[], bool], has_page: Callable[[str], bool]) -> None:
    """Has a processor's events of low priority wait for the others.

    Args:
        processor: of events.
        is_busy: whether events wait for their states.
        has_page: whether the page of a token has its socket here.
    """
    execute, turns = processor._execute_event, _Turns(is_busy, has_page)

    async def in_turn(*, entry: Any, registered_handler: Any) -> None:
        purpose, token = _purpose(registered_handler.handler), entry.ctx.token
        if purpose is not None:
            # What another event has brought about, the page does not ask for again.
            asked = purpose == "refresh" and entry.ctx.parent_txid is None
            if not await turns.wait(f"{token} {entry.event.name}", purpose, token if asked else ""):
                return
        await execute(entry=entry, registered_handler=registered_handler)

    processor._execute_event = in_turn  # type: ignore[method-assign]  # there is no public way


class _Turns:
    """Lets who waits go on, one after the other.

    Args:
        is_busy: whether others are waited for.
        has_page: whether the page of a token is there.
    """

    def __init__(self, is_busy: Callable[[], bool], has_page: Callable[[str], bool]) -> None:
        self._is_busy, self._has_page = is_busy, has_page
        self._orders: dict[_Purpose, list[tuple[float, int, str]]] = {"progress": [], "refresh": []}
        self._progressed = 0
        # What is waited for, and whose page it is left out without, "" for nobody's.
        self._waiting: dict[str, tuple[asyncio.Future[bool], str]] = {}
        self._numbers = itertools.count()
        self._last = Expiring[float](None, max_size=_REMEMBERED, size_of=lambda _last: 1)
        self._calling: asyncio.Task[None] | None = None

    async def wait(self, name: str, purpose: _Purpose, page: str) -> bool:
        """Returns when it is the turn of a name: sooner, the longer ago its last one was; False: a later one of the name has its place, or the page has gone."""
        loop = asyncio.get_running_loop()
        (before, others), turn = self._waiting.get(name, (None, page)), loop.create_future()
        is_next = before is not None and not before.done()
        self._waiting[name] = turn, page if others or not is_next else ""
        if before is not None and is_next:
            before.set_result(False)
            _LEFT_OUT.inc()
        else:
            last = self._last.get(name)
            last = loop.time() - NEW_SECONDS if last is None else last
            heapq.heappush(self._orders[purpose], (last, next(self._numbers), name))
        if self._calling is None or self._calling.done():
            self._calling = asyncio.create_task(self._call(), name="low-priority")
        try:
            if not await turn:
                return False
        finally:
            if self._waiting.get(name, (None,))[0] is turn:
                del self._waiting[name]
        self._last.put(name, loop.time(), _REMEMBERED_SECONDS)
        return True

    async def _call(self) -> None:
        while any(self._orders.values()):
            await free_round(self._is_busy, pause=_PAUSE_SECONDS, longest=LONGEST_SECONDS)
            while order := self._next_order():
                turn, page = self._waiting.get(heapq.heappop(order)[-1], (None, ""))
                if turn is None or turn.done():
                    continue
                is_there = not page or self._has_page(page)
                turn.set_result(is_there)
                if is_there:
                    self._progressed = self._progressed + 1 if order is self._orders["progress"] else 0
                    break

    def _next_order(self) -> list[tuple[float, int, str]]:
        """Those of which the first is next; none where nobody waits."""
        progress, refresh = self._orders["progress"], self._orders["refresh"]
        return progress if progress and (self._progressed < _PROGRESS_TURNS or not refresh) else refresh


async def free_round(is_busy: Callable[[], bool], *, pause: float, longest: float) -> None:
    """Waits for a short round of the event loop in which no event waits for its states, but not for ever.

    Args:
        is_busy: whether others are waited for.
        pause: seconds until another round is tried.
        longest: seconds after which none is waited for.
    """
    clock = asyncio.get_running_loop().time
    ends = clock() + longest
    while True:
        began = clock()
        await asyncio.sleep(0)
        now = clock()
        if now >= ends or (now - began < ROUND_SECONDS and not is_busy()):
            return
        await asyncio.sleep(pause)
