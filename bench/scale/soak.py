"""Memory of the servers while visitors come, do something and go for as long as asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import linear_regression
from typing import Any, Final

from bench.figures import Figure, Floor, figure
from bench.scale.deployment import Deployment, Usage
from walletmodal.commands.project import say

REPLACED_PER_MINUTE: Final = 0.05
"""Of the visitors: a tab stays open for twenty minutes."""
VISITS: Final = {"push": 8.0, "back": 8.0, "close": 1.0, "sign_in": 4.0, "approve": 1.0, "account": 4.0, "send": 0.2}
"""What visitors who have connected do, and how often beside each other."""
_MINUTE, _HOUR = 60.0, 3600.0
_WARM: Final = round(1 / REPLACED_PER_MINUTE)
"""Samples until nobody is there any more who has come at first: pages are as old as they ever are together."""
_KB: Final = 1000


def replaced_in(minutes: float, count: int) -> int:
    """How many new visitors come meanwhile, at most."""
    return _each_minute(count) * (_WARM + round(minutes))


def soak(deployed: Deployment, ask: Callable[..., object], minutes: float, count: int, empty: Usage) -> list[Figure]:
    """Growth of workers and Redis, by the line through samples, one after each minute of acts and those who come then; before that as many visitors are replaced as are there.

    Args:
        deployed: the servers.
        ask: has the visitors do something.
        minutes: how long, after that.
        count: how many visitors are there, their accounts open.
        empty: before the first one.
    """

    def minute() -> tuple[Usage, int]:
        ask(do="live", seconds=_MINUTE, every=_MINUTE, mix=VISITS)
        ask(do="replace", count=_each_minute(count), per_second=2.0)
        now, sessions = deployed.usage(), deployed.sessions()
        say(
            f"  workers {now.worker_bytes / _KB:,.0f} kB, Redis {now.redis_bytes / _KB:,.0f} kB of {sessions:,} sessions"
        )
        return now, sessions

    say("visitors of all ages come to be there")
    for _ in range(_WARM):
        minute()
    say(f"memory is watched for {minutes:.0f} minutes")
    hours, workers, stored = list[float](), list[float](), list[float]()
    began = time.monotonic()
    while time.monotonic() - began < minutes * _MINUTE:
        now, sessions = minute()
        hours.append((time.monotonic() - began) / _HOUR)
        workers.append(now.worker_bytes / count / _KB)
        stored.append((now.redis_bytes - empty.redis_bytes) / sessions / _KB)
    return [
        _growth("scale_soak_kb", "growth of the workers per visitor and hour", hours, workers, Floor(5)),
        _growth("scale_soak_redis_kb", "growth of Redis per kept session and hour", hours, stored, Floor(1)),
    ]


def _growth(key: str, title: str, hours: Sequence[float], samples: Sequence[float], floor: Floor) -> Figure:
    slope: Any = linear_regression(hours, samples).slope if len(samples) > 1 else 0.0
    note = f"{len(samples)} samples in {60 * hours[-1]:.0f} minutes; {samples[0]:.1f} kB at first, {samples[-1]:.1f} at the end"
    return figure(key, title, "kB", [slope], floor=floor, note=note)


def _each_minute(count: int) -> int:
    return max(1, round(count * REPLACED_PER_MINUTE))
