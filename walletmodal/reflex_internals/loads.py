"""Loads of pages: few of a worker's at a time, each before it has a lock. Of a crowd that comes back one after the other is there, soon after its turn.

Why: Reflex begins all that come at once. Each takes as long as all of them then, until the database, locks in Redis and pages give up on them.
Test: `test_the_loads_of_a_crowd_begin_few_at_a_time`, `tests/test_loads.py`.
Dropped when: Reflex begins so many events of a kind at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from reflex_base.event.processor import EventProcessor

from walletmodal.reflex_internals.event_names import BEGIN

AT_ONCE: Final = 16
LONGEST_SECONDS: Final = 3.0
"""After which a load counts no more: the database that it waits for may hang, and most others need none."""


def load_in_turn(processor: EventProcessor, loaded: Callable[[str], Awaitable[None]]) -> None:
    """Has a processor's loads wait for one another. `loaded`: called with the token of each that has ended well."""
    execute, room = processor._execute_event, asyncio.Semaphore(AT_ONCE)

    async def in_turn(*, entry: Any, registered_handler: Any) -> None:
        if entry.event.name not in BEGIN:
            await execute(entry=entry, registered_handler=registered_handler)
            return
        async with _place(room):
            await execute(entry=entry, registered_handler=registered_handler)
        await loaded(entry.ctx.token)

    processor._execute_event = in_turn  # type: ignore[method-assign]  # there is no public way


@asynccontextmanager
async def _place(room: asyncio.Semaphore) -> AsyncIterator[None]:
    """A place in the room, until it is left or has been had for long."""
    await room.acquire()
    had_for_long = asyncio.get_running_loop().call_later(LONGEST_SECONDS, room.release)
    try:
        yield
    finally:
        if had_for_long.when() > asyncio.get_running_loop().time():
            had_for_long.cancel()
            room.release()
