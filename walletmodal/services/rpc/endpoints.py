"""Which URL the server asks for each network: an override of the settings, or the gateway (reference services.md §2.10)."""

from collections.abc import Mapping
from urllib.parse import urlencode

import httpx

from walletmodal.core.caip import ChainId
from walletmodal.core.errors import UrlRequiredError
from walletmodal.core.networks import bundled_networks
from walletmodal.services.rpc.http import TIMEOUT_SECONDS, HttpRpcTransport


class RpcEndpoints:
    """The transports of a deployment, one per network of the table, made when first asked for.

    Args:
        client: the shared HTTP client.
        gateway: base URL of the gateway (RPC_URL), or None.
        project_id: goes to the gateway; "" is left out.
        overrides: URL per CAIP-2 id (RPC_URLS); they win.
        timeout: seconds for one request.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        gateway: str | None = None,
        project_id: str = "",
        overrides: Mapping[str, str] | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self._client, self._gateway, self._project_id, self._timeout = client, gateway, project_id, timeout
        self._overrides = dict(overrides or {})
        self._transports: dict[ChainId, HttpRpcTransport] = {}

    def url(self, chain: ChainId) -> str:
        """The URL of a network.

        Raises:
            UrlRequiredError: neither an override nor a gateway is configured.
        """
        override = self._overrides.get(str(chain))
        if override is not None:
            return override
        if self._gateway is None:
            raise UrlRequiredError(details=f"set RPC_URL, or RPC_URLS for {chain}")
        query = {"chainId": str(chain), **({"projectId": self._project_id} if self._project_id else {})}
        return f"{self._gateway.rstrip('/')}/v1/?{urlencode(query, safe=':')}"

    def transport(self, chain: ChainId) -> HttpRpcTransport:
        """The way to a network's nodes.

        Raises:
            UrlRequiredError: neither an override nor a gateway is configured.
        """
        found = self._transports.get(chain)
        if found is None:
            found = HttpRpcTransport(self._client, self.url(chain), timeout=self._timeout)
            if str(chain) in bundled_networks():
                # Of other chains there are as many as someone makes up.
                self._transports[chain] = found
        return found
