"""Choices that look like chance and are the same on every machine."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of choices that follows from its seed alone.

    Args:
        seed: any text; equal seeds give equal streams.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._drawn = 0

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        self._drawn += 1
        digest = hashlib.sha256(self._seed + self._drawn.to_bytes(4, "big")).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def happens(self, percent: int) -> bool:
        """True in that many of a hundred cases."""
        return self.below(100) < percent

    def one_of(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[self.below(len(choices))]

    def some_of(self, choices: Sequence[T], count: int) -> list[T]:
        """So many different ones of the choices, in their own order."""
        left = list(range(len(choices)))
        taken = [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
        return [choices[index] for index in sorted(taken)]
