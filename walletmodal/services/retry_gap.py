"""Pause after a failure, in which the same question is not asked again."""

from collections.abc import Hashable
from typing import Generic, TypeVar

from cachetools import TTLCache

from walletmodal.core.clock import Clock
from walletmodal.core.constants import CACHE_SIZE

E = TypeVar("E", bound=Exception)


class RetryGap(Generic[E]):
    """Remembers failures for a while; of this process.

    Args:
        seconds: for how long.
        clock: what that is measured with.
    """

    def __init__(self, seconds: float, clock: Clock) -> None:
        self._failures: TTLCache[Hashable, E, float] = TTLCache(CACHE_SIZE, seconds, clock.monotonic)

    def failed(self, key: Hashable, error: E) -> None:
        """Remember a failure; of very many, the oldest are forgotten."""
        self._failures[key] = _bare(error)

    def raise_recent(self, key: Hashable) -> None:
        """Raise the failure of a question that is not to be asked again yet."""
        error = self._failures.get(key)
        if error is not None:
            raise _bare(error)


def _bare(error: E) -> E:
    """The same failure without its history: tracebacks keep alive what each frame held, such as megabytes that a node sent."""
    bare = type(error).__new__(type(error), *error.args)
    bare.__dict__.update(error.__dict__)
    return bare
