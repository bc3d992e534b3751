"""An id for each HTTP request: in its answer, and in what is logged while it is answered. Sockets are counted besides, and requests measured."""

import re
import secrets
import time
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walletmodal.logs import REQUEST_ID
from walletmodal.web.metrics import HTTP_SECONDS, OPEN_SOCKETS

HEADER: Final = "X-Request-Id"
HEALTH: Final = "/_health"
"""Asked by balancers again and again, and answered with 503 by each server that is being replaced: none of the visitors' requests."""

_WELL_FORMED: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
_BYTES: Final = 8
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})


def request_id(scope: Scope) -> str:
    """Returns the id of a request: what the proxy on this machine calls it, if that is an id at all; else one of ours."""
    client = scope.get("client")
    if client is not None and client[0] in _LOOPBACK:
        given = Headers(scope=scope).getlist(HEADER)
        if len(given) == 1 and _WELL_FORMED.fullmatch(given[0]):
            return given[0]
    return secrets.token_hex(_BYTES)


class RequestIds:
    """ASGI middleware: the outermost, so that nothing answers without it. A socket has one id; its events have their own (`logs`)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and name the answer."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        chosen, began, status = request_id(scope), time.perf_counter(), 500

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = chosen
            await send(message)

        before = REQUEST_ID.set(chosen)
        try:
            if scope["type"] == "http":
                await self._app(scope, receive, named)
            else:
                with OPEN_SOCKETS.track_inprogress():
                    await self._app(scope, receive, send)
        finally:
            REQUEST_ID.reset(before)
            if scope["type"] == "http" and scope["path"] != HEALTH:
                HTTP_SECONDS.labels(f"{status // 100}xx").observe(time.perf_counter() - began)
