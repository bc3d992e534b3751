"""The pooled HTTP client of a process, for the deployment's own services and nodes: httpx over the connections of aiohttp.

httpx's own pool, httpcore, looks at each of its connections twice for every request: with fifty of them open, a request costs ten times as
much processor time as with one.
"""

import asyncio
import select
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

import aiohttp
import httpx
from yarl import URL

_SCHEMES: Final = frozenset({"http", "https"})
_NO_USER: Final = b""
_MAX_HEADER: Final = 64 * 1024
"""Bytes of one line of an answer's head."""


class PooledClient(httpx.AsyncClient):
    """httpx's client; what goes through a proxy of the environment goes over httpx's own connections."""

    def _init_transport(self, *_unnamed: Any, **given: Any) -> httpx.AsyncBaseTransport:
        transport: httpx.AsyncBaseTransport | None = given["transport"]
        return transport or _AiohttpTransport(httpx.create_ssl_context(given["verify"]), given["limits"])


class _AiohttpTransport(httpx.AsyncBaseTransport):
    """Requests of the client. A request is either certainly unsent, which is a `ConnectError`, or may have been received.

    A GET whose connection ends without an answer is sent once more. Errors name no URL, which may carry a key. An answer whose chunks make
    no sense just ends nowhere: whoever asks has a limit of time for all of it.

    Args:
        tls: what certificates are checked with.
        limits: how many requests are sent at once, and for how many seconds a connection is kept that nobody uses.
    """

    def __init__(self, tls: ssl.SSLContext, limits: httpx.Limits) -> None:
        self._tls, self._limits = tls, limits
        # It belongs to an event loop.
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request.

        Raises:
            httpx.TransportError: there is no answer.
        """
        url = request.url
        if url.scheme not in _SCHEMES or not url.raw_host:
            raise httpx.UnsupportedProtocol(f"no URL of HTTP: {url.scheme}://{url.host}", request=request)
        if url.userinfo:
            # The client has made a header of it.
            url = url.copy_with(userinfo=_NO_USER)
        content = await request.aread()
        if self._session is None:
            self._session = self._open()
        with _as_httpx(request):
            answer = await self._session.request(
                request.method,
                URL(str(url), encoded=True),
                headers=request.headers.multi_items(),
                data=content or None,
                allow_redirects=False,
                timeout=_timeout(**request.extensions.get("timeout", {})),
            )
        return httpx.Response(
            status_code=answer.status,
            headers=answer.raw_headers,
            stream=_Body(answer, request),
            extensions={
                "http_version": b"HTTP/1.1",
                "reason_phrase": (answer.reason or "").encode("utf-8", "surrogateescape"),
            },
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()

    def _open(self) -> aiohttp.ClientSession:
        connections = _Connections(
            ssl=self._tls, limit=self._limits.max_connections or 0, keepalive_timeout=self._limits.keepalive_expiry
        )
        return aiohttp.ClientSession(
            connector=connections,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
            max_line_size=_MAX_HEADER,
            max_field_size=_MAX_HEADER,
        )


class _Connections(aiohttp.TCPConnector):
    """Keeps none on which the server has said something unasked: that it closes, or what would be taken for the next answer."""

    async def _get(self, *wanted: Any) -> Any:
        while (kept := await super()._get(*wanted)) is not None:
            if not (kept.protocol is None or kept.protocol.should_close or _is_readable(kept.transport)):
                return kept
            kept.close()
        return None


def _is_readable(transport: asyncio.Transport | None) -> bool:
    """Whether something has come that the event loop has not got to yet."""
    socket: Any = transport and transport.get_extra_info("socket")
    if socket is None:
        return True
    look = select.poll()
    look.register(socket.fileno(), select.POLLIN)
    return bool(look.poll(0))


class _Body(httpx.AsyncByteStream):
    def __init__(self, answer: aiohttp.ClientResponse, request: httpx.Request) -> None:
        self._answer, self._request = answer, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx(self._request):
            async for part in self._answer.content.iter_any():
                yield part

    async def aclose(self) -> None:
        """Gives the connection back, or closes it where the answer was not read to its end."""
        self._answer.release()


@lru_cache
def _timeout(
    connect: float | None = None, read: float | None = None, pool: float | None = None, **_more: Any
) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(sock_connect=connect, sock_read=read, connect=pool)


@contextmanager
def _as_httpx(request: httpx.Request) -> Iterator[None]:
    """Raises what httpx would raise. Texts of aiohttp name URLs or quote servers, which may, and so would the errors that these come from."""
    try:
        yield
    except aiohttp.ClientConnectorError as error:
        raise httpx.ConnectError(error.strerror or type(error).__name__, request=request) from error
    except aiohttp.ConnectionTimeoutError as error:
        raise httpx.ConnectTimeout(type(error).__name__, request=request) from None
    except aiohttp.ServerTimeoutError as error:
        raise httpx.ReadTimeout(type(error).__name__, request=request) from None
    except aiohttp.ClientError as error:
        # It may have been sent.
        raise httpx.ReadError(type(error).__name__, request=request) from None
    except ValueError as error:
        raise httpx.LocalProtocolError(type(error).__name__, request=request) from None
