"""Time as a thing that can be handed over, so that tests of an expiry take none."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Civil time, in UTC, with its zone."""
        ...

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Civil time, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since the machine's start."""
        return time.monotonic()


class MovableClock:
    """A clock that stands still until it is moved.

    Args:
        start: where it stands at first; default 2026-01-01 in UTC.
    """

    def __init__(self, start: datetime | None = None) -> None:
        self._now = start or datetime(2026, 1, 1, tzinfo=UTC)
        self._monotonic = 0.0

    def now(self) -> datetime:
        """Where it stands."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that it was moved by so far."""
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Move it forward.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError("a clock does not go back")
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds
