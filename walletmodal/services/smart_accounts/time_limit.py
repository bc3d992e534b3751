"""Limit of the time in which somebody has to be found who pays a fee: many are asked one after the other, and a visitor waits."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import Clock
from walletmodal.core.errors import RequestTimeoutError

_T = TypeVar("_T")

LIMIT: Final = 20.0
"""Seconds for all questions to nodes, bundler and paymaster together; each of them may take as long, and is asked again where it fails."""


async def within_limit(clock: Clock, chain: ChainId, work: Coroutine[Any, Any, _T]) -> _T:
    """Returns what the work returns; gives it up when it takes too long.

    Raises:
        RequestTimeoutError: it was given up.
    """
    working, late = asyncio.create_task(work), asyncio.create_task(clock.sleep(LIMIT))
    try:
        await asyncio.wait({working, late}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise RequestTimeoutError(url=str(chain))
        return working.result()
    finally:
        working.cancel()
        late.cancel()
        await asyncio.gather(working, late, return_exceptions=True)
