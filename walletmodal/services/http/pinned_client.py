"""HTTP client for URLs that strangers have given: to public addresses only, without redirects, cookies and proxies."""

import ssl
from collections.abc import AsyncIterator
from typing import Final

import httpcore
import httpx

from walletmodal.services.http.pinned_network import PinnedNetwork

MAX_CONNECTIONS: Final = 32


def pinned_client(network: PinnedNetwork, *, tls: ssl.SSLContext | None = None) -> httpx.AsyncClient:
    """Makes the client. Close it at the end.

    Args:
        network: checks addresses and makes the connections.
        tls: what certificates are checked with; by default the usual authorities.
    """
    return httpx.AsyncClient(
        transport=_PinnedTransport(network.pool(MAX_CONNECTIONS, tls)),
        follow_redirects=False,
        trust_env=False,
        headers={"Accept-Encoding": "identity"},
    )


class _PinnedTransport(httpx.AsyncBaseTransport):
    """Requests of the client, over connections of the checked network."""

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request.

        Raises:
            PrivateAddressError: the name has an address that is not public.
            httpx.TransportError: there is no answer.
        """
        url = request.url
        asked = httpcore.Request(
            method=request.method,
            url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        try:
            answer = await self._pool.handle_async_request(asked)
        except httpcore.TimeoutException as error:
            raise httpx.TimeoutException(str(error), request=request) from error
        except httpcore.ConnectError as error:
            raise httpx.ConnectError(str(error), request=request) from error
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
            # It may have been sent.
            raise httpx.ReadError(str(error), request=request) from error
        return httpx.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_Body(answer, request),
            extensions=answer.extensions,
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response, request: httpx.Request) -> None:
        self._answer, self._request = answer, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._answer.aiter_stream():
                yield part
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
            raise httpx.ReadError(str(error), request=self._request) from error

    async def aclose(self) -> None:
        """Gives the connection back."""
        await self._answer.aclose()
