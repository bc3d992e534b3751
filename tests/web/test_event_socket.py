"""What may be said on the event socket."""

from __future__ import annotations

import asyncio
import json
from weakref import ref

import pytest
from starlette.types import Message, Receive, Scope, Send

from tests.web.event_socket_world import (
    INIT,
    LOADED,
    OPEN,
    OWN,
    Page,
    World,
    event,
)
from walletmodal.core.protocol.limits import MAX_NODES
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.web.packets import MAX_EVENT, MAX_OPENING


async def test_what_a_page_says_reaches_the_framework(world: World) -> None:
    said = [LOADED, event(INIT), event(), '42/_event,["client_error",{"message":"x"}]', "41/_event,"]
    await world.open(*said)
    assert world.framework.heard == said


@pytest.mark.parametrize(
    "packet",
    [
        '42/_event,["connect",{"QUERY_STRING":"token=other"}]',
        '42/_event,["disconnect"]',
        '42/_event,["ping"]',
        '42/_event,["event"]',
        f"{event()[:-1]},{{}}]",
        event().replace("42/_event,", "42/_event,7"),
        event().replace("42/_event,", "42"),
        event().replace("42/_event,", "42/other,"),
        '451-/_event,["event",{"_placeholder":true,"num":0}]',
        "43/_event,1[]",
        "44/_event,{}",
        "40/_event,",
        "42/_event,",
        "42/_event,[",
        "0",
        "1",
        "2probe",
        "5",
        "4",
        "x",
        "",
        b"",
        b"x",
    ],
    ids=repr,
)
async def test_what_no_page_says_ends_the_socket_unseen(world: World, packet: str | bytes) -> None:
    page = await world.open(LOADED, packet, event())
    await page.ended()
    assert (world.framework.heard, page.refused) == ([LOADED], True)


@pytest.mark.parametrize(
    "first", [event(), "41/_event", "40/_event,[]", "40/_event,{", "40", f"{OPEN}{'x' * MAX_OPENING}"]
)
async def test_a_socket_begins_with_the_namespace(world: World, first: str) -> None:
    page = await world.open(first)
    await page.ended()
    assert (world.framework.heard, page.refused) == ([], True)


async def test_who_has_left_the_namespace_does_not_come_back(world: World) -> None:
    page = await world.open(LOADED, "41/_event", OPEN)
    await page.ended()
    assert world.framework.heard == [LOADED, "41/_event"]


@pytest.mark.parametrize("token", ["", "x" * 129, "a%20b", "a%0ab"])
async def test_a_session_has_a_short_name(world: World, token: str) -> None:
    page = await world.open(LOADED, token=token)
    await page.ended()
    assert world.framework.heard == []


@pytest.mark.parametrize(
    "packet",
    [
        event(payload={"x": "y" * MAX_EVENT}),
        event(payload={"x": [[]] * MAX_NODES}),
        event(payload={"x": json.loads("[" * 60 + "]" * 60)}),
        event("reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal"),
        event("reflex___state____state.hydrate"),
        event(f"{OWN}.setvar"),
        event(f"{OWN}.no_such_event"),
        event().replace('"router_data": {}', f'"router_data": {{"x": "{"y" * MAX_OPENING}"}}'),
        event().replace('"router_data": {}', f'"router_data": {json.dumps([[]] * 6_000)}'),
        event(HYDRATE, {"vars": "x" * MAX_OPENING}),
        event().replace('"router_data": {}', '"router_data": []'),
        event().replace('"router_data": {}', '"router_data": {"pathname": 7}'),
        event().replace('"router_data": {}', '"router_data": {"query": [7]}'),
        event().replace('"payload": {}', '"payload": [7]'),
        '42/_event,["event",7]',
        '42/_event,["event",{"name":7}]',
        "2",
        "3",
    ],
    ids=lambda packet: packet[:60],
)
async def test_what_a_page_could_be_brought_to_say_is_left_out(world: World, packet: str) -> None:
    await world.open(LOADED, packet, event())
    assert world.framework.heard == [LOADED, event()]


class _Said(str):
    """A text that can be looked for."""

    __slots__ = ("__weakref__",)


async def test_nothing_is_kept_of_what_is_left_out(world: World) -> None:
    page = await world.open(LOADED)
    said = [_Said(event(payload={"x": "x" * MAX_EVENT}))]
    kept = ref(said[0])
    page.say(said.pop())
    await page.settled()
    assert (world.framework.heard, kept()) == ([LOADED], None)


async def test_a_socket_that_begins_with_a_large_address_is_refused(world: World) -> None:
    first = {"name": HYDRATE, "payload": {}, "router_data": {"x": [0] * 4_000, "y": "z" * MAX_OPENING}}
    page = await world.open(OPEN + json.dumps({"event": first}))
    await page.ended()
    assert world.framework.heard == []


async def test_a_page_that_could_not_be_told_something_is_heard_no_more(world: World) -> None:
    page = await world.open(LOADED)
    world.framework.answers, page.refuses = "42", True
    page.say(event())
    await page.ended()
    assert page.refused


async def test_a_socket_that_the_framework_closes_is_heard_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def close(_scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})
        hearing = asyncio.ensure_future(receive())
        await asyncio.sleep(0)
        await send({"type": "websocket.close"})
        assert (await hearing)["type"] == "websocket.disconnect"

    monkeypatch.setattr(world.sockets, "_app", close)
    page = await world.open()
    await page.ended()
    assert page.got[1:] == [{"type": "websocket.close"}]


async def test_half_a_character_is_let_through(world: World) -> None:
    said = event(payload={"name": "\ud83d"})
    await world.open(LOADED, said)
    assert world.framework.heard[-1] == said


async def test_a_message_with_a_large_picture_is_let_through(world: World) -> None:
    said = event(payload={"icon": "data:image/svg+xml,<svg>" + "M1,2 L[3,4] " * 15_000})
    await world.open(LOADED, said)
    assert world.framework.heard[-1] == said


async def test_long_polling_is_answered_without_the_framework(world: World) -> None:
    got: list[Message] = []

    async def send(message: Message) -> None:
        got.append(message)

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    await world.sockets({"type": "http", "path": "/_event/", "method": "POST", "headers": []}, receive, send)
    assert (got[0]["status"], world.framework.scopes) == (400, [])


async def test_other_sockets_are_not_looked_at(world: World) -> None:
    scope = {"type": "websocket", "path": "/relay"}
    page = Page(world.sockets, scope)
    page.say("anything")
    await page.leave()
    assert (world.framework.scopes[0] is scope, world.framework.heard) == (True, ["anything"])


async def test_the_framework_learns_the_visitors_address_and_no_cookie(world: World) -> None:
    headers = [(b"x-forwarded-for", b"203.0.113.9"), (b"cookie", b"secret"), (b"host", b"h"), (b"x", b"y" * 10_000)]
    await world.open(LOADED, peer="127.0.0.1", headers=headers)
    (scope,) = world.framework.scopes
    assert (scope["client"][0], scope["headers"]) == ("203.0.113.9", [(b"host", b"h")])
