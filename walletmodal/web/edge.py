"""First checks of a request: another host's name, a crooked path, a body that is too large or does not come."""

import asyncio
import ipaddress
import logging
import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.core.sign_in.token_claims import KEYS_PATH
from walletmodal.services.metrics import count_ignored
from walletmodal.web.answers import error_response
from walletmodal.web.headers import SecurityHeaders
from walletmodal.web.origin import host_name, own_host
from walletmodal.web.receiving import receive_before

BODY_SECONDS: Final = 10.0
MAX_BODY_BYTES: Final = 512 * 1024
"""Above what any route takes; each has a limit of its own below it."""

_EMPTY_OR_DOTS: Final = r"(?:\.|%2e){0,2}"
_SEPARATOR: Final = r"(?:[/\\]|%2f|%5c)"
_CROOKED: Final = re.compile(
    rf"\\|%2f|%5c|[\x00-\x1f\x7f]|{_SEPARATOR}{_EMPTY_OR_DOTS}{_SEPARATOR}|{_SEPARATOR}(?:\.|%2e){{1,2}}\Z",
    re.IGNORECASE,
)
_FOR_PROGRAMS: Final = ("/_health", "/_live", "/metrics", "/openapi.json", KEYS_PATH, "/v1/sessions/", "/v1/accounts/")
"""What programs ask by whatever name leads here: of no use to a page, or closed to it."""
_DEFAULT_PORTS: Final = (":80", ":443")

_Refusal = tuple[int, str, str]
"""Status, code and message."""

_log: Final = logging.getLogger(__name__)


class Edge:
    """ASGI middleware.

    A page whose name was pointed at our address is its own origin to the browser, and asks by that name (DNS rebinding): so only
    PUBLIC_URL's name is answered, besides names of this machine and addresses, which nobody can point elsewhere.

    Args:
        app: what is behind.
        own_origin: where browsers reach the modal.
        clock: what the time is measured with.
        seconds: within which a body must have come.
    """

    def __init__(
        self, app: ASGIApp, *, own_origin: str, clock: Clock | None = None, seconds: float = BODY_SECONDS
    ) -> None:
        self._app, self._clock, self._seconds = app, clock or SystemClock(), seconds
        self._own = _without_port(urlsplit(own_origin).netloc.lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif _is_crooked(scope["path"]):
            await _refuse(scope, receive, send, 404, "not_found", "There is nothing here.")
        elif not self._is_ours(scope):
            count_ignored("host")
            _log.warning("refused: the request is for another host than PUBLIC_URL names (%s)", self._own)
            await _refuse(scope, receive, send, 421, "another_host", "This server does not answer by that name.")
        elif scope["type"] == "http":
            await self._with_body(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        if scope["type"] == "http" and scope["path"].startswith(_FOR_PROGRAMS):
            return True
        asked = own_host(Headers(scope=scope))
        if asked is None:
            return False
        return _without_port(asked) == self._own or _is_fixed(asked)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if length == "0" and "transfer-encoding" not in headers and scope.get("http_version", "").startswith("1"):
            await self._app(scope, receive, send)
            return
        if not length.isdecimal() or len(length) > 9 or int(length) > MAX_BODY_BYTES:
            count_ignored("body_too_large")
            await _refuse(scope, receive, send, 413, "too_large", f"A body must not exceed {MAX_BODY_BYTES} bytes.")
            return
        body = _Body(receive, send, self._clock, self._seconds)
        await self._app(scope, body.receive, body.send)
        await body.refuse(scope)


class _Body:
    """A request's body as it comes, and the answer."""

    def __init__(self, receive: Receive, send: Send, clock: Clock, seconds: float) -> None:
        self._receive, self._send, self._clock = receive, send, clock
        self._until = clock.monotonic() + seconds
        self._came, self._whole = 0, False
        self._answering = False
        self._refusal: _Refusal | None = None

    async def receive(self) -> Message:
        """The next part; a disconnect for what is too much or too late."""
        if self._refusal is not None:
            return {"type": "http.disconnect"}
        if self._whole:
            # Whoever waits for the end of the connection waits as long as it lasts.
            return await self._receive()
        message = await self._part()
        if message is None:
            return self._refuse("body_late", 408, "timeout", "The body did not come in time.")
        self._came += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._came > MAX_BODY_BYTES:
            return self._refuse("body_too_large", 413, "too_large", f"A body must not exceed {MAX_BODY_BYTES} bytes.")
        return message

    async def send(self, message: Message) -> None:
        """Pass the answer on, unless the body is refused: what the app makes of half a body is not told."""
        if self._refusal is None or self._answering:
            self._answering = True
            await self._send(message)

    async def refuse(self, scope: Scope) -> None:
        """Say why, where that is the answer."""
        if self._refusal is not None and not self._answering:
            await _refuse(scope, self._receive, self._send, *self._refusal)

    def _refuse(self, reason: str, *refusal: *_Refusal) -> Message:
        count_ignored(reason)
        self._refusal = refusal
        return {"type": "http.disconnect"}

    async def _part(self) -> Message | None:
        """None when it does not come in time."""
        late = asyncio.create_task(self._clock.sleep(self._until - self._clock.monotonic()))
        try:
            return await receive_before(self._receive, late)
        finally:
            late.cancel()
            await asyncio.gather(late, return_exceptions=True)


async def _refuse(scope: Scope, receive: Receive, send: Send, *refusal: *_Refusal) -> None:
    status, code, message = refusal
    if scope["type"] == "websocket":
        # A close before the socket is accepted is answered with 403 by the server.
        await send({"type": "websocket.close", "code": 1008, "reason": message})
        return
    answer = error_response(status, code, message)
    if status in (408, 413):
        # What still comes of the body is not waited for.
        answer.headers["Connection"] = "close"
    # A refusal is no document, so the policy of documents is never asked for.
    await SecurityHeaders(answer, document_policy=lambda _host: "")(scope, receive, send)


def _is_crooked(path: str) -> bool:
    """Whether a file server, or a route, could read it as another path: an empty segment, dots, a backslash, an encoded slash."""
    return _CROOKED.search(path) is not None


def _without_port(host: str) -> str:
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    return host


def _is_fixed(host: str) -> bool:
    """Whether it is an address, or a name that can only mean this machine."""
    name = host_name(host)
    if is_loopback_host(name):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
