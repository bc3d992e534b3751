"""How long tests wait for what must come: one measure for all of them.

It counts only where something does not come, so it is long enough for a machine on which everything else runs as well. What a test
says about time itself (a timeout that is the thing tested, a clock that is moved) has figures of its own.
"""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds."""
PATIENCE_MS = PATIENCE * 1000
START_SECONDS = 180.0
"""For a program to start and answer."""


def patience() -> asyncio.Timeout:
    """Ends what hangs: `async with patience(): …`."""
    return asyncio.timeout(PATIENCE)


async def eventually(holds: Callable[[], object], what: str = "what was waited for", *, step: float = 0.01) -> None:
    """Look every `step` seconds until `holds` is true.

    Raises:
        AssertionError: it did not become true.
    """
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"{what} did not come about"
        await asyncio.sleep(step)
