"""Throttle of the event socket: how fast one page, and all pages of one address, may speak."""

from typing import Final

from walletmodal.core.clock import Clock
from walletmodal.services.rate_limit import Rate

PACE: Final = Rate(per_second=75, burst=400)
"""Of one socket. A page says some twenty things when it loads, and then a few a second."""
ADDRESS_PACE: Final = Rate(per_second=300, burst=6_000)
"""Of all sockets of one address: an office whose pages all return after a restart."""

_BYTES: Final = 16 * 1024
_VALUES: Final = 50


def cost(size: int, values: int) -> int:
    """Returns a message's cost: one, and one more for each 16 kB and for each fifty values in it, which take as long as an event."""
    return 1 + size // _BYTES + values // _VALUES


def cost_of_telling(size: int) -> int:
    """What it counts for that the server says something of this size: to write it takes as long as to read it."""
    return size // _BYTES


class Bucket:
    """What may be said at once; what was said beyond it has to be waited for, and never longer than a full bucket takes to fill.

    Args:
        rate: its size and refill.
        clock: what the time is measured with.
    """

    __slots__ = ("_at", "_clock", "_left", "_rate")

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._rate, self._clock = rate, clock
        self._left, self._at = float(rate.burst), clock.monotonic()

    def take(self, amount: float) -> None:
        """Counts what has been said."""
        self._refill()
        # Who waits longer than for the framework's next ping is disconnected, with all others of the address.
        self._left = max(self._left - amount, -float(self._rate.burst))

    def wait(self) -> float:
        """Returns seconds until more may be said."""
        if self._left >= 0:
            return 0.0
        self._refill()
        return max(0.0, -self._left / self._rate.per_second)

    def _refill(self) -> None:
        now = self._clock.monotonic()
        self._left = self._rate.refilled(self._left, now - self._at)
        self._at = now
