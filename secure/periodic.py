"""What runs beside the calls of a process until it ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, Final, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.core.clock import Clock
from walletmodal.db.recurring import RecurringWork
from walletmodal.secure.metrics import BACKGROUND_FAILURES
from walletmodal.secure.waiting import first_of

PAUSE_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 10.0
_NOT_SWEPT: Final = "what has expired could not be deleted"

T = TypeVar("T")

logger = logging.getLogger(__name__)


async def every_minute(
    stopping: asyncio.Event, engine: AsyncEngine, table: Any, clock: Clock, *works: Callable[[], Awaitable[None]]
) -> None:
    """Does `works` every minute until `stopping`, unless another process does; each whatever became of the others.

    Args:
        stopping: ends it.
        engine: of the database that the processes share.
        table: its table of recurring work.
        clock: of the site.
        works: in this order.
    """
    minutely = RecurringWork(engine, table, "every minute", seconds=PAUSE_SECONDS, clock=clock)
    while not stopping.is_set():
        turn = await attempt(minutely.turn, _NOT_SWEPT)
        for work in works if turn and turn.mine else ():
            await attempt(work, _NOT_SWEPT)
        await first_of(stopping.wait(), clock.sleep(turn.pause if turn else PAUSE_SECONDS))


async def attempt(work: Callable[[], Awaitable[T]], failure: str) -> T | None:
    """Does work that is done again later: a database that cannot do it now is asked then, and a mistake ends nothing else. `failure`: for the log."""
    try:
        return await work()
    except (SQLAlchemyError, OSError) as error:
        logger.warning("%s: %s", failure, type(error).__name__)
    except Exception:
        BACKGROUND_FAILURES.inc()
        logger.exception("%s, by a mistake; it is tried again", failure)
    return None


def keep_running(stack: AsyncExitStack, stopping: asyncio.Event, *works: Coroutine[Any, Any, None]) -> None:
    """Runs works that end at `stopping`, which the stack sets and waits for."""
    tasks = [asyncio.create_task(work) for work in works]
    for task in tasks:
        task.add_done_callback(_log_failure)

    async def stop() -> None:
        # A unit of work is ended, not cut off: what cleans up after it would ask a database that is closed by then, and never return.
        stopping.set()
        _, late = await asyncio.wait(tasks, timeout=_STOP_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    stack.push_async_callback(stop)


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.error("work in the background has ended until the process is started anew", exc_info=error)
