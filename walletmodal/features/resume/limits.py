"""Limits of resume records: of new ones, as each lies in the database for a month, and of those that are read at once."""

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Final
from weakref import WeakKeyDictionary

from walletmodal.deployment import Deployment, deployment
from walletmodal.services.rate_limit import MemoryRateLimit, Rate
from walletmodal.services.redis_patience import place

PER_ADDRESS: Final = Rate(per_second=0.05, burst=500)
"""Of one address: an office that comes to work, and then three a minute."""
IN_ALL: Final = Rate(per_second=10, burst=5_000)
"""Of all addresses, for this worker."""
AT_ONCE: Final = 32
"""Sessions that go on from their records at a time: of a crowd each would take so long that the database gives up on it, and its place were lost."""
TURN_SECONDS: Final = 12.0
"""For which one waits that has the lock of its state in Redis, which holds for twenty."""
_FOR_EVER: Final = 3600.0

_limits: WeakKeyDictionary[Deployment, tuple[MemoryRateLimit, MemoryRateLimit]] = WeakKeyDictionary()
_rooms: WeakKeyDictionary[Deployment, asyncio.Semaphore] = WeakKeyDictionary()


async def allow_record(address: str) -> bool:
    """Counts one more record of a visitor from this address; False where it must not be written."""
    running = deployment()
    found = _limits.get(running)
    if found is None:
        found = _limits[running] = MemoryRateLimit(PER_ADDRESS, running.clock), MemoryRateLimit(IN_ALL, running.clock)
    own, all_ = found
    return await own.allows(address) and await all_.allows("")


def turn() -> AbstractAsyncContextManager[None]:
    """The turn of a session that goes on from its record.

    Raises:
        redis.exceptions.TimeoutError: too many others were before it; its page opens another socket, and waits anew.
    """
    running = deployment()
    room = _rooms.setdefault(running, asyncio.Semaphore(AT_ONCE))
    return place(room, TURN_SECONDS if running.settings.redis_url else _FOR_EVER)
