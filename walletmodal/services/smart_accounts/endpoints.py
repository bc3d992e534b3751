"""The way to a service of one network that speaks JSON-RPC: bundlers and paymasters."""

from collections.abc import Mapping
from typing import Final

import httpx

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import Clock
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.services.rpc import HttpRpcTransport, RetryingTransport, RpcTransport

MAX_ANSWER: Final = 262_144
TIMEOUT: Final = 20.0
"""Seconds for one attempt: a bundler simulates what it is asked about."""


class ServiceEndpoints:
    """The URLs of a service by network.

    A question that only reads is asked again where it failed for the moment; what sends only where it certainly was not sent.

    Args:
        client: the shared HTTP client; not closed here.
        urls: by CAIP-2 id.
        setting: the name of their setting.
        clock: what delays are measured with.
    """

    def __init__(
        self, client: httpx.AsyncClient, urls: Mapping[str, str], *, setting: str, clock: Clock | None = None
    ) -> None:
        self._client, self._urls, self._setting, self._clock = client, urls, setting, clock
        self._ways: dict[ChainId, RpcTransport] = {}

    @property
    def networks(self) -> frozenset[str]:
        """Those that have a URL, as CAIP-2 ids."""
        return frozenset(self._urls)

    def transport(self, chain: ChainId) -> RpcTransport:
        """The way to the service of a network.

        Raises:
            NotConfiguredError: it has none.
        """
        found = self._ways.get(chain)
        if found is None:
            url = self._urls.get(str(chain))
            if url is None:
                raise NotConfiguredError(self._setting)
            way = HttpRpcTransport(self._client, url, timeout=TIMEOUT, max_bytes=MAX_ANSWER)
            found = self._ways[chain] = RetryingTransport(way, clock=self._clock)
        return found
