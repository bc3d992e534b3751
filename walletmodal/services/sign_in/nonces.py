"""Store of sign-in nonces: each with what was given out under it, for one visitor, for a while, and for one use."""

from collections import OrderedDict
from collections.abc import Awaitable
from hashlib import sha256
from typing import Final, Protocol, cast
from uuid import uuid4

from redis.asyncio import Redis
from redis.exceptions import RedisError

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.services.redis_clients import NOW, open_redis
from walletmodal.services.redis_patience import PATIENT

MAX_PER_VISITOR: Final = 4
"""A visitor who asks again and again pushes out only nonces of their own."""
MAX_VISITORS: Final = 20_000
REDIS_PREFIX: Final = "walletmodal:nonces:"
_TAKEN_PREFIX: Final = "walletmodal:taken:"


class Nonces(Protocol):
    """Keeps them. Unlike a cache it says so when it cannot."""

    async def keep(self, visitor: str, nonce: str, value: str, ttl: float) -> None:
        """Keep a value under a visitor's nonce for `ttl` seconds; of more than four of one visitor the oldest is forgotten.

        Raises:
            SignInUnavailableError: it could not be kept.
        """
        ...

    async def take(self, visitor: str, nonce: str) -> str | None:
        """Takes the value, for the first who asks for it; None for all others, for another visitor, and when its time is over.

        Raises:
            SignInUnavailableError: nobody can say; the nonce may be used up.
        """
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


class MemoryNonces:
    """Nonces of this process.

    Args:
        clock: what their time is measured with.
        max_visitors: of more the one that got none for longest is forgotten.
    """

    def __init__(self, clock: Clock | None = None, *, max_visitors: int = MAX_VISITORS) -> None:
        self._clock, self._max_visitors = clock or SystemClock(), max_visitors
        self._kept: OrderedDict[str, OrderedDict[str, tuple[float, str]]] = OrderedDict()

    async def keep(self, visitor: str, nonce: str, value: str, ttl: float) -> None:
        """As `Nonces.keep`; always succeeds."""
        now = self._clock.monotonic()
        own = self._kept.setdefault(visitor, OrderedDict())
        for old in [one for one, (ends, _) in own.items() if ends <= now]:
            del own[old]
        own[nonce] = (now + ttl, value)
        while len(own) > MAX_PER_VISITOR:
            own.popitem(last=False)
        self._kept.move_to_end(visitor)
        while len(self._kept) > self._max_visitors:
            self._kept.popitem(last=False)

    async def take(self, visitor: str, nonce: str) -> str | None:
        """As `Nonces.take`."""
        own = self._kept.get(visitor, OrderedDict())
        ends, value = own.pop(nonce, (0.0, None))
        if not own:
            self._kept.pop(visitor, None)
        return value if self._clock.monotonic() < ends else None

    async def close(self) -> None:
        """Forget everything."""
        self._kept.clear()


# A value stands behind the moment of its end, in ms, of 15 digits.
_KEEP: Final = f"""{NOW}
local stays, most = tonumber(ARGV[3]), tonumber(ARGV[4])
now = math.floor(now * 1000)
local fields = redis.call('HGETALL', KEYS[1])
local left, oldest, first = 0, nil, nil
for at = 1, #fields, 2 do
    local ends = tonumber(string.sub(fields[at + 1], 1, 15))
    if ends <= now then
        redis.call('HDEL', KEYS[1], fields[at])
    else
        left = left + 1
        if first == nil or ends < first then oldest, first = fields[at], ends end
    end
end
if left >= most then redis.call('HDEL', KEYS[1], oldest) end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%015d', now + stays) .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], stays)
return 1
"""
# The second key holds for a minute what was taken by whom: who asks again, for the answer was lost, gets it again.
_TAKE: Final = f"""{NOW}
local found = redis.call('HGET', KEYS[1], ARGV[1])
if not found then return redis.call('GET', KEYS[2]) end
redis.call('HDEL', KEYS[1], ARGV[1])
if tonumber(string.sub(found, 1, 15)) <= now * 1000 then return false end
local value = string.sub(found, 16)
redis.call('SETEX', KEYS[2], 60, value)
return value
"""


class RedisNonces:
    """Nonces that all workers share: one hash per visitor; keeping and taking are one step each.

    Args:
        client: closed by `close`.
        prefix: of the keys.
    """

    def __init__(self, client: Redis, *, prefix: str = REDIS_PREFIX) -> None:
        self._client, self._prefix = client, prefix

    async def keep(self, visitor: str, nonce: str, value: str, ttl: float) -> None:
        """As `Nonces.keep`."""
        await self._evaluated(_KEEP, visitor, nonce, value, str(max(1, round(ttl * 1000))), str(MAX_PER_VISITOR))

    async def take(self, visitor: str, nonce: str) -> str | None:
        """As `Nonces.take`."""
        found = await self._evaluated(_TAKE, visitor, nonce)
        text = found.decode("utf-8", "replace") if isinstance(found, bytes) else found
        return text if isinstance(text, str) else None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _evaluated(self, script: str, visitor: str, *arguments: str) -> object:
        # A key of fixed length, from which nobody who reads Redis can pass for the visitor.
        key = self._prefix + sha256(visitor.encode("utf-8", "surrogatepass")).hexdigest()
        # In a cluster it lies where the other one does.
        taken = f"{_TAKEN_PREFIX}{{{key}}}:{uuid4().hex}"
        try:
            return await cast("Awaitable[object]", self._client.eval(script, 2, key, taken, *arguments))
        except RedisError as error:
            raise SignInUnavailableError(f"redis: {type(error).__name__}") from error


def open_nonces(redis_url: str | None, clock: Clock | None = None) -> Nonces:
    """The nonces of a deployment: in Redis, which has a clock of its own, when a URL is set, else in memory. Connects at the first use."""
    if redis_url is None:
        return MemoryNonces(clock)
    return RedisNonces(open_redis(redis_url, patience=PATIENT))
