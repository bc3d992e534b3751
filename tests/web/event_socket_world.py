"""The event socket on a clock that stands still, with pages and a framework that are played."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.reflex_internals.unread import Unread
from walletmodal.services.client_address import ClientAddress
from walletmodal.services.rate_limit import Rate
from walletmodal.web.drain import Drain, Pace
from walletmodal.web.event_socket import EventSockets
from walletmodal.web.sessions import SocketLimits

OWN = "reflex___state____state.walletmodal___features___bridge___state____bridge_state"
INIT = f"{OWN}.on_init"
OPEN = "40/_event,"
FAST = Rate(per_second=1e6, burst=1_000_000)
LIMITS = SocketLimits(per_address=3, total=4, opened=FAST)


def event(name: str = f"{OWN}.on_call", payload: Any = None) -> str:
    return "42/_event," + json.dumps(["event", {"name": name, "payload": payload or {}, "router_data": {}}])


LOADED = OPEN + json.dumps({"event": {"name": HYDRATE, "payload": {}}, "state_schema": "x"})

_TURNS = 2_000
"""Of the event loop: nothing here waits for anything else."""


class Framework:
    """The framework's side: what reaches it, and what it says of its own."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.heard: list[str] = []
        self.says: list[str] = []
        self.answers = ""
        self.queues: list[Unread] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        self.queues.append(Unread())
        await send({"type": "websocket.accept"})
        for text in self.says:
            await send({"type": "websocket.send", "text": text})
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message["text"])
            if self.answers:
                with suppress(OSError, RuntimeError):
                    await send({"type": "websocket.send", "text": self.answers})
        await send({"type": "websocket.close"})


class Page:
    """A client: says what it is told to, and hangs up."""

    def __init__(self, sockets: ASGIApp, scope: Scope) -> None:
        self._says: asyncio.Queue[Message] = asyncio.Queue()
        self.got: list[Message] = []
        self.deaf = self.cut_off = self.refuses = False
        self.task = asyncio.create_task(self._serve(sockets, scope))

    async def _serve(self, sockets: ASGIApp, scope: Scope) -> None:
        await sockets(scope, self._says.get, self._take)

    async def _take(self, message: Message) -> None:
        if self.cut_off:
            # As granian does before the app hears that the connection has ended.
            raise RuntimeError("ASGI flow error: Transport not initialized or closed")
        if self.refuses and message["type"] == "websocket.send":
            # As granian does with what is no text of UTF-8.
            raise RuntimeError("Unsupported ASGI message")
        if self.deaf and message["type"] != "websocket.accept":
            await asyncio.Event().wait()
        self.got.append(message)

    def say(self, *packets: str | bytes) -> None:
        for packet in packets:
            kind = "text" if isinstance(packet, str) else "bytes"
            self._says.put_nowait({"type": "websocket.receive", kind: packet})

    async def leave(self) -> None:
        self._says.put_nowait({"type": "websocket.disconnect", "code": 1005})
        await self.ended()

    async def ended(self) -> None:
        async with patience():
            await self.task

    async def settled(self) -> None:
        """Returns when nothing happens any more of what it said: it was taken, or has to wait for the clock."""
        for _ in range(_TURNS):
            if self.task.done() or not self._says.qsize():
                break
            await asyncio.sleep(0)
        for _ in range(_TURNS // 50):
            await asyncio.sleep(0)

    @property
    def refused(self) -> bool:
        return self.got[-1:] == [{"type": "websocket.close", "code": 1008}]


class World:
    """All of it on a clock that stands still."""

    def __init__(self, limits: SocketLimits = LIMITS, paces: tuple[Rate, Rate] = (FAST, FAST)) -> None:
        self.clock, self.framework = MovableClock(), Framework()
        self.forgotten: list[str] = []
        self.known_elsewhere: set[str] = set()
        self.while_forgetting: Callable[[], Awaitable[object]] | None = None
        self.released: list[str] = []
        self.while_releasing: Callable[[], Awaitable[None]] | None = None
        self.drain = Drain(Pace(per_second=10, seconds=60), self.clock)
        self.pages: list[Page] = []
        self.sockets = EventSockets(
            self.framework,
            client_name=ClientAddress(),
            forget=self._forget,
            events={INIT, f"{OWN}.on_call", f"{OWN}.setvar"},
            introduces=frozenset({INIT}),
            release=self._release,
            drain=self.drain,
            limits=limits,
            paces=paces,
            clock=self.clock,
        )

    async def _forget(self, token: str, *, unless_known: bool) -> bool:
        stays = unless_known and token in self.known_elsewhere
        if not stays:
            self.forgotten.append(token)
        if self.while_forgetting is not None:
            await self.while_forgetting()
        return stays

    async def _release(self, token: str) -> None:
        self.released.append(token)
        if self.while_releasing is not None:
            await self.while_releasing()

    async def open(
        self, *packets: str | bytes, token: str = "token", peer: str = "203.0.113.1", headers: Any = ()
    ) -> Page:
        scope = {
            "type": "websocket",
            "path": "/_event/",
            "query_string": f"token={token}&EIO=4".encode(),
            "client": (peer, 1),
            "headers": list(headers),
        }
        page = Page(self.sockets, scope)
        self.pages.append(page)
        page.say(*packets)
        await page.settled()
        return page

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        for _ in range(_TURNS // 10):
            await asyncio.sleep(0)

    async def close(self) -> None:
        for page in self.pages:
            page.task.cancel()
        await asyncio.gather(*(page.task for page in self.pages), return_exceptions=True)
        await self.sockets.sessions.close()


Making = Callable[..., World]
