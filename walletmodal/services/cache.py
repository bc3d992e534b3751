"""Caches with one small interface: process memory by default, Redis when several workers share one."""

import logging
from typing import Final, Protocol

from redis.asyncio import Redis
from redis.exceptions import RedisError

from walletmodal.core.clock import Clock
from walletmodal.core.constants import CACHE_SIZE
from walletmodal.services.expiring import Expiring
from walletmodal.services.metrics import count_cache_failure
from walletmodal.services.redis_clients import open_redis

MAX_CHARACTERS: Final = 64 * 1024 * 1024
_LEAST_IN_REDIS: Final = 1024
"""Characters that a short text in Redis counts for: what is remembered of it here takes room as well."""
REDIS_PREFIX: Final = "walletmodal:cache:"

logger = logging.getLogger(__name__)


class Cache(Protocol):
    """Short texts under short keys, each for a limited time. A cache may forget at any moment, and never fails."""

    async def get(self, key: str) -> str | None:
        """The text, or None when it is not there (any more)."""
        ...

    async def set(self, key: str, value: str, ttl: float) -> None:
        """Keep a text for `ttl` seconds."""
        ...

    async def delete(self, key: str) -> None:
        """Forget a text."""
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


class MemoryCache:
    """A cache in this process; the least recently used entry goes first.

    Args:
        clock: what an entry's time is measured with.
        max_entries: how many are kept.
        max_characters: how long all texts together are; a short one counts for an equal share of it.
    """

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        max_entries: int = CACHE_SIZE,
        max_characters: int = MAX_CHARACTERS,
    ) -> None:
        share = max_characters // max_entries
        self._kept = Expiring[str](clock, max_size=max_characters, size_of=lambda text: max(share, len(text)))

    async def get(self, key: str) -> str | None:
        """The text, or None."""
        return self._kept.get(key)

    async def set(self, key: str, value: str, ttl: float) -> None:
        """Keep a text for `ttl` seconds."""
        self._kept.put(key, value, ttl)

    async def delete(self, key: str) -> None:
        """Forget a text."""
        self._kept.drop(key)

    async def close(self) -> None:
        """Forget everything."""
        self._kept.clear()


class RedisCache:
    """A cache that all workers share. While Redis is away it knows nothing, says so in the log, and counts it.

    Redis has visitors' states as well, so what a worker puts there is bounded, too: what comes when that is full is not kept.

    Args:
        client: closed by `close`.
        prefix: of the keys.
        clock: by which it is known what is gone again.
        max_characters: how long all texts of this worker together are.

    Attributes:
        failures: how many operations Redis did not carry out.
    """

    def __init__(
        self,
        client: Redis,
        *,
        prefix: str = REDIS_PREFIX,
        clock: Clock | None = None,
        max_characters: int = MAX_CHARACTERS,
    ) -> None:
        self._client = client
        self._prefix = prefix
        self._put, self._most = Expiring[int](clock, max_size=max_characters, size_of=lambda size: size), max_characters
        self.failures = 0

    async def get(self, key: str) -> str | None:
        """The text, or None."""
        try:
            found = await self._client.get(self._prefix + key)
        except RedisError as error:
            self._failed("get", error)
            return None
        return found.decode("utf-8", "replace") if isinstance(found, bytes) else found

    async def set(self, key: str, value: str, ttl: float) -> None:
        """Keep a text for `ttl` seconds, to the millisecond."""
        self._put.drop(key)
        size = max(_LEAST_IN_REDIS, len(value))
        if self._put.size + size > self._most:
            # Nor the one before, which may be wrong by now.
            await self.delete(key)
            return
        self._put.put(key, size, ttl)
        try:
            await self._client.set(self._prefix + key, value, px=max(1, round(ttl * 1000)))
        except RedisError as error:
            self._failed("set", error)

    async def delete(self, key: str) -> None:
        """Forget a text."""
        self._put.drop(key)
        try:
            await self._client.delete(self._prefix + key)
        except RedisError as error:
            self._failed("delete", error)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def _failed(self, operation: str, error: RedisError) -> None:
        self.failures += 1
        count_cache_failure()
        logger.warning("cache %s failed: %s", operation, error)


def open_cache(redis_url: str | None, clock: Clock | None = None, *, max_characters: int = MAX_CHARACTERS) -> Cache:
    """The cache of a deployment: Redis when a URL is set, else memory. Connects at the first use. `max_characters`: of all texts of this process together."""
    if redis_url is None:
        return MemoryCache(clock, max_characters=max_characters)
    return RedisCache(open_redis(redis_url), clock=clock, max_characters=max_characters)
