"""Tells of a project's own code that holds the event loop: until it is done, this worker serves nobody else."""

import asyncio
import logging
import sys
import sysconfig
import threading
import time
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from prometheus_client import Histogram

HELD_SECONDS: Final = 0.5
"""So long nobody may hold it."""
_EVERY_SECONDS: Final = 1.0
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_INSTALLED: Final = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))

_DELAY: Final = Histogram(
    "walletmodal_loop_delay_seconds",
    "After how long the event loop gets to what is new, asked once a second.",
    buckets=(0.005, 0.025, 0.1, 0.5, 2.5),
)
_log: Final = logging.getLogger(__name__)


@asynccontextmanager
async def watch_loop() -> AsyncIterator[None]:
    """A lifespan task: a thread asks the event loop for a sign of life every second."""
    loop, held_by, ended = asyncio.get_running_loop(), threading.get_ident(), threading.Event()

    def watch() -> None:
        while not ended.wait(_EVERY_SECONDS):
            answered, asked_at = threading.Event(), time.perf_counter()
            try:
                loop.call_soon_threadsafe(_answer, answered, asked_at)
            except RuntimeError:
                # The loop was closed under it, as where a process is made to end.
                return
            if not answered.wait(HELD_SECONDS):
                _report(held_by)
                # Once for each time; a loop that has ended in the meantime answers no more.
                while not (answered.wait(HELD_SECONDS) or ended.is_set() or loop.is_closed()):
                    pass

    thread = threading.Thread(target=watch, name="loop watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        await asyncio.to_thread(thread.join)


def _answer(answered: threading.Event, asked_at: float) -> None:
    _DELAY.observe(time.perf_counter() - asked_at)
    answered.set()


def _report(thread: int) -> None:
    """Log where the project's own code is, if it is that which runs: a machine that is too busy also answers late."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - there is no other way to look at a thread
    own = [at for at in traceback.extract_stack(frame) if _is_own(at.filename)] if frame else []
    if own:
        _log.warning(
            "own code holds the event loop for more than %s s, in which nobody is served: %s:%s, in %s. "
            "Await what takes so long, or `asyncio.to_thread`",
            *(HELD_SECONDS, own[-1].filename, own[-1].lineno, own[-1].name),
        )


def _is_own(file: str) -> bool:
    path = Path(file)
    if not path.is_relative_to(Path.cwd()) or path.is_relative_to(_PACKAGE):
        return False
    return not any(path.is_relative_to(folder) for folder in _INSTALLED)
