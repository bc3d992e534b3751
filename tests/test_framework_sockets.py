"""The loop of a socket that takes the place of Engine.IO's: what is heard is handled in order, what is told is written at once, nothing is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast
from weakref import ref

import pytest
from engineio.async_socket import AsyncSocket
from engineio.packet import MESSAGE, Packet
from reflex.state import StateUpdate
from reflex.utils.token_manager import SocketRecord

from tests.patience import eventually, patience
from walletmodal.walletmodal import app

NAMESPACE = "/_event"
server: Any = app.sio


class _Said(str):
    """A text that can be looked for."""

    __slots__ = ("__weakref__",)


class _Page:
    """A websocket's other end, of ASGI, as `event_socket` lets the framework see it: it ends where something could not be told, and where it is closed.

    Attributes:
        says: what it says, packets; None: it goes.
        told: packets that it was told.
        closed: whether the server has closed the connection.
        error: what telling it more raises.
    """

    def __init__(self) -> None:
        self.says: Any = asyncio.Queue[str | None]()
        self.told: list[str] = []
        self.closed = False
        self.error: Exception | None = None

    async def receive(self) -> dict[str, Any]:
        """As a server does it."""
        said = await self.says.get()
        return {"type": "websocket.disconnect"} if said is None else {"type": "websocket.receive", "text": said}

    async def send(self, message: dict[str, Any]) -> None:
        """As a server does it."""
        if message["type"] == "websocket.close":
            self.closed = True
            self.says.put_nowait(None)
        elif message["type"] == "websocket.send":
            if self.error is not None:
                self.says.put_nowait(None)
                raise self.error
            self.told.append(message["text"])


@asynccontextmanager
async def _conversation(page: _Page) -> AsyncIterator[tuple[AsyncSocket, str]]:
    """The socket of a page for the length of the block, with its id in the namespace. After it, the page has gone."""
    engine = server.eio
    socket = engine.sockets["low"] = AsyncSocket(engine, "low")
    sid = await server.manager.connect("low", NAMESPACE)
    handling = asyncio.create_task(
        socket.handle_get_request({"asgi.receive": page.receive, "asgi.send": page.send}), name="page"
    )
    try:
        await eventually(lambda: bool(socket.queue._getters and page.says._getters), "its loop")
        yield socket, sid
    finally:
        page.says.put_nowait(None)
        await asyncio.gather(handling, return_exceptions=True)
        engine.sockets.pop("low", None)
        await server.manager.disconnect(sid, NAMESPACE, ignore_queue=True)


@pytest.fixture
def handled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What pages have said, and `left` for each that has gone, as the library tells it."""
    found = list[str]()
    monkeypatch.setitem(server.eio.handlers, "message", lambda _sid, said: found.append(said))
    gone = server.eio.reason.TRANSPORT_CLOSE
    monkeypatch.setitem(
        server.eio.handlers, "disconnect", lambda _sid, reason: found.append("left" if reason == gone else str(reason))
    )
    return found


async def test_what_a_page_is_told_is_written_before_its_handler_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    page, namespace = _Page(), cast("Any", app.event_namespace)
    async with _conversation(page) as (socket, sid):
        tokens = namespace._token_manager
        record = SocketRecord(instance_id=tokens.instance_id, sid=sid)
        monkeypatch.setitem(tokens.token_to_socket, "token", record)
        await namespace.emit_update(StateUpdate(delta={"state": {"count": 1}}), token="token")
        assert [text.partition("{")[0] for text in page.told] == ['42/_event,["event",']
        assert (socket.connected, socket.upgraded) == (True, True)


async def test_what_one_page_is_told_is_in_its_queue_at_once() -> None:
    async with _conversation(_Page()) as (socket, sid):
        telling = server.manager.emit("event", {"count": 1}, NAMESPACE, room=sid)
        # It waits for nothing.
        with pytest.raises(StopIteration):
            telling.send(None)
        assert [packet.data for packet in socket.queue._queue] == ['2/_event,["event",{"count":1}]']


@pytest.mark.parametrize(
    ("data", "options", "told"),
    [
        (("a", 1), lambda sid: {"to": sid}, ['42/_event,["event","a",1]']),
        (None, lambda sid: {"to": sid}, ['42/_event,["event"]']),
        ("a", lambda sid: {"to": sid, "skip_sid": sid}, []),
        ("a", lambda sid: {"to": [sid]}, ['42/_event,["event","a"]']),
        ("a", lambda _sid: {"to": "nobody"}, []),
    ],
)
async def test_whatever_else_is_told_is_told_as_the_library_does_it(
    data: Any, options: Callable[[str], dict[str, Any]], told: list[str]
) -> None:
    page = _Page()
    async with _conversation(page) as (_, sid):
        await server.emit("event", data, namespace=NAMESPACE, **options(sid))
        await asyncio.sleep(0)
        assert page.told == told


async def test_all_in_a_room_are_told_also_in_one_that_is_no_sockets_own() -> None:
    page = _Page()
    async with _conversation(page) as (_, sid):
        await server.enter_room(sid, "news", namespace=NAMESPACE)
        await server.emit("event", "a", to="news", namespace=NAMESPACE)
        await eventually(lambda: page.told == ['42/_event,["event","a"]'], "what all are told")


async def test_who_wants_an_answer_gets_the_pages() -> None:
    page, answers = _Page(), list[str]()
    async with _conversation(page) as (_, sid):
        await server.emit("event", "a", to=sid, namespace=NAMESPACE, callback=answers.append)
        await eventually(lambda: page.told == ['42/_event,1["event","a"]'], "the question")
        page.says.put_nowait('43/_event,1["b"]')
        await eventually(lambda: answers == ["b"], "the answer")


async def test_a_page_whose_socket_is_closed_is_told_nothing() -> None:
    page = _Page()
    async with _conversation(page) as (socket, sid):
        socket.closed = True
        await server.emit("event", {"count": 1}, to=sid, namespace=NAMESPACE)
    assert page.told == []


async def test_a_socket_keeps_nothing_of_a_packet(monkeypatch: pytest.MonkeyPatch, handled: list[str]) -> None:
    packets, page = list[ref[Packet]](), _Page()

    class Recorded(Packet):  # type: ignore[misc]  # the library is not typed
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            packets.append(ref(self))

    monkeypatch.setattr("walletmodal.reflex_internals.socket_loop.Packet", Recorded)
    said = [_Said("4news")]
    kept = ref(said[0])
    async with _conversation(page) as (socket, _):
        page.says.put_nowait(said.pop())
        await socket.send(Recorded(MESSAGE, data="more"))
        await eventually(lambda: (handled, page.told) == (["news"], ["4more"]), "both")
        # Both wait for the next one.
        await eventually(lambda: bool(page.says._getters and socket.queue._getters), "both")
        assert ([packet() for packet in packets], kept()) == ([None, None], None)
        # Who waits until all is written does not wait for these.
        async with patience():
            await socket.queue.join()


async def test_a_socket_goes_on_after_a_packet_that_cannot_be_handled(
    handled: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    page = _Page()
    async with _conversation(page):
        for packet in ("x", "4news"):
            page.says.put_nowait(packet)
        await eventually(lambda: handled == ["news"], "what came after")
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        "a packet could not be handled"
    ]


@pytest.mark.parametrize("error", [ConnectionAbortedError(), RuntimeError(), ValueError()], ids=repr)
async def test_a_socket_to_which_nothing_can_be_written_is_closed_and_ended(
    handled: list[str], error: Exception
) -> None:
    page = _Page()
    page.error = error
    async with _conversation(page) as (socket, _):
        await socket.send(Packet(MESSAGE, data="news"))
        await eventually(lambda: page.closed and handled == ["left"], "its end")
    assert socket.closed


async def test_a_page_that_goes_before_it_is_accepted_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(_message: dict[str, Any]) -> None:
        raise RuntimeError("ASGI flow error: Transport not initialized or closed")

    monkeypatch.setattr(server.eio, "start_service_task", False)
    opening = {"HTTP_CONNECTION": "upgrade", "HTTP_UPGRADE": "websocket"}
    environ = {**opening, "asgi.receive": _Page().receive, "asgi.send": refuse}
    before = {**server.eio.sockets}, {**server.environ}
    answer = await server.eio._handle_connect(environ, "websocket")
    assert (answer, (server.eio.sockets, server.environ)) == ("", before)


@pytest.mark.parametrize("connection", ["a" * 512, "keep-alive", None])
async def test_a_websocket_is_one_whatever_its_headers_are(
    monkeypatch: pytest.MonkeyPatch, handled: list[str], connection: str | None
) -> None:
    """The server has decided it by the whole of them; a proxy, or `event_socket`, passes on a part."""
    monkeypatch.setattr(server.eio, "start_service_task", False)
    monkeypatch.setitem(server.eio.handlers, "connect", lambda _sid, _environ: None)
    page = _Page()
    headers = {} if connection is None else {"HTTP_CONNECTION": connection}
    before = {**server.eio.sockets}
    environ = {**headers, "asgi.receive": page.receive, "asgi.send": page.send}
    serving = asyncio.create_task(server.eio._handle_connect(environ, "websocket"))
    await eventually(lambda: len(page.told) == 1, "the packet that opens it")
    page.says.put_nowait(None)
    async with patience():
        await serving
    assert (handled, server.eio.sockets) == (["left"], before)


@pytest.mark.parametrize("cancelled", ["page", "socket-writer"])
async def test_a_socket_whose_tasks_are_cancelled_is_ended(handled: list[str], cancelled: str) -> None:
    page = _Page()
    async with _conversation(page) as (socket, _):
        (task,) = (task for task in asyncio.all_tasks() if task.get_name() == cancelled)
        task.cancel()
        await eventually(lambda: page.closed and handled == ["left"], "its end")
    assert socket.closed
