"""Token buckets: how many calls a client may make, in memory for one worker or in Redis for several."""

from collections import OrderedDict
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final, Protocol, cast

from redis.asyncio import Redis

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.services.redis_clients import NOW

_MOST_CLIENTS: Final = 10_000
_LOOKS: Final = 2
"""At those that made no call for longest, with each call: full buckets go faster than others come."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A bucket holds `burst` calls and gains `per_second` of them each second."""

    per_second: float
    burst: int

    def refilled(self, level: float, seconds: float) -> float:
        """What a bucket holds so many seconds after it held `level`."""
        return min(self.burst, level + seconds * self.per_second)


class RateLimit(Protocol):
    """Counts calls."""

    async def allows(self, client: str, calls: int = 1) -> bool:
        """Take so many calls out of the client's bucket; False, and nothing is taken, when it has fewer."""
        ...


class MemoryRateLimit:
    """Buckets of this process.

    Args:
        rate: size and refill of each bucket.
        clock: where the time comes from.
        max_clients: of more the one that made no call for longest is forgotten.
    """

    def __init__(self, rate: Rate, clock: Clock | None = None, *, max_clients: int = _MOST_CLIENTS) -> None:
        self._rate, self._clock = rate, clock or SystemClock()
        self._max_clients = max_clients
        # What each held when, the last one to be taken out of at the end.
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def clients(self) -> int:
        """Counts buckets that are kept: those that were not yet full again when others were taken out of."""
        return len(self._buckets)

    async def allows(self, client: str, calls: int = 1) -> bool:
        """As `RateLimit.allows`."""
        return self.take(client, calls)

    def take(self, client: str, calls: int = 1) -> bool:
        """Take so many calls out of the client's bucket; False, and nothing is taken, when it has fewer."""
        now = self._clock.monotonic()
        level, then = self._buckets.pop(client, (float(self._rate.burst), now))
        level = self._rate.refilled(level, now - then)
        allowed = level >= calls
        self._make_room(now)
        self._buckets[client] = (level - calls if allowed else level, now)
        return allowed

    def _make_room(self, now: float) -> None:
        for _ in range(min(_LOOKS, len(self._buckets))):
            level, then = next(iter(self._buckets.values()))
            if len(self._buckets) < self._max_clients and self._rate.refilled(level, now - then) < self._rate.burst:
                return
            self._buckets.popitem(last=False)


_TAKE: Final = f"""{NOW}
local stored = redis.call('HMGET', KEYS[1], 'level', 'at')
local burst, per_second, calls = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local level = tonumber(stored[1] or burst)
level = math.min(burst, level + math.max(0, now - tonumber(stored[2] or now)) * per_second)
local allowed = 0
if level >= calls then level = level - calls; allowed = 1 end
redis.call('HSET', KEYS[1], 'level', tostring(level), 'at', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(1000 * burst / per_second))
return allowed
"""


class RedisRateLimit:
    """Buckets that all workers share.

    Args:
        redis: the connection pool to use.
        name: which limit it is; part of the keys.
        rate: size and refill of each bucket.
    """

    def __init__(self, redis: Redis, name: str, rate: Rate) -> None:
        self._redis, self._name, self._rate = redis, name, rate

    async def allows(self, client: str, calls: int = 1) -> bool:
        """Take so many calls out of the client's bucket; False, and nothing is taken, when it has fewer.

        Raises:
            redis.exceptions.RedisError: Redis does not answer.
        """
        arguments = [str(self._rate.burst), str(self._rate.per_second), str(calls)]
        answer = self._redis.eval(_TAKE, 1, f"walletmodal:limit:{self._name}:{client}", *arguments)
        return await cast("Awaitable[int]", answer) == 1
