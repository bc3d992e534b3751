"""The figures that are reported, and the budgets that they are held against."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bench.samples import Summary, summarise

Decider = Literal["median", "p95", "max"]


@dataclass(frozen=True, slots=True)
class Floor:
    """A limit that must never be broken.

    Attributes:
        limit: in the figure's unit.
        on: which value of the series is held against it.
        at_least: whether the value must be above the limit; else below.
    """

    limit: float
    on: Decider = "median"
    at_least: bool = False

    def holds(self, measured: Summary) -> bool:
        """Whether the series keeps it."""
        value: float = getattr(measured, self.on)
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the report.

    Attributes:
        key: its name in the results file.
        title: its name in the table.
        unit: of all its numbers.
        measured: ours.
        floor: the limit, or None for what is only told.
        reference: the same of what it is measured beside, mostly the empty app, where that has such a thing.
        note: what else the reader should know of this run.
    """

    key: str
    title: str
    unit: str
    measured: Summary
    floor: Floor | None = None
    reference: Summary | None = None
    note: str = ""

    @property
    def broken(self) -> bool:
        """Whether its floor is broken."""
        return self.floor is not None and not self.floor.holds(self.measured)

    def as_json(self) -> dict[str, Any]:
        """For the results file."""
        floor = None
        if self.floor:
            kind = "at_least" if self.floor.at_least else "at_most"
            floor = {kind: self.floor.limit, "on": self.floor.on, "holds": not self.broken}
        return {
            "title": self.title,
            "unit": self.unit,
            "measured": self.measured.as_json(),
            "floor": floor,
            "reference": self.reference.as_json() if self.reference else None,
            "note": self.note,
        }


def figure(
    key: str,
    title: str,
    unit: str,
    samples: Sequence[float],
    *,
    floor: Floor | None = None,
    reference: Sequence[float] = (),
    note: str = "",
) -> Figure:
    """A figure of measured series; `reference` stays empty where there is nothing to measure it beside."""
    return Figure(key, title, unit, summarise(samples), floor, summarise(reference) if reference else None, note)
