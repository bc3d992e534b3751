"""Tasks that are waited for no longer than they may take."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from walletmodal.core.clock import Clock


async def within(seconds: float, clock: Clock, saying: Awaitable[None]) -> None:
    """Waits until it is done, and gives it up when that takes longer."""
    saying_it, late = asyncio.create_task(_await(saying)), asyncio.create_task(clock.sleep(seconds))
    try:
        await asyncio.wait({saying_it, late}, return_when=asyncio.FIRST_COMPLETED)
        if saying_it.done():
            saying_it.result()
    finally:
        await give_up(saying_it, late)


async def _await(saying: Awaitable[None]) -> None:
    # What a server gives to be awaited need not be a coroutine, as tasks want it.
    await saying


async def give_up(*tasks: asyncio.Task[Any]) -> None:
    """Cancels those that are not done, and waits for their end."""
    going_on = [task for task in tasks if task.cancel()]
    if going_on:
        await asyncio.gather(*going_on, return_exceptions=True)
