"""Joins equal questions at the same time into one."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Joins concurrent equal questions into one.

    An answer or an error reaches all who asked; nothing is kept of it. One who leaves does not take the answer from the others, and when
    all have left the question still runs to its end, so that its answer can be cached.
    """

    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Task[T]] = {}
        # Replaced by a fresh one: its askers still wait for it, and asyncio alone would let it be collected.
        self._disowned: set[asyncio.Task[T]] = set()

    async def join(self, key: Hashable, ask: Callable[[], Awaitable[T]], *, fresh: bool = False) -> T:
        """The answer to the question that already runs under `key`, else to `ask()`.

        Args:
            key: what makes questions equal.
            ask: asks; raises what it likes.
            fresh: ask now even if the question runs: what began earlier may answer with what was true before.
        """
        if fresh:
            self.disown(key)
        task = self._running.get(key)
        if task is None:
            task = asyncio.ensure_future(_run(ask))
            self._running[key] = task
            task.add_done_callback(lambda done: self._settled(key, done))
        return await asyncio.shield(task)

    def is_newest(self, key: Hashable) -> bool:
        """Whether the question that calls this is the newest of its key, so that its answer may be kept."""
        return self._running.get(key) is asyncio.current_task()

    def disown(self, key: Hashable) -> None:
        """Forgets the running question: the next who asks asks anew."""
        task = self._running.pop(key, None)
        if task is not None:
            self._disowned.add(task)
            task.add_done_callback(self._disowned.discard)

    async def close(self) -> None:
        """Give up what is still being asked."""
        tasks = [*self._running.values(), *self._disowned]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _settled(self, key: Hashable, task: asyncio.Task[T]) -> None:
        if self._running.get(key) is task:
            del self._running[key]
        if not task.cancelled():
            # Everyone who asked may have left; their error is then nobody's, and asyncio would complain.
            task.exception()


async def _run(ask: Callable[[], Awaitable[T]]) -> T:
    return await ask()
