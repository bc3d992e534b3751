"""Receives a client's next message from the server, for as long as there is time."""

import asyncio
from typing import Any

from starlette.types import Message, Receive


async def receive_before(receive: Receive, *late: asyncio.Future[Any]) -> Message | None:
    """The next message; None where one of `late` ends before it comes."""
    coming = asyncio.create_task(_once(receive))
    try:
        await asyncio.wait({coming, *late}, return_when=asyncio.FIRST_COMPLETED)
        return coming.result() if coming.done() else None
    finally:
        if not coming.done():
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)


async def _once(receive: Receive) -> Message:
    # What a server gives to be awaited need not be a coroutine, and no future of asyncio's that can be cancelled.
    return await receive()
