"""A page of the modal without a browser: its socket, and what it knows of the state."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from bench.scale.journey import FIELD, Journey

ANSWER_SECONDS: Final = 30.0
_SILENT_SECONDS: Final = 40.0
"""After so long without a ping a page gives its socket up: their interval and their timeout together."""
_NO_PACKET: Final = "49"
_RETRY_SECONDS: Final = (*(0.2 * attempt for attempt in range(1, 10)), *[2.0] * 20)
"""Of the framework's page: at once, then after these pauses."""
_ROUTER: Final = {"pathname": "/", "asPath": "/"}

_STORED: Final = (("ResumeState", "resume_id"), ("ResumeState", "seen"), ("PendingState", "browser_id"))
"""Variables that a tab stores."""

_PROCESS: Final = secrets.token_hex(8)

State = dict[str, dict[str, Any]]
"""State → variable → its value, by their names on the socket."""


class PageError(Exception):
    """A page did not get what a real one gets. `kind`: for the count of errors."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Page:
    """One tab.

    Args:
        journey: what a page says.
        number: of the visitor.

    Attributes:
        on_delta: hears of each change of the state.
        received, sent: characters on the socket, pings apart.
        events: that it has sent.
        forwarded: headers that tell the visitor's address.
        failed: why it is of no use any more.
        lost: kinds of the errors with which it has lost its sockets, in order; `moved` where the server has had it go.
    """

    def __init__(self, journey: Journey, number: int) -> None:
        self.journey, self.number = journey, number
        self.on_delta: Callable[[State], None] = lambda _delta: None
        self.received = self.sent = self.events = 0
        self.failed: PageError | None = None
        self.lost: list[str] = []
        self._state: State = {}
        self._stored: dict[str, Any] = {}
        # Visitors come from many addresses, which the proxy on this machine tells.
        self.forwarded = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
        # Another process's visitors of the same number are others.
        self._token = f"bench{_PROCESS}{number:011x}"
        self._event = f'42{journey.namespace},["event"'
        self._changed = asyncio.Event()
        self._heard = 0.0
        self._silence: asyncio.TimerHandle | None = None
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing: set[asyncio.Task[None]] = set()

    def value(self, state: str, variable: str, delta: State | None = None) -> Any:
        """What the server has said last of a variable; None where it has said nothing. `delta`: in this change alone."""
        known = self._state if delta is None else delta
        return known.get(self.journey.states[state], {}).get(variable + FIELD)

    async def until(self, holds: Callable[[], object], what: str, seconds: float = ANSWER_SECONDS) -> None:
        """Wait for a change of the state, so many seconds.

        Raises:
            PageError: it did not come, or the page has failed.
        """
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    if self.failed is not None:
                        raise self.failed
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            message = f"visitor {self.number} waited {seconds:.0f} s for {what}"
            raise PageError(f"no {what}", message) from None

    def note_change(self) -> None:
        """Has `until` look again."""
        self._changed.set()

    async def open(self) -> None:
        """Open the socket of a new tab.

        Raises:
            PageError: the server did not take it.
        """
        await self._open(self.journey.connect)

    async def open_again(self) -> None:
        """Open a socket as a page does whose server has gone: with its token and what its tab has stored, again and again.

        Raises:
            PageError: the server did not take it.
        """
        opening = json.loads(self.journey.connect.partition(",")[2])
        for state, variable in _STORED:
            stored = f"{self.journey.states[state]}.{variable}{FIELD}"
            if value := self.value(state, variable):
                self._stored[stored] = value
            elif variable == "seen":
                # A tab keeps also that its page may have missed something.
                self._stored.pop(stored, None)
        opening["event"]["payload"] = {"vars": self._stored}
        if self.failed is not None:
            self.lost.append(self.failed.kind)
        # It changes with every return.
        self._state.get(self.journey.states["BridgeState"], {}).pop(f"sync{FIELD}", None)
        self.failed = None
        for pause in _RETRY_SECONDS:
            try:
                await self._open(f"40{self.journey.namespace},{json.dumps(opening)}")
            except PageError:
                await asyncio.sleep(pause)
            else:
                return
        raise PageError("socket refused", f"visitor {self.number} could not come back")

    async def drop(self) -> None:
        """Lose the socket without a word."""
        await self._stop()
        if self._socket is not None:
            self._socket.transport.abort()

    async def leave(self) -> None:
        """Close the socket, as a tab does that is closed."""
        await self._stop()
        if self._socket is not None:
            await self._socket.close()
        await asyncio.gather(*self._closing)

    async def emit(self, event: str, payload: Any = None) -> None:
        """Send an event by its name `Class.handler`.

        Raises:
            PageError: the socket is gone.
        """
        said = {"name": self.journey.events[event], "router_data": _ROUTER}
        await self.say(said if payload is None else said | {"payload": {"payload": payload}})

    async def say(self, event: dict[str, Any]) -> None:
        """Send an event.

        Raises:
            PageError: the socket is gone.
        """
        packet = f"{self._event},{json.dumps(event)}]"
        self.events += 1
        self.sent += len(packet)
        if self._socket is None:
            raise PageError("socket lost", f"visitor {self.number} has no socket")
        try:
            await self._socket.send(packet)
        except WebSocketException as error:
            raise PageError("socket lost", f"visitor {self.number}: {error!r}") from error

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something meanwhile, for as long as the socket lives; the page fails with it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def fail(self, error: PageError) -> None:
        """It is of no use any more."""
        self.failed = self.failed or error
        self._changed.set()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            kind = error.kind if isinstance(error, PageError) else type(error).__name__
            self.fail(PageError(kind, f"visitor {self.number}: {error!r}"))

    async def _stop(self) -> None:
        ending = [task for task in (self._reader, *self._tasks) if task is not None]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        self._reader = None

    async def _open(self, packet: str) -> None:
        address = self.journey.url.replace("http", "ws", 1) + f"{self.journey.namespace}/"
        try:
            self._socket = await connect(
                f"{address}?token={self._token}&EIO=4&transport=websocket",
                origin=None,
                additional_headers={"Origin": self.journey.url, **self.forwarded},
                subprotocols=[Subprotocol(self.journey.version)],
                compression=None,
                ping_interval=None,
                open_timeout=ANSWER_SECONDS,
                max_size=None,
                proxy=None,
            )
            await self._socket.send(packet)
        except (OSError, TimeoutError, WebSocketException) as error:
            raise PageError("socket refused", f"visitor {self.number}: {error!r}") from error
        self._reader = asyncio.create_task(self._read(self._socket))

    async def _read(self, socket: ClientConnection) -> None:
        new_token = f'42{self.journey.namespace},["new_token",'
        self._heard = time.monotonic()
        self._end_silent(socket)
        try:
            while True:
                text = str(await socket.recv())
                self._heard = time.monotonic()
                if text == "2":
                    await socket.send("3")
                    continue
                self.received += len(text)
                if text.startswith(self._event):
                    self._take(json.loads(text.partition(",")[2])[1].get("delta") or {})
                elif text.startswith(new_token):
                    self._token = str(json.loads(text.partition(",")[2])[1])
                elif text == _NO_PACKET:
                    self._move(socket)
                    return
                elif text.startswith("44"):
                    self.fail(PageError("socket refused", f"visitor {self.number}: {text[:200]}"))
        except WebSocketException:
            # Its end is told below.
            pass
        finally:
            if self._silence is not None:
                self._silence.cancel()
        self.fail(PageError("disconnected", f"visitor {self.number} was disconnected ({socket.close_code})"))

    def _end_silent(self, socket: ClientConnection) -> None:
        """Has one timer for all that is said in such a time: one for each message costs as much as reading it."""
        left = self._heard + _SILENT_SECONDS - time.monotonic()
        if left <= 0:
            socket.transport.abort()
        else:
            self._silence = asyncio.get_running_loop().call_later(left, self._end_silent, socket)

    def _move(self, socket: ClientConnection) -> None:
        """What Socket.IO's client does with what is no packet: it closes the socket after all that it has said, and opens another at once."""
        self._socket = None
        closing = asyncio.create_task(socket.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        self.fail(PageError("moved", f"visitor {self.number} was sent to another server"))

    def _take(self, delta: State) -> None:
        for state, variables in delta.items():
            self._state.setdefault(state, {}).update(variables)
        self.on_delta(delta)
        self._changed.set()
