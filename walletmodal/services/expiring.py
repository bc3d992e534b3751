"""Cache with a time of its own for each entry; the least recently used go first."""

from collections.abc import Callable
from typing import Generic, TypeVar

from cachetools import TLRUCache

from walletmodal.core.clock import Clock, SystemClock

V = TypeVar("V")


class Expiring(Generic[V]):
    """A cache of this process by the project's clock.

    Args:
        clock: what an entry's time is measured with.
        max_size: how large all entries together are.
        size_of: how large one is.
    """

    def __init__(self, clock: Clock | None, *, max_size: int, size_of: Callable[[V], int]) -> None:
        self._kept: TLRUCache[str, tuple[float, V], float] = TLRUCache(
            max_size,
            ttu=lambda _key, entry, now: now + entry[0],
            timer=(clock or SystemClock()).monotonic,
            getsizeof=lambda entry: size_of(entry[1]),
        )

    @property
    def size(self) -> int:
        """Size of all entries together."""
        return int(self._kept.currsize)

    def get(self, key: str) -> V | None:
        """The entry, or None."""
        entry = self._kept.get(key)
        return None if entry is None else entry[1]

    def put(self, key: str, value: V, ttl: float) -> None:
        """Keeps an entry for `ttl` seconds in place of one that is there; one larger than all may be together is not kept."""
        self.drop(key)
        try:
            self._kept[key] = ttl, value
        except ValueError:
            # Larger than all of it; nothing else had to go.
            return

    def drop(self, key: str) -> None:
        """Forgets an entry."""
        self._kept.pop(key, None)

    def clear(self) -> None:
        """Forgets everything."""
        self._kept.clear()
