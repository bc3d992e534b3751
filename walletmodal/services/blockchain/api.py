"""Base of the blockchain service's calls: the networks that it knows, its cache, its errors."""

import logging
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.constants import SUPPORTED_CHAINS_TTL
from walletmodal.core.errors import ShapeError
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.parsing.shapes import read_field
from walletmodal.services.http import Caller, HttpService, Query, Received, understood
from walletmodal.services.lookups import Lookups, lookup_key

_MAX_CHAINS: Final = 2000
T = TypeVar("T")

logger = logging.getLogger(__name__)


class BlockchainApi:
    """The way to the blockchain service.

    Args:
        http: makes the calls.
        lookups: cache of the process.
    """

    def __init__(self, http: HttpService, lookups: Lookups) -> None:
        self._http, self._lookups = http, lookups

    @property
    def configured(self) -> bool:
        """Whether there is a service."""
        return self._http.configured

    async def knows(self, caller: Caller, chain: ChainId) -> bool:
        """Whether the service knows a network. Its list is fetched once for all visitors of a project; any failure counts as no.

        Raises:
            NotConfiguredError: there is no service.
        """
        try:
            return str(chain) in await self.networks(caller)
        except ServiceError as error:
            logger.warning("the networks of the blockchain service are unknown: %s", error.details or error)
            return False

    async def networks(self, caller: Caller) -> frozenset[str]:
        """CAIP-2 ids of the networks that the service knows."""
        key = lookup_key("supported-chains", self._http.base, caller.project_id)
        return await self._lookups.get(
            key, SUPPORTED_CHAINS_TTL, lambda: self._http.get(caller, "/v1/supported-chains"), _http_chains
        )

    async def lookup(
        self,
        caller: Caller,
        path: str,
        parse: Callable[[object], T],
        *,
        ttl: float,
        query: Query | None = None,
        unkeyed: Query | None = None,
        body: Mapping[str, object] | None = None,
        fresh: bool = False,
    ) -> T:
        """Ask, or take the answer that is kept.

        Args:
            caller: the embed; others never get its answers.
            path: below the base URL, its segments quoted.
            parse: see `Lookups.get`.
            ttl: seconds for which the answer is kept.
            query: parameters that the answer depends on.
            unkeyed: parameters that it does not depend on.
            body: JSON that it depends on, where the service wants a POST.
            fresh: ask even if an answer is kept.
        """
        asked = query or {}

        async def ask() -> Received:
            if body is not None:
                return await self._http.post(caller, path, body)
            return await self._http.get(caller, path, {**asked, **(unkeyed or {})})

        return await self._lookups.get(self._key(caller, path, body or asked), ttl, ask, parse, fresh=fresh)

    async def forget(self, caller: Caller, path: str, query: Query | None = None) -> None:
        """Drops a cached `lookup`, because it is known to have changed."""
        await self._lookups.forget(self._key(caller, path, query or {}))

    async def ask(self, caller: Caller, path: str, parse: Callable[[object], T], query: Query | None = None) -> T:
        """Asks now; nothing is kept."""
        return understood(await self._http.get(caller, path, query), parse)

    async def send(self, caller: Caller, path: str, body: Mapping[str, object], parse: Callable[[object], T]) -> T:
        """Sends now; nothing is kept."""
        return understood(await self._http.post(caller, path, body), parse)

    async def submit(self, caller: Caller, path: str, body: Mapping[str, object]) -> None:
        """Send now; whatever a 2xx answer says is ignored."""
        await self._http.post(caller, path, body)

    def _key(self, caller: Caller, path: str, query: Mapping[str, object]) -> str:
        return lookup_key("blockchain", self._http.base, caller.project_id, caller.origin, path, sorted(query.items()))


def _http_chains(raw: object) -> frozenset[str]:
    chains = read_field(raw, "http", of="supported-chains")
    if not isinstance(chains, list) or len(chains) > _MAX_CHAINS:
        raise ShapeError("supported-chains.http: must be a list")
    return frozenset(chain for chain in chains if isinstance(chain, str))
