"""Facts of Reflex's app and names that the code relies on and no documentation promises: an upgrade that breaks one fails here first."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx
import reflex_base
import socketio
from engineio.async_server import AsyncServer
from engineio.async_socket import AsyncSocket
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.state import FrontendEventExceptionState, OnLoadInternalState, State
from reflex_base.constants import CompileVars, SocketEvent
from reflex_base.event import Event
from reflex_base.event.processor import EventProcessor

from tests.driver import Driver
from tests.patience import eventually
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals import loads, low_priority
from walletmodal.reflex_internals.event_names import HYDRATE, SENT_BY_REFLEX
from walletmodal.reflex_internals.pings import PING_SECONDS, leave_pings_to_us
from walletmodal.reflex_internals.socket_rooms import OwnRooms, keep_to_own_rooms
from walletmodal.reflex_internals.unread import Unread
from walletmodal.walletmodal import app


def test_an_app_has_what_ends_sessions_and_events() -> None:
    assert app.event_namespace is not None
    assert callable(app.event_namespace._token_manager.is_token_connected)
    assert callable(EventProcessor.stop)
    assert isinstance(inspect.getattr_static(app, "event_processor"), property)
    assert app.sio is not None
    assert app.sio.eio.create_queue is Unread
    assert app.sio.eio.ping_interval > PING_SECONDS
    assert type(app.sio.manager) is OwnRooms
    assert app.sio.manager.server is app.sio


async def test_the_framework_pings_no_page_and_says_how_often_we_do() -> None:
    engine: Any = AsyncServer(async_mode="asgi")
    leave_pings_to_us(engine)
    begun = list[Any]()
    engine.start_background_task = lambda target, *_: begun.append(target)
    engine.start_service_task = False
    told = list[Any]()

    async def leave(socket: AsyncSocket, _environ: Any) -> None:
        told.append(socket.queue.get_nowait().data)
        # It is never taken for one that has not answered.
        assert await socket.check_ping_timeout() is True
        assert socket.last_ping is None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AsyncSocket, "handle_get_request", leave)
        await engine._handle_connect({}, "websocket")
    assert (told[0]["pingInterval"], told[0]["pingTimeout"]) == (20_000, 20_000)
    assert begun == []


class _Room(dict[str, str]):
    """Somebody's, which counts who is looked for in it."""

    looks = 0

    def __contains__(self, key: object) -> bool:
        self.looks += 1
        return super().__contains__(key)


@pytest.mark.parametrize(("rooms", "looks"), [(socketio.AsyncManager, 1), (OwnRooms, 0)])
async def test_the_framework_looks_for_a_socket_that_ends_in_the_room_of_every_other_one(
    rooms: Any, looks: int
) -> None:
    server: Any = socketio.AsyncServer(async_mode="asgi", client_manager=rooms())
    manager = server.manager
    first, second = [await manager.connect(sid, "/modal") for sid in ("one", "another")]
    # Whose page is asked something, and does not answer.
    manager._generate_ack_id(first, print)
    # It has not begun.
    third = await manager.pre_connect("third", "/modal")
    room = manager.rooms["/modal"][second] = _Room(manager.rooms["/modal"][second])
    await manager.enter_room(first, "/modal", "news")
    manager.pre_disconnect(first, "/modal")
    for sid in (first, third):
        await manager.disconnect(sid, "/modal", ignore_queue=True)
    assert room.looks == 2 * looks
    assert ([*manager.rooms["/modal"]], [*manager.rooms["/modal"][None]]) == ([None, second], [second])
    assert (manager.pending_connect, manager.pending_disconnect, manager.callbacks) == ({}, {}, {})
    await manager.disconnect(second, "/modal", ignore_queue=True)
    assert manager.rooms == {}
    await manager.disconnect(second, "/modal", ignore_queue=True)


def test_a_manager_of_somebodys_own_is_not_replaced_without_a_word() -> None:
    server: Any = socketio.AsyncServer(async_mode="asgi", client_manager=socketio.AsyncRedisManager())
    with pytest.raises(TypeError, match="AsyncRedisManager"):
        keep_to_own_rooms(server)


def test_a_socket_has_the_queue_that_its_server_makes() -> None:
    server: Any = AsyncServer(async_mode="asgi")
    server.create_queue = Unread
    assert type(AsyncSocket(server, "sid").queue) is Unread


async def test_a_socket_that_cannot_begin_while_redis_is_away_leaves_nothing_at_the_worker() -> None:
    left = list[str]()

    async def away(*_: Any) -> None:
        raise RedisConnectionError

    async def leave(sid: str, _namespace: str, *, ignore_queue: bool) -> None:
        left.append(sid)

    namespace = SimpleNamespace(
        namespace="/_event",
        on_connect=away,
        server=SimpleNamespace(manager=SimpleNamespace(disconnect=leave)),
        sid_to_token={"sid": "token"},
        _token_manager=SimpleNamespace(disconnect_token=away),
    )
    app._end_refused(namespace)
    with pytest.raises(RedisConnectionError):
        await namespace.on_connect("sid")
    assert left == ["sid"]


async def test_pages_of_a_crowd_load_in_turn_and_have_no_lock_before(monkeypatch: pytest.MonkeyPatch) -> None:
    locked, hanging = list[str](), asyncio.Event()

    @asynccontextmanager
    async def lock(token: Any, **_: Any) -> AsyncIterator[None]:
        locked.append(token.ident)
        await hanging.wait()
        yield

    monkeypatch.setattr(app, "is_here", lambda *_page: True)
    monkeypatch.setattr(app.state_manager, "modify_state_with_links", lock)
    for module, name in ((loads, "LONGEST_SECONDS"), (loads, "ROOM_SECONDS"), (low_priority, "ROUND_SECONDS")):
        monkeypatch.setattr(module, name, 60)
    crowd = [f"page {number}" for number in range(loads.AT_ONCE + 1)]
    async with app._setup_event_processor():
        for token in crowd:
            await app.event_processor.enqueue(token, Event(name=HYDRATE))
        await app.event_processor.enqueue("there", Event(name=f"{ShellState.get_full_name()}.close"))
        await eventually(lambda: len(locked) == len(crowd), "those that have turns, and a page that is there")
        for _ in range(200):
            await asyncio.sleep(0)
        assert sorted(locked) == sorted([*crowd[:-1], "there"])


async def test_the_framework_keeps_a_socket_whose_page_left_before_it_began() -> None:
    connecting, may_go_on = asyncio.Event(), asyncio.Event()
    server = socketio.AsyncServer(async_mode="asgi")

    async def connect(*_: Any) -> None:
        connecting.set()
        await may_go_on.wait()

    server.handlers["/_event"] = {"connect": connect}
    engine: Any = server.eio
    engine.sockets["low"] = AsyncSocket(engine, "low")
    await server._handle_eio_connect("low", {})
    beginning = asyncio.create_task(server._handle_connect("low", "/_event", {}))
    await connecting.wait()
    del engine.sockets["low"]
    await server._handle_eio_disconnect("low", "transport close")
    sid = server.manager.sid_from_eio_sid("low", "/_event")
    may_go_on.set()
    await beginning
    assert server.manager.is_connected(sid, "/_event")


def test_what_a_page_sends_of_reflexs_own_is_let_through() -> None:
    known = {
        f"{state.get_full_name()}.{handler}"
        for state in (State, OnLoadInternalState, FrontendEventExceptionState)
        for handler in state.event_handlers
    }
    assert known >= SENT_BY_REFLEX


def test_the_resume_id_is_kept_for_the_tab_under_our_name() -> None:
    field: Any = ResumeState.get_fields()["resume_id"].default
    assert (type(field), field.name) == (rx.SessionStorage, "walletmodal_resume")


def test_surprise_reloads_can_be_switched_off() -> None:
    assert isinstance(FrontendEventExceptionState.auto_reload_on_errors, list)


def test_the_first_event_of_a_socket_has_the_name_that_the_driver_uses() -> None:
    assert "hydrate" in State.event_handlers


def test_a_state_has_the_name_that_the_wire_uses() -> None:
    assert (
        BridgeState.get_full_name() == "reflex___state____state.walletmodal___features___bridge___state____bridge_state"
    )


def test_a_page_of_another_release_is_told_to_reload_by_what_it_connects_with() -> None:
    script = (Path(reflex_base.__file__).parent / ".templates/web/utils/state.js").read_text()
    assert f"{CompileVars.CONNECT_AUTH_STATE_SCHEMA}: app.stateSchema" in script
    assert f'"{SocketEvent.STATE_MISMATCH}"' in script
    assert "Date.now() - last_reload > info.reload_cooldown_ms" in script


async def test_the_framework_tells_a_page_that_comes_back_the_whole_state(driver: Driver) -> None:
    await driver.fire(State.hydrate)
    for _ in range(2):
        driver.deltas.clear()
        await driver.fire(State.hydrate_and_load)
        assert {one.get_full_name() for one in State.get_substates()} <= driver.deltas[0].keys()
