"""Budget of outside calls: how much one visitor, and one address, may have the server ask. What is cached costs nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import Clock
from walletmodal.core.errors.services import AskedTooMuchError
from walletmodal.services.metrics import count_ignored
from walletmodal.services.rate_limit import MemoryRateLimit, Rate
from walletmodal.services.rpc.transport import JsonParams, RpcTransport

VISITOR_SERVICES: Final = Rate(per_second=1, burst=40)
"""Calls of directory and blockchain service: a page that opens needs about a dozen, a search one for each pause in typing."""
ADDRESS_SERVICES: Final = Rate(per_second=50, burst=2_000)
VISITOR_NODES: Final = Rate(per_second=20, burst=600)
"""Questions to nodes, of which many go out as one request."""
ADDRESS_NODES: Final = Rate(per_second=1_000, burst=30_000)
"""Many visitors share an address: an office, or everybody behind a proxy that does not tell."""


class Asker(NamedTuple):
    """Who has the server ask. `visitor`: the session, "" outside of one; `address`: of the client, "" where it is not known."""

    visitor: str
    address: str


_asker: ContextVar[Asker | None] = ContextVar("asker", default=None)
_sources: list[Callable[[], Asker | None]] = []


def register_asker(source: Callable[[], Asker | None]) -> None:
    """Registers a function that knows for whom the current task works; services know no framework."""
    _sources[:] = [source]


@contextmanager
def as_asker(asker: Asker) -> Iterator[None]:
    """Sets the asker for what runs within, such as the answer to an HTTP request."""
    token = _asker.set(asker)
    try:
        yield
    finally:
        _asker.reset(token)


def current_asker() -> Asker | None:
    """For whom the current task works; None for the deployment's own work."""
    return _asker.get() or next((found for source in _sources if (found := source()) is not None), None)


def current_caller() -> str:
    """By what askers are told apart who share something: the address, else the session; "" for the deployment's own work."""
    asker = current_asker()
    return (asker.address or asker.visitor) if asker is not None else ""


class OutsideBudget:
    """The buckets of one worker.

    Args:
        clock: what they are refilled by.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._services = MemoryRateLimit(VISITOR_SERVICES, clock), MemoryRateLimit(ADDRESS_SERVICES, clock)
        self._nodes = MemoryRateLimit(VISITOR_NODES, clock), MemoryRateLimit(ADDRESS_NODES, clock)

    async def may_ask_service(self) -> bool:
        """Counts one call of a service; False where the asker has had enough for the moment."""
        return await _allowed(*self._services)

    async def may_ask_node(self) -> bool:
        """Counts one call of a node; False where the asker has had enough for the moment."""
        return await _allowed(*self._nodes)

    def counted(self, way: Callable[[ChainId], RpcTransport]) -> Callable[[ChainId], RpcTransport]:
        """The ways to nodes, with each question counted."""
        return lambda chain: _CountedTransport(way(chain), self)


async def _allowed(of_visitors: MemoryRateLimit, of_addresses: MemoryRateLimit) -> bool:
    asker = current_asker()
    if asker is None:
        return True
    allowed = not asker.visitor or await of_visitors.allows(asker.visitor)
    if allowed and asker.address:
        allowed = await of_addresses.allows(asker.address)
    if not allowed:
        count_ignored("outside_budget")
    return allowed


class _CountedTransport:
    """A way to nodes."""

    def __init__(self, way: RpcTransport, budget: OutsideBudget) -> None:
        self._way, self._budget = way, budget

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """As the way itself; raises AskedTooMuchError where the asker has had enough."""
        if not await self._budget.may_ask_node():
            raise AskedTooMuchError
        return await self._way.request(method, params)
