"""What an event tells its page, and what it brings about, is held back until Redis has what it has done.

Why: Reflex tells the page first. Where the writing fails then, a wallet is asked for what no server knows of, and whoever has clicked sees the
state before and clicks again.
Test: `test_a_page_is_told_before_it_is_written`, `tests/test_held_back.py`, `tests/test_redis_states.py`.
Dropped when: Reflex writes before it tells.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias

Saying: TypeAlias = Callable[[], Awaitable[None]]

_HELD: Final[ContextVar[list[Saying] | None]] = ContextVar("held_back", default=None)


@contextmanager
def held_back(*, holds: bool) -> Iterator[list[Saying]]:
    """What is said and begun within the block, to be said and begun after it; nothing where it holds nothing."""
    before, said = _HELD.get(), list[Saying]()
    _HELD.set(said if holds else None)
    try:
        yield said
    finally:
        _HELD.set(before)


def holds_back(saying: Saying) -> bool:
    """Whether something is held back now; the caller does it otherwise."""
    held = _HELD.get()
    if held is not None:
        held.append(saying)
    return held is not None
