"""The HTTP server inside the sandbox's own event loop."""

import asyncio
import contextlib
import socket
from collections.abc import Generator
from typing import cast

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

ABORT = "sandbox.abort"
"""Key in the ASGI scope: a function that closes the connection at once, without an answer."""


class _AbortableProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, with the one thing that ASGI leaves out."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        connection = cast("asyncio.Transport", transport)
        super().connection_made(connection)
        app = self.app

        async def with_abort(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, ABORT: connection.abort}, receive, send)

        self.app = with_abort


class _AbortableWebSocket(WebSocketsSansIOProtocol):
    """The same for a websocket."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        connection = cast("asyncio.Transport", transport)
        super().connection_made(connection)
        app = self.app

        async def with_abort(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, ABORT: connection.abort}, receive, send)

        self.app = with_abort


class _EmbeddedServer(uvicorn.Server):
    """A server that leaves signals to the program that it runs in."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class HttpServer:
    """Serves an ASGI app on sockets that listen already.

    Args:
        app: the application; its lifespan is not run.
        sockets: bound sockets; closed when the server stops.
        websocket_frame: bytes of the longest frame of a websocket; None when the app has no websockets.
    """

    def __init__(self, app: ASGIApp, sockets: list[socket.socket], websocket_frame: int | None = None) -> None:
        config = uvicorn.Config(
            app,
            http=_AbortableProtocol,
            ws="none" if websocket_frame is None else _AbortableWebSocket,
            ws_max_size=websocket_frame or 0,
            ws_per_message_deflate=False,
            lifespan="off",
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server = _EmbeddedServer(config)
        self._sockets = sockets
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start serving; returns when connections are accepted."""
        self._task = asyncio.create_task(self._server.serve(self._sockets), name="sandbox http")
        while not self._server.started:
            if self._task.done():
                self._task.result()
            await asyncio.sleep(0.005)

    async def stop(self) -> None:
        """Stop serving; requests that are running get one second."""
        self._server.should_exit = True
        if self._task is not None:
            await self._task
            self._task = None
        for one in self._sockets:
            one.close()
