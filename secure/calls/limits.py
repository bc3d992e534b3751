"""How often callers may call. Limits of an address are exact and lie in the database (`login/addresses.py`); these are token buckets."""

import ipaddress
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from secure.errors import too_many, unavailable
from walletmodal.core.clock import Clock
from walletmodal.services.rate_limit import MemoryRateLimit, Rate, RateLimit, RedisRateLimit

CALLS: Final = Rate(per_second=20, burst=600)
"""Of one line, before a signature is looked at."""
MAILS_OF_NETWORK: Final = Rate(per_second=60 / 3600, burst=30)
MAILS_OF_DEVICE: Final = Rate(per_second=20 / 3600, burst=10)
MAILS_OF_ALL: Final = Rate(per_second=1, burst=1000)
OUTSIDE_OF_NETWORK: Final = Rate(per_second=0.5, burst=60)
"""Logins elsewhere that are begun: each leaves a row, and those of Farcaster ask its relay."""

_PREFIXES: Final = {4: 24, 6: 48}
_LOOPBACK: Final[Any] = {4: ipaddress.ip_network("127.0.0.0/8"), 6: ipaddress.ip_network("::1")}


def network_of(line: str) -> str:
    """The /24 or /48 of a client, as `ClientAddress` names it; "" for this machine, and for what is no address."""
    try:
        network = ipaddress.ip_network(line)
    except ValueError:
        return ""
    if network.overlaps(_LOOPBACK[network.version]):
        return ""
    return str(network.supernet(new_prefix=_PREFIXES[network.version]))


class Limits:
    """The buckets of a site.

    Args:
        redis: where they are shared; None for this process alone.
        clock: what they are refilled by, in this process.
    """

    def __init__(self, redis: Redis | None, clock: Clock) -> None:
        def limit(name: str, rate: Rate) -> RateLimit:
            return MemoryRateLimit(rate, clock) if redis is None else RedisRateLimit(redis, f"secure-{name}", rate)

        self._calls = limit("calls", CALLS)
        self._network = limit("mails-network", MAILS_OF_NETWORK)
        self._device = limit("mails-device", MAILS_OF_DEVICE)
        self._all = limit("mails", MAILS_OF_ALL)
        self._outside = limit("outside", OUTSIDE_OF_NETWORK)

    async def call(self, line: str) -> None:
        """Counts a call.

        Raises:
            CallError: 429 `too_many`, or 503.
        """
        await _spend(self._calls, line)

    async def mail(self, line: str, device: str) -> None:
        """Counts a mail that somebody asks for. Who asks from this machine is behind a proxy that tells nothing, or its developer.

        Raises:
            CallError: as `call`.
        """
        network = network_of(line)
        if network:
            await _spend(self._network, network)
        await _spend(self._device, device)
        await _spend(self._all, "")

    async def outside(self, line: str) -> None:
        """Counts a login at a provider that somebody begins; this machine as in `mail`.

        Raises:
            CallError: as `call`.
        """
        network = network_of(line)
        if network:
            await _spend(self._outside, network)


async def _spend(limit: RateLimit, who: str) -> None:
    try:
        allowed = await limit.allows(who)
    except (RedisError, OSError) as error:
        raise unavailable() from error
    if not allowed:
        raise too_many()
