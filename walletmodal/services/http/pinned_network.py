"""Connections that go to the very address that was checked: a name that answers differently the second time reaches nothing."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

import httpcore

from walletmodal.core.errors import PrivateAddressError
from walletmodal.services.http.authorities import usual_authorities
from walletmodal.services.http.public_addresses import (
    IpAddress,
    ip_address,
    is_loopback_address,
    is_public_address,
)

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""The addresses of a name, as texts; raises OSError when it has none."""

MAX_ADDRESSES: Final = 4
_MAX_FOUND: Final = 64
_KEEPALIVE_SECONDS: Final = 15.0
_RESOLVERS: Final = ThreadPoolExecutor(max_workers=8, thread_name_prefix="strangers' names")
"""Threads of their own: a lookup cannot be cut short, and strangers' slow name servers would hold all that nodes and services need."""

SocketOption = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)  # as httpcore's interface has it


async def resolve_name(host: str) -> list[str]:
    """Asks the machine's own resolver."""
    asked = partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_RESOLVERS, asked)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


class PinnedNetwork(httpcore.AsyncNetworkBackend):
    """Resolves a name once, refuses it unless every address of it is public, and connects to one of these addresses.

    TLS still names and checks the host, for that is the connection pool's part.

    Args:
        resolve: asks for a name's addresses.
        allow_loopback: whether this machine's own addresses will do too, as in the sandbox.
        sockets: opens the connection to a checked address.
    """

    def __init__(
        self,
        resolve: Resolve = resolve_name,
        *,
        allow_loopback: bool = False,
        sockets: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._resolve, self._allow_loopback = resolve, allow_loopback
        self._sockets = sockets or httpcore.AnyIOBackend()

    def pool(self, connections: int, tls: ssl.SSLContext | None = None) -> httpcore.AsyncConnectionPool:
        """Makes a pool of at most so many connections, half of which are kept for a while. Close it at the end.

        `tls`: what certificates are checked with; by default the usual authorities.
        """
        return httpcore.AsyncConnectionPool(
            ssl_context=tls or usual_authorities(),
            max_connections=connections,
            max_keepalive_connections=connections // 2,
            keepalive_expiry=_KEEPALIVE_SECONDS,
            network_backend=self,
        )

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the interface of httpcore
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a checked address of the host.

        Raises:
            PrivateAddressError: the name has an address that is not public.
            httpcore.ConnectError: it has none, or none of them answers.
        """
        failure: Exception = httpcore.ConnectError("the name has no address")
        for address in await self._addresses(host):
            try:
                return await self._sockets.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - the interface of httpcore
        socket_options: Iterable[SocketOption] | None = None,  # noqa: ARG002 - as above
    ) -> httpcore.AsyncNetworkStream:
        """Refuses: nothing of strangers stands behind sockets of this machine."""
        raise PrivateAddressError(f"a local socket: {path}")

    async def sleep(self, seconds: float) -> None:
        """What the pool waits with."""
        await asyncio.sleep(seconds)

    async def _addresses(self, host: str) -> list[IpAddress]:
        try:
            found = await self._resolve(host)
        except OSError as error:
            raise httpcore.ConnectError("the name cannot be resolved") from error
        addresses = [ip_address(text) for text in found[:_MAX_FOUND]]
        if not all(address is not None and self._may_ask(address) for address in addresses):
            # One bad address among good ones is how a name gets round a check: none of them is asked.
            raise PrivateAddressError("not a public address")
        return [address for address in addresses if address is not None][:MAX_ADDRESSES]

    def _may_ask(self, address: IpAddress) -> bool:
        return is_public_address(address) or (self._allow_loopback and is_loopback_address(address))
