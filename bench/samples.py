"""What a series of measurements says."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Summary:
    """A series in short. One measurement is a series of one."""

    count: int
    min: float
    median: float
    p95: float
    max: float

    def as_json(self) -> dict[str, float]:
        """For the results file, rounded to a thousandth."""
        return {name: round(value, 3) for name, value in asdict(self).items()}


def summarise(samples: Sequence[float]) -> Summary:
    """The summary of at least one measurement.

    Raises:
        ValueError: there is none.
    """
    if not samples:
        raise ValueError("nothing was measured")
    ordered = sorted(samples)
    # Nearest rank: a percentile is then a time that somebody really waited.
    p95 = ordered[max(0, math.ceil(0.95 * len(ordered)) - 1)]
    return Summary(len(ordered), ordered[0], median(ordered), p95, ordered[-1])
