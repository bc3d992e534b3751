"""The time after a failure in which the same question is not asked again."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

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
        self._seconds, self._clock = seconds, clock
        self._failures: OrderedDict[Hashable, tuple[float, E]] = OrderedDict()

    def failed(self, key: Hashable, error: E) -> None:
        """Remember a failure; of very many, the oldest are forgotten."""
        self._failures[key] = (self._clock.monotonic() + self._seconds, _bare(error))
        self._failures.move_to_end(key)
        while len(self._failures) > CACHE_SIZE:
            self._failures.popitem(last=False)

    def raise_recent(self, key: Hashable) -> None:
        """Raise the failure of a question that is not to be asked again yet."""
        until, error = self._failures.get(key, (0.0, None))
        if error is not None and until > self._clock.monotonic():
            raise _bare(error)
        self._failures.pop(key, None)


def _bare(error: E) -> E:
    """The same failure without its history: tracebacks keep alive what each frame held, such as megabytes that a node sent."""
    bare = type(error).__new__(type(error), *error.args)
    bare.__dict__.update(error.__dict__)
    return bare
