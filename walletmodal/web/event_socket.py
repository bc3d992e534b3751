"""The event socket, from the client's side: what no page of ours does is refused before the framework sees it, and what it does is paced."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.services.metrics import count_ignored
from walletmodal.services.rate_limit import Rate
from walletmodal.web.answers import error_response
from walletmodal.web.origin import EVENT_PATH
from walletmodal.web.pace import ADDRESS_PACE, PACE, Bucket, cost
from walletmodal.web.packets import Conversation, Verdict
from walletmodal.web.receiving import receive_before
from walletmodal.web.sessions import Forget, Sessions, SocketLimits

_NEW_TOKEN: Final = f'42{EVENT_PATH},["new_token",'
_POLICY_VIOLATION: Final = 1008
_GONE: Final[Message] = {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}
_TOKEN: Final = re.compile(r"[!-~]{1,128}")
_HEADERS: Final = frozenset({b"connection", b"host", b"origin", b"sec-websocket-protocol", b"upgrade", b"user-agent"})
"""What the framework reads. It keeps them with the session: no cookie gets there, and nothing that a stranger makes up."""
_MOST_HEADER: Final = 512
_MOST_HEADERS: Final = 32 * 1024


class EventSockets:
    """ASGI middleware in front of the framework's socket.

    Each address has so many sockets and sessions, a socket opens the namespace once, and its page loads within a minute. Who says more
    than a page ever does is listened to more slowly: what is not taken off the socket waits at its sender, and nothing that an honest
    page has said is lost.

    Args:
        app: what is behind.
        client_name: who a socket comes from.
        forget: as in `sessions.Forget`.
        introduces: names of the events by which a page says who its host is.
        limits: how many there may be.
        paces: how fast one socket, and how fast all of one address are listened to.
        clock: what the time is measured with.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        client_name: Callable[[HTTPConnection], str],
        forget: Forget,
        introduces: frozenset[str],
        limits: SocketLimits | None = None,
        paces: tuple[Rate, Rate] = (PACE, ADDRESS_PACE),
        clock: Clock | None = None,
    ) -> None:
        self._app, self._client_name, self._introduces = app, client_name, introduces
        self._limits, self._paces, self._clock = limits or SocketLimits(), paces, clock or SystemClock()
        self.sessions = Sessions(forget=forget, limits=self._limits, clock=self._clock)
        self._shared: dict[str, tuple[int, Bucket]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] not in ("http", "websocket") or not _is_event_path(scope["path"]):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await error_response(400, "websocket_only", "The event socket is a websocket.")(scope, receive, send)
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = self._client_name(HTTPConnection(scope))
        if _size(scope) > _MOST_HEADERS or not await self.sessions.admit(address):
            # Before it is accepted the server answers with 403.
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": "too many sockets"})
            return
        socket = _Socket(
            scope,
            receive,
            send,
            conversation=Conversation(self._introduces),
            sessions=self.sessions,
            buckets=[Bucket(self._paces[0], self._clock), self._share(address)],
            clock=self._clock,
            load_seconds=self._limits.load_seconds,
        )
        try:
            # States are told the visitor's address, not the proxy's.
            await self._app({**scope, "client": (address, 0), "headers": _kept(scope)}, socket.receive, socket.send)
        finally:
            await socket.close()
            self._unshare(address)
            self.sessions.end(address, socket.token, keep=socket.worth_keeping)

    def _share(self, address: str) -> Bucket:
        count, bucket = self._shared.get(address) or (0, Bucket(self._paces[1], self._clock))
        self._shared[address] = count + 1, bucket
        return bucket

    def _unshare(self, address: str) -> None:
        count, bucket = self._shared.pop(address)
        if count > 1:
            self._shared[address] = count - 1, bucket


class _Socket:
    """One of them: what the framework receives from it and sends to it."""

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        conversation: Conversation,
        sessions: Sessions,
        buckets: list[Bucket],
        clock: Clock,
        load_seconds: float,
    ) -> None:
        self.token = ""
        self._conversation, self._known = conversation, False
        self._sessions, self._clock, self._buckets = sessions, clock, buckets
        self._receive, self._send = receive, send
        self._named = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        self._ended = False
        self._overdue: asyncio.Task[None] | None = asyncio.create_task(clock.sleep(load_seconds), name="socket-load")

    @property
    def worth_keeping(self) -> bool:
        """Whether its page has said who its host is, on this socket or on one before."""
        return self._known or self._conversation.introduced

    async def receive(self) -> Message:
        """The next message that the framework is to see."""
        while not self._ended:
            for bucket in self._buckets:
                await self._clock.sleep(bucket.wait())
            message = await self._listen()
            if message is None:
                count_ignored("socket_not_loaded")
                self._ended = True
            elif message["type"] != "websocket.receive" or self._admits(message):
                return message
        return _GONE

    async def send(self, message: Message) -> None:
        """Pass on what the framework says."""
        if message["type"] == "websocket.send" and (message.get("text") or "").startswith(_NEW_TOKEN):
            new = str(json.loads(message["text"].partition(",")[2])[1])
            self._sessions.rename(self.token, new)
            self.token, self._known = new, False
        elif message["type"] == "websocket.close" and self._ended:
            message = {**message, "code": _POLICY_VIOLATION}
        await self._send(message)

    async def close(self) -> None:
        """Nothing of it is waited for any more."""
        if self._overdue is not None:
            self._overdue.cancel()
            await asyncio.gather(self._overdue, return_exceptions=True)

    async def _listen(self) -> Message | None:
        """What comes next; None when the page has not loaded in time."""
        if self._overdue is None:
            return await self._receive()
        return await receive_before(self._receive, self._overdue)

    def _admits(self, message: Message) -> bool:
        text = message.get("text") if message.get("bytes") is None else None
        heard = self._conversation.hear(text, len(text if text is not None else message.get("bytes") or b""))
        for bucket in self._buckets:
            bucket.take(cost(heard.size, heard.values) + heard.extra)
        if heard.refusal:
            count_ignored(f"socket_{heard.refusal}")
        if self._conversation.connected and not self.token:
            self._begin()
        if self._conversation.loaded and self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None
        self._ended |= heard.verdict is Verdict.END
        return heard.verdict is Verdict.PASS and not self._ended

    def _begin(self) -> None:
        if _TOKEN.fullmatch(self._named):
            self.token, self._known = self._named, self._sessions.begin(self._named)
        else:
            count_ignored("socket_token")
            self._ended = True


def _size(scope: Scope) -> int:
    return len(scope["query_string"]) + sum(len(name) + len(value) for name, value in scope["headers"])


def _kept(scope: Scope) -> list[tuple[bytes, bytes]]:
    return [(name, value[:_MOST_HEADER]) for name, value in scope["headers"] if name.lower() in _HEADERS]


def _is_event_path(path: str) -> bool:
    return path == EVENT_PATH or path.startswith(f"{EVENT_PATH}/")
