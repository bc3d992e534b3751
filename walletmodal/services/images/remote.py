"""Fetch of a picture from a URL that a service named: from public addresses only, each redirect checked like the first URL."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

import httpcore
import httpx

from walletmodal.core.constants import HTTP_TIMEOUT
from walletmodal.core.errors import PrivateAddressError
from walletmodal.core.parsing.urls import is_loopback_host, is_web_url
from walletmodal.core.version import VERSION
from walletmodal.services.http.pinned_network import PinnedNetwork
from walletmodal.services.images.errors import ImageError
from walletmodal.services.images.lanes import FAST, SLOW, Lanes
from walletmodal.services.outside_budget import current_asker

MAX_REMOTE_BYTES: Final = 5 * 1024 * 1024
MAX_REDIRECTS: Final = 3
MAX_CONNECTIONS: Final = FAST + SLOW
MAX_PER_HOST: Final = 16
"""So that a slow server leaves connections to all others."""
_PORTS: Final = frozenset({80, 443, 8080, 8443})
"""Where pictures are served; other ports are other services'."""
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class _Step:
    """What came of asking one URL: a body, or where to go on."""

    body: bytes = b""
    location: str = ""


class _Turns:
    """At most so many at a time in each server's name."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._gates: dict[str, tuple[asyncio.Semaphore, set[object]]] = {}

    @asynccontextmanager
    async def of(self, host: str) -> AsyncIterator[None]:
        """One turn; forgotten with the last who wants one, since hosts are without number."""
        gate, wanting = self._gates.setdefault(host, (asyncio.Semaphore(self._at_once), set()))
        own = object()
        wanting.add(own)
        try:
            async with gate:
                yield
        finally:
            wanting.discard(own)
            if not wanting:
                del self._gates[host]


class RemoteImages:
    """Fetches pictures. No proxy of the environment is used: it would resolve the name by itself.

    Args:
        network: makes the connections, see `PinnedNetwork`.
        allow_loopback: whether plain http and any port will do on this machine, as in the sandbox.
        timeout: seconds for a picture as a whole, redirects and waiting for a free connection included.
        max_bytes: how large it may be.
        tls: what certificates are checked with; by default the usual authorities.
        lanes: whose turn it is; by default those of this object.
    """

    def __init__(
        self,
        network: PinnedNetwork | None = None,
        *,
        allow_loopback: bool = False,
        timeout: float = HTTP_TIMEOUT,
        max_bytes: int = MAX_REMOTE_BYTES,
        tls: ssl.SSLContext | None = None,
        lanes: Lanes | None = None,
    ) -> None:
        self._allow_loopback, self._timeout, self._max_bytes = allow_loopback, timeout, max_bytes
        self._turns, self._lanes = _Turns(MAX_PER_HOST), lanes or Lanes()
        self._pool = (network or PinnedNetwork(allow_loopback=allow_loopback)).pool(MAX_CONNECTIONS, tls)

    def may_ask(self, url: str) -> bool:
        """Whether a URL has the form of one that is fetched: https, or http, on a usual port; on loopback any port where that is allowed."""
        if not is_web_url(url):
            return False
        try:
            parts = httpx.URL(url)
            host = parts.host
        except (httpx.InvalidURL, ValueError):
            # A name that one version of IDNA has and the other has not.
            return False
        if is_loopback_host(host):
            return self._allow_loopback
        return (parts.port or _DEFAULT_PORTS[parts.scheme]) in _PORTS

    async def fetch(self, url: str) -> bytes:
        """The body behind a URL, whatever it is.

        Raises:
            ImageError: it is not fetched, or could not be.
        """
        try:
            async with asyncio.timeout(self._timeout):
                return await self._follow(url)
        except PrivateAddressError as error:
            raise ImageError("address", error.details) from error
        except (TimeoutError, httpcore.TimeoutException) as error:
            raise ImageError("timeout") from error
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError) as error:
            raise ImageError("unreachable", type(error).__name__) from error

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.aclose()

    async def _follow(self, url: str) -> bytes:
        here = url
        for _ in range(MAX_REDIRECTS + 1):
            if not self.may_ask(here):
                raise ImageError("url" if here == url else "redirect", "not a URL that is fetched")
            asked = httpx.URL(here)
            asker = current_asker()
            # A server's own limit comes first: those who wait for it hold no place.
            async with self._turns.of(asked.host), self._lanes.place(asker.address or asker.visitor if asker else ""):
                step = await self._ask(asked)
            if not step.location:
                return step.body
            there = _next_url(here, step.location)
            if here.startswith("https:") and there.startswith("http:"):
                raise ImageError("redirect", "from https to http")
            here = there
        raise ImageError("redirect", f"more than {MAX_REDIRECTS}")

    async def _ask(self, url: httpx.URL) -> _Step:
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        headers = [
            (b"Host", url.netloc),
            (b"Accept", b"image/avif,image/webp,image/svg+xml,image/png,image/jpeg,image/gif,*/*;q=0.1"),
            (b"Accept-Encoding", b"identity"),
            (b"User-Agent", f"walletmodal/{VERSION}".encode()),
        ]
        async with self._pool.stream("GET", target, headers=headers) as response:
            found = {name.lower(): value for name, value in response.headers}
            if response.status in _REDIRECTS and found.get(b"location"):
                return _Step(location=found[b"location"].decode("latin-1"))
            if not 200 <= response.status < 300:
                raise ImageError("status", str(response.status))
            if found.get(b"content-encoding", b"identity").strip().lower() not in {b"", b"identity"}:
                raise ImageError("type", "compressed")
            return _Step(body=await self._read(response, found.get(b"content-length", b"")))

    async def _read(self, response: httpcore.Response, announced: bytes) -> bytes:
        if announced.isdigit() and int(announced) > self._max_bytes:
            raise ImageError("size", f"more than {self._max_bytes} bytes")
        received = bytearray()
        async for chunk in response.aiter_stream():
            received += chunk
            if len(received) > self._max_bytes:
                raise ImageError("size", f"more than {self._max_bytes} bytes")
        return bytes(received)


def _next_url(here: str, location: str) -> str:
    try:
        return urljoin(here, location)
    except ValueError as error:
        raise ImageError("redirect", "to no URL") from error
