"""What an event tells its page, and what it brings about, is held back until Redis has what it has done.

Why: Reflex tells the page first. Where the writing fails then, a wallet is asked for what no server knows of, and whoever has clicked sees the
state before and clicks again.
Test: `test_a_page_is_told_before_it_is_written`, `tests/test_held_back.py`, `tests/test_redis_states.py`.
Dropped when: Reflex writes before it tells.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeAlias

Saying: TypeAlias = Callable[[], Awaitable[None]]

_log: Final = logging.getLogger(__name__)


class HeldBack(list[Saying]):
    """What is held back, until it is over: a task that was begun meanwhile may go on after that.

    Attributes:
        last: the last of the changes that pages are told, state → variable → value, and the token of the page.
        failed: whether something could not be said.
    """

    over = failed = False
    last: tuple[str, Any] | None = None


_HELD: Final[ContextVar[HeldBack | None]] = ContextVar("held_back", default=None)


@contextmanager
def held_back(*, holds: bool) -> Iterator[HeldBack]:
    """What is said and begun within the block, to be said and begun after it; nothing where it holds nothing."""
    before, held = _HELD.get(), HeldBack()
    _HELD.set(held if holds else None)
    try:
        yield held
    finally:
        held.over = True
        _HELD.set(before)


def holds_back(saying: Saying, *, change: tuple[str, Any] | None = None) -> bool:
    """Whether something is held back now; the caller does it otherwise. `change`: as in `HeldBack.last`, where a page is told one."""
    held = _HELD.get()
    if held is None or held.over:
        return False
    held.append(saying)
    held.last = change or held.last
    return True


async def say(said: HeldBack) -> None:
    """Say and begin what was held back, all of it: what is written counts on it.

    Raises:
        Exception: the first of those that it has met with; the log has the others.
    """
    first: Exception | None = None
    for saying in said:
        try:
            await saying()
        except Exception as error:  # noqa: BLE001 - whatever it is, the others have nothing to do with it
            said.failed = True
            if first is None:
                first = error
            else:
                _log.warning("what an event has done was not told, or what it brings about not begun: %r", error)
    if first is not None:
        raise first
