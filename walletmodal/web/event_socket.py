"""The event socket, from the client's side: what no page of ours does is refused before the framework sees it, and what it does is paced."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Container
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.reflex_internals.unread import FAIR, LISTENER, MOST, MOST_OF_ADDRESS
from walletmodal.services.metrics import count_ignored
from walletmodal.services.rate_limit import Rate
from walletmodal.web.answers import error_response
from walletmodal.web.drain import LEAVE_SECONDS, Drain
from walletmodal.web.heartbeat import Heartbeat
from walletmodal.web.metrics import SOCKET_MESSAGES
from walletmodal.web.origin import EVENT_PATH
from walletmodal.web.packets import PING, PONG, Conversation, Verdict
from walletmodal.web.sessions import Forget, Sessions, SocketLimits
from walletmodal.web.socket_throttle import ADDRESS_PACE, PACE, Bucket, cost, cost_of_telling
from walletmodal.web.tasks import Waits, give_up, within

_NEW_TOKEN: Final = f'42{EVENT_PATH},["new_token",'
_POLICY_VIOLATION: Final = 1008
_MOVE: Final = "49"
"""No packet of Socket.IO: the page's client closes the socket by itself, after all that it has said, and at once opens another."""
Release = Callable[[str], Awaitable[None]]
"""Lets another server take over the session of a token whose socket is still open here."""
_T = TypeVar("_T")
_GONE: Final[Message] = {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}
_TOKEN: Final = re.compile(r"[!-~]{1,128}")
_HEADERS: Final = frozenset({b"connection", b"host", b"origin", b"sec-websocket-protocol", b"upgrade", b"user-agent"})
"""What the framework reads. It keeps them with the session: no cookie gets there, and nothing that a stranger makes up."""
_MOST_HEADER: Final = 512
_MOST_HEADERS: Final = 32 * 1024
_SEND_SECONDS: Final = 20.0
"""Within which a page must have made room for one packet."""
_CLOSE_SECONDS: Final = 1.0
_HEARD, _SAID = SOCKET_MESSAGES.labels("received"), SOCKET_MESSAGES.labels("sent")


class EventSockets:
    """ASGI middleware in front of the framework's socket.

    Each address has so many sockets and sessions, a socket opens the namespace once, and its page loads within a minute. Who says more,
    or has more said, than a page ever does is listened to more slowly: what is not taken off the socket waits at its sender, and nothing
    that an honest page has said is lost while it can be told what comes of it. Who does not read what it is told is disconnected.

    Args:
        app: what is behind.
        client_name: who a socket comes from.
        forget: as in `sessions.Forget`.
        events: names of the events that pages have; the framework keeps a trace of each other one for good.
        introduces: names of those by which a page says who its host is.
        release: as in `Release`.
        drain: of this worker, whose pages it has go to other servers.
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
        events: Container[str],
        introduces: frozenset[str],
        release: Release,
        drain: Drain,
        limits: SocketLimits | None = None,
        paces: tuple[Rate, Rate] = (PACE, ADDRESS_PACE),
        clock: Clock | None = None,
    ) -> None:
        self._app, self._client_name, self._events, self._introduces = app, client_name, events, introduces
        self._release, self._drain = release, drain
        self._limits, self._paces, self._clock = limits or SocketLimits(), paces, clock or SystemClock()
        self.sessions = Sessions(forget=forget, limits=self._limits, clock=self._clock)
        self._addresses: dict[str, _Address] = {}
        self._heartbeat = Heartbeat(self._clock)

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
        if self._drain.begun or _size(scope) > _MOST_HEADERS or not await self.sessions.admit(address):
            # Before it is accepted the server answers with 403.
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": "too many sockets"})
            return
        shared = self._addresses.setdefault(address, _Address(address, Bucket(self._paces[1], self._clock)))
        shared.sockets += 1
        socket = _Socket(
            scope,
            receive,
            send,
            conversation=Conversation(self._events, self._introduces),
            sessions=self.sessions,
            bucket=Bucket(self._paces[0], self._clock),
            address=shared,
            clock=self._clock,
            heartbeat=self._heartbeat,
            load_seconds=self._limits.load_seconds,
            release=self._release,
        )
        self._drain.add(socket)
        listener = LISTENER.set(socket)
        try:
            # States are told the visitor's address, not the proxy's.
            await self._app({**scope, "client": (address, 0), "headers": _kept(scope)}, socket.receive, socket.send)
        finally:
            LISTENER.reset(listener)
            self._drain.remove(socket)
            try:
                await socket.close()
            finally:
                shared.sockets -= 1
                if not shared.sockets:
                    del self._addresses[address]
                self.sessions.end(address, socket.token, socket.drop, keep=socket.worth_keeping)


@dataclass(slots=True)
class _Address:
    """What the sockets of one address have in common: their pace, and how much all of them have not read."""

    name: str
    bucket: Bucket
    sockets: int = 0
    unread: int = 0


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
        bucket: Bucket,
        address: _Address,
        clock: Clock,
        heartbeat: Heartbeat,
        load_seconds: float,
        release: Release,
    ) -> None:
        self.token = ""
        self._conversation, self._known = conversation, False
        self._sessions, self._clock, self._buckets = sessions, clock, (bucket, address.bucket)
        self._address, self._unread = address, 0
        self._receive, self._send = receive, send
        self._named = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        self._release = release
        self._over = self._moved = False
        self.is_held_back = False
        self._waits = Waits()
        self._overdue: asyncio.Task[None] | None = asyncio.create_task(clock.sleep(load_seconds), name="socket-load")
        self._overdue.add_done_callback(self._on_overdue)
        self._sending_since: float | None = None
        self._watch: asyncio.Task[None] | None = None
        self._leaving: asyncio.Task[None] | None = None
        self._pinging: asyncio.Task[None] | None = None
        self._heartbeat, self._pulse = heartbeat, heartbeat.add(self)

    @property
    def worth_keeping(self) -> bool:
        """Whether its page has said who its host is, on this socket or on one before."""
        return self._known or self._conversation.introduced

    @property
    def has_left(self) -> bool:
        """As `unread.Listener.has_left`."""
        return self._over or self._moved

    async def receive(self) -> Message:
        """The next message that the framework is to see."""
        while not self._over:
            if (message := await self._hear()) is not None:
                return message
        return _GONE

    async def _hear(self) -> Message | None:
        """The next message; None for one that the framework is not to see, of which nothing is kept while the next is waited for."""
        for bucket in self._buckets:
            if (seconds := bucket.wait()) > 0:
                self.is_held_back = True
                await self._while_open(partial(self._clock.sleep, seconds))
                self.is_held_back = False
        message = await self._while_open(self._receive)
        if message is None or message["type"] != "websocket.receive":
            return message
        _HEARD.inc()
        return message if self._admits(message) else None

    async def send(self, message: Message) -> None:
        """Pass on what the framework says.

        Raises:
            OSError: nobody reads it.
        """
        if message["type"] == "websocket.send" and (message.get("text") or "").startswith(_NEW_TOKEN):
            new = str(json.loads(message["text"].partition(",")[2])[1])
            self._sessions.rename(self._address.name, self.token, new, self.drop)
            self.token, self._known = new, False
        elif message["type"] == "websocket.close":
            if self._over:
                message = {**message, "code": _POLICY_VIOLATION}
            # Some servers close nothing while they are asked for the next message.
            self._end("")
            # Whoever does not read does not read that either.
            await within(_CLOSE_SECONDS, self._clock, self._send(message))
            return
        if self._moved:
            # Its page would not hear it, and hears there what it has missed.
            return
        if self._over or not await self._is_taken(message):
            raise ConnectionAbortedError
        if message["type"] == "websocket.send":
            _SAID.inc()

    async def _is_taken(self, message: Message) -> bool:
        """Whether the server has taken a message; not where the socket ends first, as it does when there is no room for it in time."""
        self._sending_since = self._clock.monotonic()
        # One for all messages of 20 seconds: a timer for each costs as much as sending it.
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._end_unread(), name="socket-watch")
        try:
            await self._while_open(partial(self._send, message))
        except Exception:
            # What the server has not taken is missing at the page: it must not go on as if it had been told.
            self._end("")
            raise
        finally:
            self._sending_since = None
        return not self._over

    async def _end_unread(self) -> None:
        """Ends the socket when a message has waited too long for the page to make room; without one there is nothing to watch."""
        while (since := self._sending_since) is not None:
            await self._clock.sleep(since + _SEND_SECONDS - self._clock.monotonic())
            if self._sending_since == since:
                self._end("socket_unread")
                return

    def told(self, size: int) -> bool:
        """As `unread.Listener.told`: what a page has said to it counts as what it says."""
        if self._over:
            return False
        if (price := cost_of_telling(size)) > 0:
            for bucket in self._buckets:
                bucket.take(price)
        self._unread += size
        self._address.unread += size
        if self._unread > MOST or (self._unread > FAIR and self._address.unread > MOST_OF_ADDRESS):
            self._end("socket_unread")
        return not self._over

    def read(self, size: int) -> None:
        """As `unread.Listener.read`."""
        self._unread -= size
        self._address.unread -= size

    def ping(self) -> None:
        """As `heartbeat.Pinged.ping`."""
        if self._pinging is not None and not self._pinging.done():
            self._end("socket_unread")
        elif not (self._over or self._moved):
            self._pinging = asyncio.create_task(self._say_ping(), name="socket-ping")

    async def _say_ping(self) -> None:
        # What a server raises where the connection has not begun, or has just ended.
        with suppress(OSError, RuntimeError):
            await self._while_open(partial(self._send, {"type": "websocket.send", "text": PING}))
            _SAID.inc()

    def end_silent(self) -> None:
        """As `heartbeat.Pinged.end_silent`."""
        self._end("")

    async def move(self) -> None:
        """Has the page go on at another server. What it says until it hears of that is still done here."""
        if self._over or self._moved:
            return
        self._moved = True
        try:
            if self.token:
                await self._release(self.token)
        finally:
            await self._tell_to_move()

    async def _tell_to_move(self) -> None:
        if self._over:
            return
        self._leaving = asyncio.create_task(self._end_unmoved(), name="socket-move")
        # What a server raises where the connection has just ended.
        with suppress(OSError, RuntimeError):
            await within(_CLOSE_SECONDS, self._clock, self._send({"type": "websocket.send", "text": _MOVE}))

    async def _end_unmoved(self) -> None:
        """Ends the socket of a page that has not gone in time."""
        await self._clock.sleep(LEAVE_SECONDS)
        self._end("socket_not_moved")

    def drop(self) -> None:
        """Ends the socket, whose session has to go."""
        self._end("socket_session_size")

    def _end(self, reason: str) -> None:
        """Ends the socket: nothing more is heard or said. `reason`: what a page has done wrong, "" for nothing."""
        if not self._over:
            if reason:
                count_ignored(reason)
            self._over = True
            self._waits.end()

    async def _while_open(self, begin: Callable[[], Awaitable[_T]]) -> _T | None:
        """What comes of it; None when the socket ends first."""
        return None if self._over else await self._waits.run(begin)

    def _on_overdue(self, overdue: asyncio.Task[None]) -> None:
        """Ends the socket of a page that has not loaded in time."""
        if not overdue.cancelled():
            self._end("socket_not_loaded")

    async def close(self) -> None:
        """Closes the socket: nothing of it is waited for any more."""
        self._address.unread -= self._unread
        self._unread = 0
        self._over = True
        self._heartbeat.remove(self._pulse)
        tasks = (self._overdue, self._watch, self._leaving, self._pinging)
        await give_up(*(task for task in tasks if task is not None))

    def _admits(self, message: Message) -> bool:
        text = message.get("text") if message.get("bytes") is None else None
        if text == PONG:
            self._pulse.answered()
        heard = self._conversation.check_packet(text, len(text if text is not None else message.get("bytes") or b""))
        for bucket in self._buckets:
            bucket.take(cost(heard.size, heard.values) + heard.extra)
        if heard.refusal and heard.verdict is not Verdict.END:
            count_ignored(f"socket_{heard.refusal}")
        if self._conversation.connected and not self.token:
            self._begin()
        if self._conversation.loaded and self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None
        if heard.verdict is Verdict.END:
            self._end(f"socket_{heard.refusal}")
        return heard.verdict is Verdict.PASS and not self._over

    def _begin(self) -> None:
        if self._moved:
            # Its session begins at another server.
            self._end("socket_moved")
        elif not _TOKEN.fullmatch(self._named):
            self._end("socket_token")
        elif self._sessions.is_dropped(self._named):
            self.drop()
        else:
            self.token = self._named
            self._known = self._sessions.begin(self._address.name, self._named, self.drop)


def _size(scope: Scope) -> int:
    return len(scope["query_string"]) + sum(len(name) + len(value) for name, value in scope["headers"])


def _kept(scope: Scope) -> list[tuple[bytes, bytes]]:
    return [(name, value[:_MOST_HEADER]) for name, value in scope["headers"] if name.lower() in _HEADERS]


def _is_event_path(path: str) -> bool:
    return path == EVENT_PATH or path.startswith(f"{EVENT_PATH}/")
