"""What so many visitors need, worked out from what one of them costs: the model of docs/capacity.md."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bench.scale.deployment import Usage

NOTHING: Final = Usage(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
MIX: Final[Mapping[str, float]] = MappingProxyType(
    {
        "idle": 1.0,
        "arrive": 0.05,
        "open": 0.04,
        "connect": 0.03,
        "sign_in": 0.02,
        "approve": 0.005,
        "account": 0.04,
        "push": 0.1,
        "back": 0.1,
        "close": 0.04,
        "refresh": 0.2,
        "send": 0.001,
    }
)
"""How often an open page does something in a minute. It stays open for twenty, in which most visitors open the modal, three in five
connect, two in five sign in, one in ten approves a request of the host, the account is looked at for two minutes, and one in fifty sends something. `idle`: one minute of a socket."""

FLEETS: Final = (10_000, 100_000, 1_000_000)
CORES: Final = 8
"""Of a server, one worker each."""
BUSY: Final = 0.5
"""How much of a processor may be used: half, so that the rest takes the load of servers that are replaced, and of peaks."""
REDIS_BUSY: Final = 0.6
_MINUTE, _KEPT, _DAY = 60.0, 70.0, 24 * 60.0
_GB: Final = 10**9


@dataclass(frozen=True)
class Costs:
    """What one of each costs, measured.

    Attributes:
        flows: by their names, `idle` (a visitor's minute) and `refresh` (one question of the account's ticker) among them.
        worker_bytes, redis_bytes: memory that an open visitor takes.
        empty_bytes: of a worker without visitors.
    """

    flows: Mapping[str, Usage]
    worker_bytes: float
    redis_bytes: float
    empty_bytes: float

    def of(self, times: Mapping[str, float]) -> Usage:
        """What all of it costs together. `times`: how often, by the flows' names."""
        found = NOTHING
        for flow, often in times.items():
            found = found.plus(self.flows[flow], often)
        return found


@dataclass(frozen=True)
class Term:
    """One term of the model, as it says and as it was seen."""

    title: str
    unit: str
    model: float
    seen: float


def terms(model: Usage, seen: Usage, minutes: float) -> list[Term]:
    """Terms that a simulation can show, a minute."""
    pairs = (
        ("processor time of the workers", "s", "worker_seconds", 1.0),
        ("processor time of Redis", "s", "redis_seconds", 1.0),
        ("processor time of PostgreSQL", "s", "postgres_seconds", 1.0),
        ("round trips to Redis", "", "asked", 1.0),
        ("bytes that Redis sends", "kB", "read", 1000.0),
        ("bytes that Redis gets", "kB", "written", 1000.0),
        ("rows written to PostgreSQL", "", "rows", 1.0),
        ("bytes in PostgreSQL's log", "kB", "logged", 1000.0),
        ("requests to the blockchain service", "", "services", 1.0),
    )
    return [
        Term(title, unit, getattr(model, name) / scale / minutes, getattr(seen, name) / scale / minutes)
        for title, unit, name, scale in pairs
    ]


def term_table(found: list[Term]) -> str:
    """The terms as a Markdown table."""
    lines = ["| Term, a minute | Model | Seen | Seen / model |", "|---|---|---|---|"]
    for one in found:
        ratio = f"{one.seen / one.model:.2f}" if one.model else "–"
        lines.append(
            f"| {one.title}{f' ({one.unit})' if one.unit else ''} | {one.model:,.1f} | {one.seen:,.1f} | {ratio} |"
        )
    return "\n".join(lines)


def cost_table(costs: Costs) -> str:
    """What one of each costs, as a Markdown table."""
    lines = [
        "| | Workers, ms | Redis, ms | PostgreSQL, ms | Round trips | From Redis, kB | To Redis, kB | PostgreSQL rows | PostgreSQL's log, kB | Service requests |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for flow, one in costs.flows.items():
        cells = (
            1000 * one.worker_seconds,
            1000 * one.redis_seconds,
            1000 * one.postgres_seconds,
            one.asked,
            one.read / 1000,
            one.written / 1000,
            one.rows,
            one.logged / 1000,
            one.services,
        )
        lines.append(f"| {flow} | " + " | ".join(f"{cell:,.1f}" for cell in cells) + " |")
    return "\n".join(lines)


def fleet_table(costs: Costs) -> str:
    """Machines for each size of `FLEETS`, as a Markdown table."""
    titles = (
        "Visitors at once",
        "Worker processors busy",
        f"Servers of {CORES}",
        "Memory of the workers, GB",
        "Redis processors busy",
        "Redis servers",
        "Redis memory, GB",
        "Round trips a second",
        "PostgreSQL processors busy",
        "PostgreSQL rows a second",
        "Rows a day, million",
        "PostgreSQL's log, MB a second",
        "Service requests a second",
    )
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    for visitors in FLEETS:
        minute = costs.of({flow: often * visitors for flow, often in MIX.items()})
        busy, redis = minute.worker_seconds / _MINUTE, minute.redis_seconds / _MINUTE
        servers = max(2, math.ceil(busy / BUSY / CORES))
        memory = (visitors * costs.worker_bytes + servers * CORES * costs.empty_bytes) / _GB
        # What a session leaves is kept for up to 70 minutes: three and a half times as many as there are pages of twenty minutes.
        kept = visitors * (1 + MIX["arrive"] * _KEPT)
        cells = (
            f"{visitors:,}",
            f"{busy:,.1f}",
            f"{servers:,}",
            f"{memory:,.0f}",
            f"{redis:,.2f}",
            f"{max(1, math.ceil(redis / REDIS_BUSY)):,}",
            f"{kept * costs.redis_bytes / _GB:,.1f}",
            f"{minute.asked / _MINUTE:,.0f}",
            f"{minute.postgres_seconds / _MINUTE:,.2f}",
            f"{minute.rows / _MINUTE:,.0f}",
            f"{minute.rows * _DAY / 10**6:,.0f}",
            f"{minute.logged / _MINUTE / 10**6:,.1f}",
            f"{minute.services / _MINUTE:,.0f}",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
