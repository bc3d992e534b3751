"""Turns at fetching pictures: who has many slow ones holds up nobody else for long."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from tests.patience import patience
from walletmodal.services.images.lanes import FAST, PER_ASKER, SLOW, Lanes

NEVER = 1e9


async def held(stack: AsyncExitStack, lanes: Lanes, *askers: str) -> None:
    for asker in askers:
        await stack.enter_async_context(lanes.place(asker))


async def waits(lanes: Lanes, asker: str, order: list[str]) -> None:
    async with lanes.place(asker):
        order.append(asker)


async def fetching(lanes: Lanes, asker: str, until: asyncio.Event) -> None:
    async with lanes.place(asker):
        await until.wait()


async def test_one_asker_does_not_have_all_places() -> None:
    lanes = Lanes(slow_after=NEVER)
    async with AsyncExitStack() as stack:
        await held(stack, lanes, *["greedy"] * PER_ASKER)
        more = asyncio.create_task(fetching(lanes, "greedy", asyncio.Event()))
        async with patience():
            await held(stack, lanes, "honest")
        assert not more.done()
        more.cancel()


async def test_places_that_are_free_again_go_round() -> None:
    lanes, order = Lanes(slow_after=NEVER), list[str]()
    async with AsyncExitStack() as others, AsyncExitStack() as stack:
        await held(stack, lanes, "a", *(f"busy {n}" for n in range(FAST - 1)))
        waiting = [asyncio.create_task(waits(lanes, asker, order)) for asker in ("a", "a", "a", "b")]
        await asyncio.sleep(0)
        await stack.aclose()
        async with patience():
            await asyncio.gather(*waiting)
        await others.aclose()
    assert order.index("b") < 2


async def test_slow_pictures_leave_their_places_to_others() -> None:
    """Also where all of them are one asker's, such as everybody behind one address."""
    lanes, until = Lanes(slow_after=0.01), asyncio.Event()
    slow = [asyncio.create_task(fetching(lanes, "office", until)) for _ in range(40)]
    async with patience(), lanes.place("office"):
        pass
    assert not any(task.done() for task in slow)
    until.set()
    async with patience():
        await asyncio.gather(*slow)


async def test_more_slow_pictures_than_may_be_are_given_up() -> None:
    lanes, until = Lanes(slow_after=0.01), asyncio.Event()
    slow = [asyncio.create_task(fetching(lanes, f"asker {n}", until)) for n in range(SLOW + 8)]
    async with patience():
        while sum(task.done() for task in slow) < 8:
            await asyncio.sleep(0.01)
    until.set()
    ended = await asyncio.gather(*slow, return_exceptions=True)
    assert [type(one) for one in ended if one is not None] == [TimeoutError] * 8


@pytest.mark.parametrize("handed", [True, False])
async def test_who_leaves_while_waiting_takes_no_place(handed: bool) -> None:
    lanes = Lanes(slow_after=NEVER)
    async with AsyncExitStack() as stack:
        await held(stack, lanes, *(f"busy {n}" for n in range(FAST)))
        gone = asyncio.create_task(fetching(lanes, "gone", asyncio.Event()))
        await asyncio.sleep(0)
        if handed:
            await stack.aclose()
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
    async with AsyncExitStack() as stack, patience():
        await held(stack, lanes, *(f"next {n}" for n in range(FAST)))
