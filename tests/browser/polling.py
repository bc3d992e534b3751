"""Waiting for a condition with a deadline, for what Playwright's own `expect` cannot see."""

import time
from collections.abc import Callable
from typing import TypeVar

from tests.patience import PATIENCE

T = TypeVar("T")


def pause(seconds: float) -> None:
    """Let time pass between two looks at something that no event announces."""
    time.sleep(seconds)


def until(
    read: Callable[[], T],
    holds: Callable[[T], bool] = bool,
    *,
    what: str,
    seconds: float = PATIENCE,
    wait: Callable[[float], None] = pause,
) -> T:
    """Read until the value is as wanted, and return it.

    Args:
        read: reads the value.
        holds: whether the value is as wanted; default: whether it is true.
        what: what is waited for, for the error.
        seconds: the deadline.
        wait: how to pass the time between two looks; a page's own wait keeps its events coming.

    Raises:
        AssertionError: the deadline passed; the text has the last value.
    """
    deadline = time.monotonic() + seconds
    while True:
        value = read()
        if holds(value):
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not come about within {seconds:g} s; last seen: {value!r:.600}")
        wait(0.025)
