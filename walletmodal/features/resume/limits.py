"""Limits of new resume records: each lies in the database for a month."""

from typing import Final
from weakref import WeakKeyDictionary

from walletmodal.deployment import Deployment, deployment
from walletmodal.services.rate_limit import MemoryRateLimit, Rate

PER_ADDRESS: Final = Rate(per_second=0.05, burst=500)
"""Of one address: an office that comes to work, and then three a minute."""
IN_ALL: Final = Rate(per_second=10, burst=5_000)
"""Of all addresses, for this worker."""

_limits: WeakKeyDictionary[Deployment, tuple[MemoryRateLimit, MemoryRateLimit]] = WeakKeyDictionary()


async def allow_record(address: str) -> bool:
    """Counts one more record of a visitor from this address; False where it must not be written."""
    running = deployment()
    found = _limits.get(running)
    if found is None:
        found = _limits[running] = MemoryRateLimit(PER_ADDRESS, running.clock), MemoryRateLimit(IN_ALL, running.clock)
    own, all_ = found
    return await own.allows(address) and await all_.allows("")
