"""How often callers may call. Limits of an address are exact and lie in the database (`login/addresses.py`); these are token buckets."""

import ipaddress
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from walletmodal.core.clock import Clock
from walletmodal.secure.errors import CallError, too_many, unavailable
from walletmodal.secure.metrics import count_mail
from walletmodal.services.rate_limit import MemoryRateLimit, Rate, RateLimit, RedisRateLimit

CALLS: Final = Rate(per_second=20, burst=600)
"""Of one line, before a signature is looked at."""
MAILS_OF_NETWORK: Final = Rate(per_second=60 / 3600, burst=30)
MAILS_OF_DEVICE: Final = Rate(per_second=20 / 3600, burst=10)
MAILS_OF_ALL: Final = Rate(per_second=1, burst=1000)
MAILS_OF_RESERVE: Final = Rate(per_second=1, burst=1000)
"""Once the bucket of all is empty: for networks that have asked for little, so that a few busy ones leave the others their logins."""
RESERVE_OF_NETWORK: Final = Rate(per_second=4 / 3600, burst=2)
RESERVE_OF_PROVIDER: Final = Rate(per_second=30 / 3600, burst=15)
OUTSIDE_OF_NETWORK: Final = Rate(per_second=0.5, burst=60)
"""Logins elsewhere that are begun: each leaves a row, and those of Farcaster ask its relay."""
NEWCOMERS_OF_NETWORK: Final = Rate(per_second=20 / 3600, burst=20)
NEWCOMERS_OF_DEVICE: Final = Rate(per_second=5 / 3600, burst=5)
NEWCOMERS_OF_ALL: Final = Rate(per_second=1, burst=1000)
"""Accounts that are made with a passkey: nothing else is asked of anybody for one, and it stays."""
NEWCOMERS_OF_RESERVE: Final = Rate(per_second=1, burst=1000)
NEWCOMERS_RESERVE_OF_PROVIDER: Final = Rate(per_second=30 / 3600, burst=15)
"""As with mails, once the bucket of all is empty."""

_PREFIXES: Final = {4: 24, 6: 48}
_PROVIDER_PREFIXES: Final = {4: 16, 6: 32}
_LOOPBACK: Final[Any] = {4: ipaddress.ip_network("127.0.0.0/8"), 6: ipaddress.ip_network("::1")}


def network_of(line: str) -> str:
    """The /24 or /48 of a client, as `ClientAddress` names it; "" for this machine, and for what is no address."""
    return _above(line, _PREFIXES)


def provider_of(line: str) -> str:
    """The /16 or /32, of which one customer of a provider can rent many networks; "" as in `network_of`."""
    return _above(line, _PROVIDER_PREFIXES)


def _above(line: str, prefixes: dict[int, int]) -> str:
    try:
        network = ipaddress.ip_network(line)
    except ValueError:
        return ""
    if network.overlaps(_LOOPBACK[network.version]):
        return ""
    return str(network.supernet(new_prefix=prefixes[network.version]))


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
        self._reserve = limit("mails-reserve", MAILS_OF_RESERVE)
        self._reserve_network = limit("mails-reserve-network", RESERVE_OF_NETWORK)
        self._reserve_provider = limit("mails-reserve-provider", RESERVE_OF_PROVIDER)
        self._outside = limit("outside", OUTSIDE_OF_NETWORK)
        self._newcomers_network = limit("newcomers-network", NEWCOMERS_OF_NETWORK)
        self._newcomers_device = limit("newcomers-device", NEWCOMERS_OF_DEVICE)
        self._newcomers = limit("newcomers", NEWCOMERS_OF_ALL)
        self._newcomers_reserve = limit("newcomers-reserve", NEWCOMERS_OF_RESERVE)
        self._newcomers_provider = limit("newcomers-reserve-provider", NEWCOMERS_RESERVE_OF_PROVIDER)

    async def call(self, line: str) -> None:
        """Counts a call.

        Raises:
            CallError: 429 `too_many`, or 503.
        """
        await _spend(self._calls, line)

    async def mail(self, line: str, device: str, *, known: bool) -> None:
        """Counts a mail that somebody asks for. Who asks from this machine is behind a proxy that tells nothing, or its developer.

        Args:
            line: the client's address.
            device: that asks.
            known: it has the wallet of the address. It is counted for itself alone: its mails go to its owner, and nobody else uses up what it may ask for.

        Raises:
            CallError: as `call`.
        """
        try:
            await self._mail(line, device, known=known)
        except CallError:
            count_mail("limited")
            raise

    async def _mail(self, line: str, device: str, *, known: bool) -> None:
        await _spend(self._device, device)
        if known:
            return
        network = network_of(line)
        if network:
            await _spend(self._network, network)
        if await _allows(self._all, ""):
            return
        if network:
            await _spend(self._reserve_network, network)
            await _spend(self._reserve_provider, provider_of(line))
        await _spend(self._reserve, "")

    async def outside(self, line: str) -> None:
        """Counts a login at a provider that somebody begins; this machine as in `mail`.

        Raises:
            CallError: as `call`.
        """
        network = network_of(line)
        if network:
            await _spend(self._outside, network)

    async def newcomer(self, line: str, device: str) -> None:
        """Counts an account that somebody begins to make with a passkey; this machine as in `mail`.

        Raises:
            CallError: as `call`.
        """
        await _spend(self._newcomers_device, device)
        network = network_of(line)
        if network:
            await _spend(self._newcomers_network, network)
        if await _allows(self._newcomers, ""):
            return
        if network:
            await _spend(self._newcomers_provider, provider_of(line))
        await _spend(self._newcomers_reserve, "")


async def _spend(limit: RateLimit, who: str) -> None:
    if not await _allows(limit, who):
        raise too_many()


async def _allows(limit: RateLimit, who: str) -> bool:
    try:
        return await limit.allows(who)
    except (RedisError, OSError) as error:
        raise unavailable() from error
