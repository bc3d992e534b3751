"""How long clicks wait while another Redis takes over from the primary; each counts once."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bench.figures import Figure, Floor, figure
from tests.redis_clicks import longest_wait, two_workers
from tests.redis_groups import Failing, behind_sentinels
from walletmodal.commands.project import say
from walletmodal.services.redis_patience import PATIENT

_WAYS: Final[tuple[Failing, ...]] = ("killed", "frozen")
_TIMES: Final = 3
_LOCK_MS: Final = 20_000
"""As `reflex_config.py` has it."""


def failover() -> Figure:
    """The longest wait of a click in each failover behind Sentinels, some of primaries that are killed, some of ones that hang.

    Raises:
        AssertionError: Redis did not start, or a click was lost, or counted twice.
    """
    waits = dict[Failing, list[float]]()
    # In this thread the browser's event loop runs.
    with ThreadPoolExecutor(1) as own:
        for way in _WAYS:
            say(f"a primary of Redis is {way}, {_TIMES} times")
            waits[way] = [own.submit(asyncio.run, _wait(way)).result() for _ in range(_TIMES)]
    note = "; ".join(f"{way}: {', '.join(f'{one:.1f}' for one in found)} s" for way, found in waits.items())
    title = "longest wait of a click while Redis fails over, none lost"
    return figure(
        "scale_failover_s",
        title,
        "s",
        [one for found in waits.values() for one in found],
        floor=Floor(10, on="max"),
        note=note,
    )


async def _wait(way: Failing) -> float:
    with behind_sentinels() as group:
        async with two_workers(group.url, patience=PATIENT, lock_ms=_LOCK_MS) as workers:
            return await longest_wait(group, workers, way)
