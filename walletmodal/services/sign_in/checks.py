"""Rate limit of signature checks: each may cost a node two calls of a contract of the visitor's choice."""

from contextlib import suppress
from hashlib import sha256
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from walletmodal.core.clock import Clock
from walletmodal.core.errors.sign_in import TooManyChecksError
from walletmodal.services.rate_limit import MemoryRateLimit, Rate, RedisRateLimit

CHECKS: Final = Rate(per_second=0.5, burst=64)
"""The burst: those of a pairing of all networks, twice over."""
MAX_VISITORS: Final = 20_000


class SignatureChecks:
    """Counts them, at all servers together where these share a Redis that answers. New visitors are bounded where their cookies are given out (`web/browser.py`).

    Not counted by account: whoever names somebody else's would lock them out.

    Args:
        clock: what the time is measured with.
        redis: which servers share.
        max_visitors: of more the one that had none verified for longest is forgotten.
    """

    def __init__(
        self, clock: Clock | None = None, *, redis: Redis | None = None, max_visitors: int = MAX_VISITORS
    ) -> None:
        self._redis, self._shared = redis, None if redis is None else RedisRateLimit(redis, "signature-checks", CHECKS)
        self._own = MemoryRateLimit(CHECKS, clock, max_clients=max_visitors)

    async def take(self, visitor: str, count: int = 1) -> None:
        """Takes so many checks out of the allowance, or none; before anything of them is used up, so that it can be tried again.

        Raises:
            TooManyChecksError: there were too many a moment ago.
        """
        allowed = self._own.take(visitor, count)
        if allowed and self._shared is not None:
            with suppress(RedisError):
                allowed = await self._shared.allows(sha256(visitor.encode()).hexdigest(), count)
        if not allowed:
            raise TooManyChecksError

    async def close(self) -> None:
        """Give back connections."""
        if self._redis is not None:
            await self._redis.aclose()
