"""Waiting that can be ended from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from walletmodal.web.tasks import Waits


class _Waiting:
    """A task that waits for a future, and what is left of it."""

    def __init__(self) -> None:
        self.waits, self.future = Waits(), asyncio.get_running_loop().create_future()
        self.cancelling = -1
        self.task = asyncio.create_task(self._wait())

    async def _wait(self) -> object:
        try:
            return await self.waits.run(lambda: self.future)
        finally:
            self.cancelling = self.task.cancelling()

    def end(self) -> None:
        """By us."""
        self.waits.end()

    def cancel(self) -> None:
        """By somebody else."""
        self.task.cancel()

    def answer(self) -> None:
        """What is waited for comes."""
        self.future.set_result("came")


async def _began() -> _Waiting:
    waiting = _Waiting()
    await asyncio.sleep(0)
    return waiting


async def test_what_is_waited_for_comes() -> None:
    waiting = await _began()
    waiting.answer()
    assert (await waiting.task, waiting.cancelling) == ("came", 0)


@pytest.mark.parametrize("before", [lambda _: None, _Waiting.end, _Waiting.answer])
async def test_what_is_ended_gives_nothing_and_the_task_goes_on(before: Callable[[_Waiting], None]) -> None:
    waiting = await _began()
    # What has come is not taken yet.
    before(waiting)
    waiting.end()
    assert (await waiting.task, waiting.cancelling) == (None, 0)


@pytest.mark.parametrize(
    "steps", [(_Waiting.cancel,), (_Waiting.end, _Waiting.cancel), (_Waiting.cancel, _Waiting.end)]
)
async def test_who_is_cancelled_by_somebody_else_is(steps: tuple[Callable[[_Waiting], None], ...]) -> None:
    waiting = await _began()
    for step in steps:
        step(waiting)
    with pytest.raises(asyncio.CancelledError):
        await waiting.task
    assert waiting.cancelling == 1


async def test_who_was_cancelled_before_and_went_on_can_be_ended() -> None:
    waits = Waits()

    async def wait() -> tuple[object, int]:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_soon(waits.end)
        return await waits.run(asyncio.Event().wait), task.cancelling()

    assert await asyncio.create_task(wait()) == (None, 1)
