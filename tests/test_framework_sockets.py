"""The loop of a socket that takes the place of Engine.IO's: what is heard is handled in order, what is told is written at once, nothing is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from weakref import ref

import pytest
import socketio
from engineio.async_socket import AsyncSocket
from engineio.packet import MESSAGE, Packet

from tests.patience import eventually
from walletmodal.reflex_internals.socket_loop import use_our_loop
from walletmodal.reflex_internals.socket_rooms import OwnRooms

NAMESPACE = "/_event"


class _Page:
    """A websocket's other end.

    Attributes:
        says: what it says, packets; None: it goes.
        heard: packets that it was told.
        closed: whether the server has closed the connection.
        fails: whether it can be told nothing more.
    """

    def __init__(self) -> None:
        self.says: Any = asyncio.Queue[str | None]()
        self.heard: list[str] = []
        self.closed = self.fails = False

    async def wait(self) -> str:
        """As the library's transport does it."""
        said: str | None = await self.says.get()
        if said is None:
            raise OSError
        return said

    async def send(self, packet: str) -> None:
        """As the library's transport does it."""
        if self.fails:
            raise ConnectionAbortedError
        self.heard.append(packet)

    async def close(self) -> None:
        """As the library's transport does it."""
        self.closed = True
        self.says.put_nowait(None)


@asynccontextmanager
async def _conversation(server: socketio.AsyncServer, page: _Page) -> AsyncIterator[AsyncSocket]:
    """A socket of a page for the length of the block, and the end of its loop after it."""
    use_our_loop()
    engine: Any = server.eio
    socket = engine.sockets["low"] = AsyncSocket(engine, "low")
    handling = asyncio.create_task(socket._websocket_handler(page))
    try:
        yield socket
    finally:
        page.says.put_nowait(None)
        assert await handling is True


def _server() -> socketio.AsyncServer:
    server = socketio.AsyncServer(async_mode="asgi", async_handlers=False, client_manager=OwnRooms())
    server.eio.async_handlers = False
    return server


async def test_what_a_socket_is_told_is_written_in_the_next_round_of_the_event_loop() -> None:
    server, page = _server(), _Page()
    sid = await server.manager.connect("low", NAMESPACE)
    async with _conversation(server, page):
        await eventually(lambda: bool(server.eio.sockets["low"].queue._getters), "the writer")
        await server.emit("event", {"count": 1}, to=sid, namespace=NAMESPACE)
        # Reflex waits for as long, before a handler goes on or what it has brought about begins.
        await asyncio.sleep(0)
        assert page.heard == ['42/_event,["event",{"count":1}]']


async def test_who_has_left_is_told_nothing_and_nobody_hears_of_it() -> None:
    server, page = _server(), _Page()
    sid = await server.manager.connect("low", NAMESPACE)
    async with _conversation(server, page) as socket:
        await socket.close(wait=False, abort=True)
        await server.emit("event", {"count": 1}, to=sid, namespace=NAMESPACE)
        await server.emit("event", {"count": 1}, to="nobody", namespace=NAMESPACE)
    assert page.heard == []


async def test_a_socket_keeps_nothing_of_a_packet(monkeypatch: pytest.MonkeyPatch) -> None:
    packets, server, page = list[ref[Packet]](), _server(), _Page()

    class Recorded(Packet):  # type: ignore[misc]  # the library is not typed
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            packets.append(ref(self))

    monkeypatch.setattr("walletmodal.reflex_internals.socket_loop.Packet", Recorded)
    handled = list[str]()
    server.eio.on("message", lambda _sid, said: handled.append(said))
    async with _conversation(server, page) as socket:
        page.says.put_nowait("4news")
        await socket.send(Recorded(MESSAGE, data="more"))
        await eventually(lambda: (handled, page.heard) == (["news"], ["4more"]), "both")
        # Both wait for the next one.
        await eventually(lambda: bool(page.says._getters and socket.queue._getters), "both")
        assert [packet() for packet in packets] == [None, None]


async def test_a_socket_goes_on_after_a_packet_that_cannot_be_handled(caplog: pytest.LogCaptureFixture) -> None:
    server, page, handled = _server(), _Page(), list[str]()

    def handle(_sid: str, said: str) -> None:
        handled.append(said)

    server.eio.on("message", handle)
    async with _conversation(server, page):
        # The first two are of no type that a page sends, and of none at all.
        for packet in ("0", "x", "4news"):
            page.says.put_nowait(packet)
        await eventually(lambda: handled == ["news"], "what came after")
    assert [record.message for record in caplog.records] == ["a packet could not be handled"]


async def test_a_socket_to_which_nothing_can_be_written_is_closed_and_ended() -> None:
    server, page, ended = _server(), _Page(), list[str]()
    server.eio.on("disconnect", lambda sid, _reason: ended.append(sid))
    async with _conversation(server, page) as socket:
        page.fails = True
        await socket.send(Packet(MESSAGE, data="news"))
        await eventually(lambda: page.closed and bool(ended), "its end")
    assert ended == ["low"]
    assert socket.closed
