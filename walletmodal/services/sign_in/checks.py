"""Rate limit of signature checks: each may cost a node two calls of a contract of the visitor's choice."""

from typing import Final

from walletmodal.core.clock import Clock
from walletmodal.core.errors.sign_in import TooManyChecksError
from walletmodal.services.rate_limit import MemoryRateLimit, Rate

CHECKS: Final = Rate(per_second=0.5, burst=64)
"""The burst: those of a pairing of all networks, twice over."""
MAX_VISITORS: Final = 20_000


class SignatureChecks:
    """Counts them, for this process. New visitors are bounded where their cookies are given out (`web/browser.py`).

    Not counted by account: whoever names somebody else's would lock them out.

    Args:
        clock: what the time is measured with.
        max_visitors: of more the one that had none verified for longest is forgotten.
    """

    def __init__(self, clock: Clock | None = None, *, max_visitors: int = MAX_VISITORS) -> None:
        self._limit = MemoryRateLimit(CHECKS, clock, max_clients=max_visitors)

    def take(self, visitor: str, count: int = 1) -> None:
        """Takes so many checks out of the allowance, or none; before anything of them is used up, so that it can be tried again.

        Raises:
            TooManyChecksError: there were too many a moment ago.
        """
        if not self._limit.take(visitor, count):
            raise TooManyChecksError
