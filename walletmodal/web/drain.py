"""Draining of a worker that is asked to end: balancers are told, pages go to other servers in waves, and running events finish.

SIGUSR1 says that the whole server is going to end (walletmodal/commands/serve.py), SIGTERM that this worker is, SIGUSR2 that it need not wait
until its pages have gone.
"""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol, TypeAlias, TypeVar

import reflex as rx

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.reflex_internals.app import stop_events
from walletmodal.reflex_internals.session_moves import ARRIVE_SECONDS

EVENT_SECONDS: Final = 8.0
"""Below the time after which granian kills a worker that does not end (walletmodal/commands/serve.py)."""
WAVE_SECONDS: Final = 0.1
LEAVE_SECONDS: Final = 5.0
"""Within which a page that was told to has left: a round trip, and what it has said before."""

_log: Final = logging.getLogger(__name__)
_T = TypeVar("_T")

StillMoving: TypeAlias = Callable[[Collection[str]], Awaitable[set[str]]]


class Movable(Protocol):
    """An open socket.

    Attributes:
        token: of its session; "" before that has begun.
    """

    token: str

    async def move(self) -> None:
        """Has its page go to another server."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How pages go to other servers.

    Attributes:
        per_second: at most so many pages, and at most as many under way, that is told to go and not there yet; more of both where there are too many for the time.
        seconds: within which all have gone.
    """

    per_second: int
    seconds: float


class Drain:
    """The end of one worker.

    Args:
        pace: of the pages; None where no other server could go on with them.
        clock: what the time is measured with.
        prepare: done before the first page goes.
        still_moving: those of the tokens whose pages have gone and are not there yet.

    Attributes:
        announced: the server is going to end, and wants no more visitors.
        begun: the worker ends, and takes no more sockets.
        hurried: pages need not go before it does.
    """

    def __init__(
        self,
        pace: Pace | None = None,
        clock: Clock | None = None,
        *,
        prepare: Callable[[], Awaitable[None]] | None = None,
        still_moving: StillMoving | None = None,
    ) -> None:
        self._pace, self._clock, self._prepare = pace, clock or SystemClock(), prepare
        self._still_moving, self._under_way = still_moving, dict[str, float]()
        self.announced = self.begun = self.hurried = False
        self._staying: dict[Movable, None] = {}
        self._open: set[Movable] = set()
        self._ending: asyncio.Task[None] | None = None

    def add(self, socket: Movable) -> None:
        """A socket was opened."""
        self._staying[socket] = None
        self._open.add(socket)

    def remove(self, socket: Movable) -> None:
        """A socket is closed."""
        self._staying.pop(socket, None)
        self._open.discard(socket)

    async def move_all(self) -> None:
        """Take no more sockets, and have the pages of all that are open go, wave by wave. Returns when they have, or when their time is over."""
        self.begun = True
        if self._pace is None or self.hurried:
            return
        until = self._clock.monotonic() + self._pace.seconds
        if self._prepare is not None:
            await _or_logged(self._prepare(), None)
        due = overdue = 0.0
        last = self._clock.monotonic() - WAVE_SECONDS
        while self._open and not self.hurried and (left := until - self._clock.monotonic()) > -LEAVE_SECONDS:
            # A wave of a worker that has much to do takes longer.
            since, last = round(self._clock.monotonic() - last, 3), self._clock.monotonic()
            least = since * len(self._staying) / max(left, since)
            due, overdue = due + max(since * self._pace.per_second, least), overdue + least
            count = int(overdue)
            if int(due) > count:
                count = max(count, await self._room(int(due)))
            moved = list(islice(self._staying, count))
            # What there was no room for is not made up for.
            due, overdue = min(due - len(moved), 1.0), max(overdue - len(moved), 0.0)
            for socket in moved:
                del self._staying[socket]
            for error in await asyncio.gather(*(socket.move() for socket in moved), return_exceptions=True):
                if isinstance(error, Exception):
                    _log.error("a page could not be told to go to another server", exc_info=error)
            now = self._clock.monotonic()
            self._under_way.update({socket.token: now for socket in moved if socket.token})
            await self._clock.sleep(WAVE_SECONDS)

    async def _room(self, wanted: int) -> int:
        """How many of so many pages may go."""
        if self._pace is None or self._still_moving is None:
            return wanted
        if len(self._under_way) + wanted > self._pace.per_second:
            moving = await _or_logged(self._still_moving(self._under_way), {*self._under_way})
            latest = self._clock.monotonic() - ARRIVE_SECONDS
            self._under_way = {one: told for one, told in self._under_way.items() if one in moving and told > latest}
        return min(wanted, max(self._pace.per_second - len(self._under_way), 0))

    @asynccontextmanager
    async def on_signals(self) -> AsyncIterator[None]:
        """The last lifespan task: the worker drains when it is asked to end. Its server must end by SIGINT, too."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, self._announce)
        loop.add_signal_handler(signal.SIGUSR2, self._hurry)
        loop.add_signal_handler(signal.SIGTERM, self._end)
        yield

    def _announce(self) -> None:
        self.announced = True

    def _hurry(self) -> None:
        self.hurried = True

    def _end(self) -> None:
        if self._ending is None:
            self._ending = asyncio.create_task(self._move_and_end(), name="drain")

    async def _move_and_end(self) -> None:
        try:
            await self.move_all()
        finally:
            signal.raise_signal(signal.SIGINT)


@asynccontextmanager
async def end_while_starting() -> AsyncIterator[None]:
    """The first lifespan task: until `Drain.on_signals`, the last, SIGTERM ends the worker at once, which has no pages yet.

    Granian notes the signal, does not look at it before it listens, and never ends then.
    """
    asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
    yield


@asynccontextmanager
async def drain_events(app: rx.App) -> AsyncIterator[None]:
    """A lifespan task, `app.register_lifespan_task(drain_events)`: a stop waits for running handlers.

    Register it after what they need, for what was registered last ends first. Reflex would cancel them, and only when all that has ended.
    """
    yield
    await stop_events(app, EVENT_SECONDS)


async def _or_logged(looking: Awaitable[_T], otherwise: _T) -> _T:
    """What comes of a look; pages go all the same where it fails."""
    try:
        return await looking
    except Exception:  # noqa: BLE001 - whatever it is, pages lose their sockets otherwise
        _log.exception("a look at what pages do while this server ends has failed")
        return otherwise
