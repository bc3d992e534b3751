"""The way to each network: which URLs it has, and what stands between a question and them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from urllib.parse import urlencode

import httpx

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import HTTP_TIMEOUT
from walletmodal.core.errors import UrlRequiredError
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.services.rpc.batching import BatchingTransport
from walletmodal.services.rpc.fallback import FallbackTransport
from walletmodal.services.rpc.filters import FilterTransport, filter_key
from walletmodal.services.rpc.http import HttpRpcTransport
from walletmodal.services.rpc.joining import JoiningTransport
from walletmodal.services.rpc.retrying import RetryingTransport
from walletmodal.services.rpc.transport import RpcTransport


class RpcEndpoints:
    """The transports of a deployment, one per network of the table, made when first asked for.

    A question goes through joining, retry, filters, fallback (where a network has several URLs), and batching, in this order.

    Args:
        client: the shared HTTP client.
        gateway: base URL of the gateway (RPC_URL), or None.
        project_id: goes to the gateway; "" is left out.
        overrides: URL or URLs per CAIP-2 id (RPC_URLS), the preferred first; they stand in the place of the gateway.
        timeout: seconds for one attempt at one URL.
        secret: of the deployment, the same in each worker: any of them then reads the filters of the others (`filters.py`).
        clock: what delays, ranking and dates are measured with.
        caller: for whom the current task asks; "" for the deployment itself.
        around: entered for each request to a node of a network; `other` are all that are in no table.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        gateway: str | None = None,
        project_id: str = "",
        overrides: Mapping[str, str | Sequence[str]] | None = None,
        timeout: float = HTTP_TIMEOUT,
        secret: str | None = None,
        clock: Clock | None = None,
        caller: Callable[[], str] = str,
        around: Callable[[str], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._caller, self._around = caller, around
        self._filter_key = filter_key(secret)
        self._client, self._gateway, self._project_id, self._timeout = client, gateway, project_id, timeout
        self._overrides = {
            network: (urls,) if isinstance(urls, str) else tuple(dict.fromkeys(urls))
            for network, urls in (overrides or {}).items()
        }
        self._clock = clock or SystemClock()
        self._transports: dict[ChainId, JoiningTransport] = {}
        self._open: list[BatchingTransport | FallbackTransport] = []

    def urls(self, chain: ChainId) -> tuple[str, ...]:
        """The URLs of a network, the preferred first.

        Raises:
            UrlRequiredError: neither an override nor a gateway is configured.
        """
        overrides = self._overrides.get(str(chain))
        if overrides:
            return overrides
        if self._gateway is None:
            raise UrlRequiredError(details=f"set RPC_URL, or RPC_URLS for {chain}")
        query = {"chainId": str(chain), **({"projectId": self._project_id} if self._project_id else {})}
        return (f"{self._gateway.rstrip('/')}/v1/?{urlencode(query, safe=':')}",)

    def transport(self, chain: ChainId) -> JoiningTransport:
        """The way to a network's nodes.

        Raises:
            UrlRequiredError: neither an override nor a gateway is configured.
        """
        found = self._transports.get(chain)
        if found is None:
            urls = self.urls(chain)
            if str(chain) not in bundled_networks():
                # Of other chains there are as many as someone makes up: nothing of them is kept.
                return self._joined(self._filtering(chain, urls[:1], [self._batching(urls[0], "other")]))
            found = self._transports[chain] = self._joined(self._way(chain, urls))
        return found

    def unjoined(self, chain: ChainId) -> RpcTransport:
        """The way for whoever joins equal questions itself.

        What is asked after a transaction must not get the answer to the same question from before it.

        Raises:
            UrlRequiredError: neither an override nor a gateway is configured.
        """
        return self.transport(chain).unjoined

    async def close(self) -> None:
        """Give up what is being asked, and stop the pings. The client stays open."""
        await asyncio.gather(*(transport.close() for transport in self._open))

    def _way(self, chain: ChainId, urls: Sequence[str]) -> RpcTransport:
        ways = [self._batching(url, str(chain)) for url in urls]
        self._open += ways
        if len(ways) == 1:
            return self._filtering(chain, urls, ways)
        fallback = FallbackTransport(ways, ping=DESCRIPTORS[chain.namespace].ping, clock=self._clock)
        self._open.append(fallback)
        return self._filtering(chain, urls, ways, fallback)

    def _filtering(
        self,
        chain: ChainId,
        urls: Sequence[str],
        ways: Sequence[BatchingTransport],
        fallback: FallbackTransport | None = None,
    ) -> RpcTransport:
        if chain.namespace != "eip155":
            return fallback or ways[0]
        nodes = list(zip(urls, ways, strict=True))
        return FilterTransport(nodes, fallback=fallback, chain=chain, key=self._filter_key)

    def _joined(self, way: RpcTransport) -> JoiningTransport:
        return JoiningTransport(RetryingTransport(way, clock=self._clock))

    def _batching(self, url: str, network: str) -> BatchingTransport:
        http = HttpRpcTransport(self._client, url, timeout=self._timeout, around=partial(self._around, network))
        return BatchingTransport(http, timeout=self._timeout, clock=self._clock, caller=self._caller)
