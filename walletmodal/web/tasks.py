"""Tasks that are waited for no longer than they may take, and that wait no longer than they may."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from walletmodal.core.clock import Clock

_T = TypeVar("_T")


async def within(seconds: float, clock: Clock, saying: Awaitable[None]) -> None:
    """Waits until it is done, and gives it up when that takes longer."""
    saying_it, late = asyncio.create_task(_await(saying)), asyncio.create_task(clock.sleep(seconds))
    try:
        await asyncio.wait({saying_it, late}, return_when=asyncio.FIRST_COMPLETED)
        if saying_it.done():
            saying_it.result()
    finally:
        await give_up(saying_it, late)


async def _await(saying: Awaitable[None]) -> None:
    # What a server gives to be awaited need not be a coroutine, as tasks want it.
    await saying


async def give_up(*tasks: asyncio.Task[Any]) -> None:
    """Cancels those that are not done, and waits for their end."""
    going_on = [task for task in tasks if task.cancel()]
    if going_on:
        await asyncio.gather(*going_on, return_exceptions=True)


class Waits:
    """What several tasks wait for, until all of it is ended.

    Neither a task for each nor a timeout: either costs as much as all else that is done for a message of a page.
    """

    __slots__ = ("_tasks",)

    def __init__(self) -> None:
        self._tasks = set[asyncio.Task[Any]]()

    async def run(self, begin: Callable[[], Awaitable[_T]]) -> _T | None:
        """What comes of it; None when it is ended first.

        Raises:
            CancelledError: the task was cancelled by somebody else, as well or alone.
        """
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        cancelled = task.cancelling()
        self._tasks.add(task)
        try:
            return await begin()
        except asyncio.CancelledError:
            # `end` takes the tasks that it cancels out of the set.
            if task in self._tasks or task.cancelling() > cancelled + 1:
                raise
            return None
        finally:
            if task in self._tasks:
                self._tasks.remove(task)
            else:
                task.uncancel()

    def end(self) -> None:
        """End all that is waited for now."""
        ended, self._tasks = self._tasks, set()
        for task in ended:
            task.cancel()
