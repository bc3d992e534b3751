"""Turns of a visitor's events in one worker: who waits for the one before asks Redis for nothing meanwhile.

Why: Reflex has each ask for the lock by itself, as often as it is told that it may be free.
Test: `test_each_state_that_a_handler_asks_for_is_read_by_itself`, `tests/test_redis_states.py`.
Dropped when: `redis_states` is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from weakref import WeakValueDictionary


class Turns:
    """One at a time, by the name of what they wait for."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, name: bytes, seconds: float) -> AsyncIterator[None]:
        """Wait for the others, but not longer than they may take."""
        lock = self._locks.setdefault(name, asyncio.Lock())
        mine = False
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                mine = await lock.acquire()
        try:
            yield
        finally:
            if mine:
                lock.release()
