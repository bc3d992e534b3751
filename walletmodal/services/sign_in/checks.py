"""How many signatures one visitor may have verified: each may cost a node two calls of a contract of the visitor's choice."""

from collections import OrderedDict
from typing import Final

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.sign_in import TooManyChecksError

BURST: Final = 64
"""Those of a pairing of all networks, twice over."""
PER_SECOND: Final = 0.5
MAX_VISITORS: Final = 20_000


class SignatureChecks:
    """Counts them, for this process. New visitors are bounded where their cookies are given out (`web/browser.py`).

    Not counted by account: whoever names somebody else's would lock them out.

    Args:
        clock: what the time is measured with.
        max_visitors: of more the one that had none verified for longest is forgotten.
    """

    def __init__(self, clock: Clock | None = None, *, max_visitors: int = MAX_VISITORS) -> None:
        self._clock, self._max_visitors = clock or SystemClock(), max_visitors
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, visitor: str, count: int = 1) -> None:
        """Have so many verified, or none of them; before anything of them is used up, so that it can be tried again.

        Raises:
            TooManyChecksError: there were too many a moment ago.
        """
        now = self._clock.monotonic()
        before, at = self._spent.get(visitor, (0.0, now))
        spent = max(0.0, before - (now - at) * PER_SECOND) + count
        if spent > BURST:
            raise TooManyChecksError
        self._spent[visitor] = (spent, now)
        self._spent.move_to_end(visitor)
        while len(self._spent) > self._max_visitors:
            self._spent.popitem(last=False)
