"""Lookups at services: cached for their time, equal ones at once joined, errors never kept."""

import json
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any, Final, TypeVar

from cachetools import LRUCache

from walletmodal.core.errors.services import ServiceError
from walletmodal.services.cache import Cache
from walletmodal.services.http import Received, understood
from walletmodal.services.single_flight import SingleFlight

MAX_READ: Final = 1024
"""How many answers are kept as they were read, so that a cached one is not parsed again for each visitor."""
MAX_READ_CHARACTERS: Final = 8 * 1024 * 1024
"""The length of their texts together; a short one counts for an equal share of it."""

T = TypeVar("T")


def lookup_key(kind: str, *parts: object) -> str:
    """The key of a lookup: short and harmless whatever the parts are. Equal parts in the same order give the same key.

    Args:
        kind: which lookup it is, such as `identity`.
        parts: all that the answer depends on: service, project, origin, network, address. JSON values.
    """
    return f"{kind}:{sha256(json.dumps(parts).encode()).hexdigest()[:40]}"


class Lookups:
    """Asks services for all visitors of a process.

    Args:
        cache: where answers are kept as the service sent them; shared between workers when it is Redis.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._flights: SingleFlight[Any] = SingleFlight()
        share = MAX_READ_CHARACTERS // MAX_READ
        self._read: LRUCache[str, tuple[str, Any]] = LRUCache(MAX_READ_CHARACTERS, lambda one: max(share, len(one[0])))

    async def get(
        self,
        key: str,
        ttl: float,
        ask: Callable[[], Awaitable[Received]],
        parse: Callable[[object], T],
        *,
        fresh: bool = False,
    ) -> T:
        """The parsed answer, which all who ask share: it must be immutable.

        Args:
            key: see `lookup_key`; one key always goes with the same `parse`.
            ttl: seconds for which the answer is kept.
            ask: asks the service.
            parse: makes a value of the answer's JSON; raises `ShapeError` when it cannot be used, and nothing is kept then.
            fresh: ask even if an answer is kept; the new one takes its place.

        Raises:
            NotConfiguredError, ServiceError: the service could not be asked, or `parse` refused its answer.
        """
        if not fresh:
            kept = await self._kept(key, parse)
            if kept is not None:
                return kept[0]
        asked = False

        def own() -> Awaitable[T]:
            nonlocal asked
            asked = True
            return self._ask(key, ttl, ask, parse)

        try:
            answer: T = await self._flights.join(key, own, fresh=fresh)
        except ServiceError:
            if asked:
                raise
            # It was another visitor's question: it may have failed for who that is, or for how much they have asked already.
            answer = await self._flights.join(key, own)
        return answer

    async def forget(self, key: str) -> None:
        """Drops what is cached under a key, and lets no question that runs already bring it back."""
        self._flights.disown(key)
        self._read.pop(key, None)
        await self._cache.delete(key)

    async def close(self) -> None:
        """Give up what is still being asked."""
        await self._flights.close()

    async def _ask(
        self, key: str, ttl: float, ask: Callable[[], Awaitable[Received]], parse: Callable[[object], T]
    ) -> T:
        received = await ask()
        value = understood(received, parse)
        if self._flights.is_newest(key):
            text = received.body.decode("utf-8-sig")
            await self._cache.set(key, text, ttl)
            self._remember(key, text, value)
        return value

    async def _kept(self, key: str, parse: Callable[[object], T]) -> tuple[T] | None:
        text = await self._cache.get(key)
        if text is None:
            self._read.pop(key, None)
            return None
        known = self._read.get(key)
        if known is not None and known[0] == text:
            return (known[1],)
        try:
            value = understood(Received(text.encode("utf-8", "replace"), "directory"), parse)
        except ServiceError:
            # Another version of the product has written it into a shared cache.
            return None
        self._remember(key, text, value)
        return (value,)

    def _remember(self, key: str, text: str, value: object) -> None:
        if len(text) <= MAX_READ_CHARACTERS:
            self._read[key] = text, value
