"""The time after a failure in which the same question is not asked again (specification §8, §9)."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from walletmodal.core.clock import Clock

MAX_FAILURES: Final = 8192

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
        self._failures[key] = (self._clock.monotonic() + self._seconds, error)
        self._failures.move_to_end(key)
        while len(self._failures) > MAX_FAILURES:
            self._failures.popitem(last=False)

    def raise_recent(self, key: Hashable) -> None:
        """Raise the failure of a question that is not to be asked again yet."""
        until, error = self._failures.get(key, (0.0, None))
        if error is not None and until > self._clock.monotonic():
            # Raised again as it is, it would grow by a traceback each time.
            raise error.with_traceback(None)
        self._failures.pop(key, None)
