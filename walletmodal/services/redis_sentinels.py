"""The Sentinels that know which Redis is the primary.

redis-py's own (7.4.1, `redis.asyncio.sentinel`) changes places in its list while it waits: of several that ask at once some overwrite a
Sentinel by another, which is never asked again then, nor closed; and what a Sentinel refuses looks to it as one that is away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.sentinel import MasterNotFoundError
from redis.exceptions import AuthenticationError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from walletmodal.services.single_flight import SingleFlight

Address = tuple[str, int]


class Sentinels:
    """What redis-py's `SentinelConnectionPool` asks.

    Args:
        hosts: where they are.
        options: of connections to them, as of redis-py's `Redis`.
    """

    def __init__(self, hosts: Sequence[Address], options: Mapping[str, Any]) -> None:
        self._clients = [Redis(host=host, port=port, **options) for host, port in hosts]
        self._asking = SingleFlight[Address]()

    async def discover_master(self, service: str) -> Address:
        """Where the primary is, as the first of them says that knows one; all who ask at once, together.

        Raises:
            AuthenticationError: none lets us ask.
            MasterNotFoundError: none knows one.
        """
        return await self._asking.join(service, partial(self._ask, service))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._asking.close()
        for one in self._clients:
            await one.aclose()

    async def _ask(self, service: str) -> Address:
        refused = list[AuthenticationError]()
        for one in list(self._clients):
            try:
                known: Any = await one.sentinel_masters()  # type: ignore[no-untyped-call]  # of redis-py
            except AuthenticationError as error:
                refused.append(error)
            except (RedisConnectionError, RedisTimeoutError):
                continue
            else:
                told = known.get(service)
                if told and told["is_master"] and not (told["is_sdown"] or told["is_odown"]):
                    # Those that are away take time to be found out.
                    self._clients.remove(one)
                    self._clients.insert(0, one)
                    return told["ip"], told["port"]
        if len(refused) == len(self._clients):
            raise refused[0]
        raise MasterNotFoundError(f"no Sentinel knows a primary of {service!r}")
