"""Ranking of transports: by how steady they are, and how quick."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from walletmodal.core.constants import RANK_LATENCY_WEIGHT, RANK_SAMPLES, RANK_STABILITY_WEIGHT


@dataclass(frozen=True, slots=True)
class Sample:
    """One ping: whether it was answered, and after how many seconds it was, or had failed."""

    answered: bool
    seconds: float


class Ranking:
    """The last pings of some transports, and the order that follows from them.

    Args:
        count: how many transports; they are known by their place in the configuration.
        samples: how many pings of each are remembered.
    """

    def __init__(self, count: int, *, samples: int = RANK_SAMPLES) -> None:
        self._samples = tuple(deque[Sample](maxlen=samples) for _ in range(count))
        self.order: tuple[int, ...] = tuple(range(count))

    def add(self, samples: Sequence[Sample]) -> None:
        """Take one ping of each, and order anew. Equals stay in the order of the configuration."""
        for kept, sample in zip(self._samples, samples, strict=True):
            kept.append(sample)
        scores = self.scores()
        self.order = tuple(sorted(range(len(scores)), key=lambda place: -scores[place]))

    def scores(self) -> tuple[float, ...]:
        """0 (never answered) to 1 (always, and in no time) of each; the slowest ping of all is the measure of latency."""
        slowest = max((sample.seconds for kept in self._samples for sample in kept), default=0.0)
        return tuple(_score(kept, slowest) for kept in self._samples)


def _score(kept: Sequence[Sample], slowest: float) -> float:
    stability = fmean(sample.answered for sample in kept) if kept else 0.0
    if not stability:
        return 0.0
    latency = 1 - fmean(sample.seconds for sample in kept) / slowest if slowest else 1.0
    return RANK_STABILITY_WEIGHT * stability + RANK_LATENCY_WEIGHT * latency
