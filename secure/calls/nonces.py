"""Nonces that count once: in this process, or in Redis for several workers."""

from collections import deque
from typing import Final, Protocol
from uuid import uuid4

from redis.asyncio import Redis
from redis.exceptions import RedisError

from walletmodal.core.clock import Clock
from walletmodal.db.moments import to_ms
from walletmodal.secure.errors import unavailable

MOST_NONCES: Final = 200_000
"""That a process keeps. None is forgotten before its time: it could be used again."""
_PREFIX: Final = "walletmodal:secure:nonce:"


class Nonces(Protocol):
    """Remembers what was used.

    Attributes:
        since: what was used before this moment, in ms, is not known any more: calls of before it cannot be told from those that were made already.
    """

    since: int

    async def use(self, nonce: str, seconds: float) -> bool:
        """Use a nonce; False when it was used within its `seconds`.

        Raises:
            CallError: 503, it cannot be said now.
        """
        ...


class MemoryNonces:
    """Nonces of this process.

    Args:
        clock: what their time is measured with.
        most: how many there may be.
    """

    def __init__(self, clock: Clock, *, most: int = MOST_NONCES) -> None:
        self._clock, self._most = clock, most
        self.since = to_ms(clock.now())
        self._used: set[str] = set()
        self._ends: deque[tuple[float, str]] = deque()

    async def use(self, nonce: str, seconds: float) -> bool:
        """As `Nonces.use`. All of one process have the same `seconds`, so the oldest end first."""
        now = self._clock.monotonic()
        while self._ends and self._ends[0][0] <= now:
            self._used.discard(self._ends.popleft()[1])
        if nonce in self._used:
            return False
        if len(self._used) >= self._most:
            raise unavailable()
        self._used.add(nonce)
        self._ends.append((now + seconds, nonce))
        return True


class RedisNonces:
    """Nonces that all workers share.

    Args:
        redis: the connections to use.
    """

    since = 0

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def use(self, nonce: str, seconds: float) -> bool:
        """As `Nonces.use`."""
        key, mine = _PREFIX + nonce, uuid4().bytes
        try:
            if await self._redis.set(key, mine, nx=True, px=round(seconds * 1000)):
                return True
            # The answer to this very use may have been lost.
            return bool(await self._redis.get(key) == mine)
        except (RedisError, OSError) as error:
            raise unavailable() from error
