"""Loads of pages: each begins once the event loop is free enough, before it has a lock, and few are under way.

So a page of a crowd that comes back is there soon after its turn, and visitors whose pages are there are answered as before.

Why: Reflex begins all that come at once. Each takes as long as all of them then, until the database, locks in Redis and pages give up on them.
Test: `test_the_loads_of_a_crowd_begin_few_at_a_time`, `tests/test_loads.py`.
Dropped when: Reflex begins events by their priority.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, Protocol

from reflex_base.constants import RouteVar
from reflex_base.event.processor import EventProcessor

from walletmodal.reflex_internals.event_names import BEGIN
from walletmodal.reflex_internals.low_priority import free_round

AT_ONCE: Final = 16
LONGEST_SECONDS: Final = 3.0
"""After which a load counts no more: the database that it waits for may hang, and most others need none."""
_PAUSE_SECONDS: Final = 0.01
"""Of a crowd the next begins soon after the one before."""


class Pages(Protocol):
    """The pages of a worker."""

    def is_busy(self) -> bool:
        """Whether events wait for their states."""
        ...

    def is_here(self, token: str, sid: str) -> bool:
        """Whether the page of a session is still on this socket."""
        ...

    async def note_arrival(self, token: str) -> None:
        """The page has the whole state."""
        ...


def load_in_turn(processor: EventProcessor, pages: Pages) -> None:
    """Has a processor's loads wait for one another, and for room."""
    execute, room, door = processor._execute_event, asyncio.Semaphore(AT_ONCE), asyncio.Lock()

    async def in_turn(*, entry: Any, registered_handler: Any) -> None:
        if entry.event.name not in BEGIN:
            await execute(entry=entry, registered_handler=registered_handler)
            return
        token, sid = entry.ctx.token, str(entry.ctx.router_data.get(RouteVar.SESSION_ID, ""))
        async with AsyncExitStack() as place:
            async with door:
                await place.enter_async_context(_place(room))
                await free_round(pages.is_busy, _PAUSE_SECONDS)
            if not pages.is_here(token, sid):
                # It loads elsewhere, and what is done here would be done to the session that it has there.
                return
            await execute(entry=entry, registered_handler=registered_handler)
        if pages.is_here(token, sid):
            await pages.note_arrival(token)

    processor._execute_event = in_turn  # type: ignore[method-assign]  # there is no public way


@asynccontextmanager
async def _place(room: asyncio.Semaphore) -> AsyncIterator[None]:
    """A place in the room, until it is left or has been had for long."""
    had = True

    def leave() -> None:
        nonlocal had
        if had:
            had = False
            room.release()

    await room.acquire()
    longest = asyncio.get_running_loop().call_later(LONGEST_SECONDS, leave)
    try:
        yield
    finally:
        longest.cancel()
        leave()
