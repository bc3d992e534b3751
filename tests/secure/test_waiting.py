"""Calls that wait for something to happen."""

import asyncio

import pytest

from walletmodal.core.clock import MovableClock
from walletmodal.secure.errors import CallError
from walletmodal.secure.waiting import Waiting


async def test_who_waits_is_woken_at_once() -> None:
    clock, found = MovableClock(), list[str]()
    waiting = Waiting(clock)

    async def look() -> str | None:
        return found[0] if found else None

    task = asyncio.ensure_future(waiting.until("key", look, 25))
    await clock.asleep()
    found.append("there")
    waiting.notify("other")
    waiting.notify("key")
    assert await task == "there"


async def test_what_another_process_has_done_is_found_by_looking() -> None:
    clock, found = MovableClock(), list[str]()

    async def look() -> str | None:
        return found[0] if found else None

    task = asyncio.ensure_future(Waiting(clock).until("key", look, 25))
    await clock.asleep()
    found.append("there")
    clock.advance(1)
    assert await task == "there"


async def test_nothing_is_waited_for_longer_than_was_asked() -> None:
    clock, looks = MovableClock(), list[float]()

    async def look() -> str | None:
        looks.append(clock.monotonic())
        return None

    task = asyncio.ensure_future(Waiting(clock).until("key", look, 2.5))
    for seconds in (1, 1, 0.5):
        await clock.asleep()
        clock.advance(seconds)
    assert await task is None
    assert looks == [0, 1, 2, 2.5]


async def test_more_than_may_wait_are_told_so() -> None:
    clock = MovableClock()

    async def look() -> str | None:
        return None

    waiting = Waiting(clock, most=1)
    task = asyncio.ensure_future(waiting.until("key", look, 1))
    await clock.asleep()
    with pytest.raises(CallError, match="unavailable"):
        await waiting.until("other", look, 1)
    clock.advance(1)
    await task
    assert await waiting.until("other", look, 0) is None
