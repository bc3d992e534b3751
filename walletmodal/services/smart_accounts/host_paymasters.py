"""Paymaster services that host pages name (EIP-5792 `paymasterService`): strangers' URLs, asked at public addresses only."""

import ssl
from typing import Final

import httpx

from walletmodal.core.errors.operations import PaymasterRefusedError
from walletmodal.core.parsing.urls import is_loopback_host, is_secure_url
from walletmodal.services.http.pinned_client import pinned_client
from walletmodal.services.http.pinned_network import PinnedNetwork
from walletmodal.services.rpc import HttpRpcTransport, RpcTransport

TIMEOUT: Final = 10.0
"""Seconds for a question as a whole: the visitor waits for a stranger."""
MAX_ANSWER: Final = 65_536
_PORTS: Final = frozenset({443, 8443})


class HostPaymasters:
    """Asks paymasters of host pages: https, on a usual port, at addresses that are public; no redirect is followed, nothing is asked twice.

    Args:
        network: makes the connections, see `PinnedNetwork`.
        allow_loopback: whether plain http and any port will do on this machine, as in the sandbox.
        tls: what certificates are checked with; by default the usual authorities.
    """

    def __init__(
        self,
        network: PinnedNetwork | None = None,
        *,
        allow_loopback: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._allow_loopback = allow_loopback
        self._client = pinned_client(network or PinnedNetwork(allow_loopback=allow_loopback), tls=tls)

    def transport(self, url: str) -> RpcTransport:
        """Returns the way to a paymaster; what its address leads to is checked with each question.

        Raises:
            PaymasterRefusedError: the URL is none that is asked.
        """
        if not self._may_ask(url):
            raise PaymasterRefusedError("the page names a paymaster whose address is not asked")
        return HttpRpcTransport(self._client, url, timeout=TIMEOUT, max_bytes=MAX_ANSWER)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    def _may_ask(self, url: str) -> bool:
        if not is_secure_url(url):
            return False
        try:
            parts = httpx.URL(url)
        except (httpx.InvalidURL, ValueError):
            # A name that one version of IDNA has and the other has not.
            return False
        if is_loopback_host(parts.host):
            return self._allow_loopback
        return (parts.port or 443) in _PORTS
