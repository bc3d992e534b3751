"""Ids of requests: in every answer, in what is logged meanwhile, and a proxy's where it can be believed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client import REGISTRY
from reflex_base.event.context import EventContext
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router
from starlette.types import Message

from tests.web import served
from walletmodal.logs import request_ids
from walletmodal.web.event_ids import working_ids
from walletmodal.web.request_ids import HEADER, RequestIds

Given = Sequence[tuple[str, str]]


def unused() -> EventContext:
    """The context from which Reflex makes those of events; nothing of it is used here but the ids."""
    nothing: Any = None
    return EventContext(token="", txid="", state_manager=nothing, enqueue_impl=nothing)


async def ids(peer: str, given: Given, path: Path) -> str:
    async with served.client(served.app(path), peer=peer) as client:
        return str((await client.get("/_health", headers=httpx.Headers(list(given)))).headers[HEADER])


@pytest.mark.parametrize(
    "path", ["/", "/assets/a-1b2c.js", "/_health", "/v1/sessions/x", "/nothing", "/a/..%2f", "/images/x/y"]
)
async def test_every_answer_has_an_id_of_its_own(tmp_path: Path, path: str) -> None:
    async with served.client(served.app(served.build(tmp_path))) as client:
        found = [(await client.get(path)).headers[HEADER] for _ in range(2)]
    assert len(set(found)) == 2
    assert all(len(one) == 16 for one in found)


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1"])
async def test_a_proxy_on_this_machine_names_the_request(tmp_path: Path, peer: str) -> None:
    assert await ids(peer, [(HEADER, "0123-proxy.name_A")], tmp_path) == "0123-proxy.name_A"


@pytest.mark.parametrize(
    ("peer", "given"),
    [
        ("203.0.113.5", [(HEADER, "0123456789")]),
        ("127.0.0.1", [(HEADER, "short")]),
        ("127.0.0.1", [(HEADER, "x" * 65)]),
        ("127.0.0.1", [(HEADER, "-0123456789")]),
        ("127.0.0.1", [(HEADER, "0123456789 forged")]),
        ("127.0.0.1", [(HEADER, 'x"}, {"level": "ERROR')]),
        ("127.0.0.1", [(HEADER, "0123456789"), (HEADER, "abcdefghij")]),
        ("127.0.0.1", []),
    ],
)
async def test_nobody_else_names_it(tmp_path: Path, peer: str, given: Given) -> None:
    found = await ids(peer, given, tmp_path)
    assert found not in {name for _, name in given}
    assert len(found) == 16


async def test_what_is_logged_meanwhile_belongs_to_the_request_and_to_no_other() -> None:
    async def logged(_request: Request) -> PlainTextResponse:
        before = request_ids()["request_id"]
        await asyncio.sleep(0)
        return PlainTextResponse(before if request_ids()["request_id"] == before else "")

    app = RequestIds(Router([Route("/", logged)]))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        answers = await asyncio.gather(*(client.get("/") for _ in range(20)))
    assert [answer.text for answer in answers] == [answer.headers[HEADER] for answer in answers]
    assert request_ids() == {}


async def test_a_socket_has_an_id_too() -> None:
    found: list[str] = []

    async def inner(*_args: object) -> None:
        found.append(request_ids()["request_id"])

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(_message: Message) -> None:
        return None

    await RequestIds(inner)({"type": "websocket", "headers": [], "client": None}, receive, send)
    assert len(found[0]) == 16


async def test_sockets_are_counted_as_long_as_they_are_open() -> None:
    found: list[float | None] = []

    async def inner(*_args: object) -> None:
        found.append(REGISTRY.get_sample_value("walletmodal_open_sockets"))
        raise ConnectionError

    for _ in range(2):
        with pytest.raises(ConnectionError):
            await RequestIds(inner)({"type": "websocket", "headers": [], "client": None}, None, None)  # type: ignore[arg-type]  # not used
    assert found == [1.0, 1.0]
    assert REGISTRY.get_sample_value("walletmodal_open_sockets") == 0.0


async def test_an_event_is_told_by_its_own_id_and_by_that_of_the_one_before() -> None:
    root = unused()
    with root:
        assert working_ids() == request_ids()
        first = root.fork(token="visitor")
        with first:
            assert working_ids()["event_id"] == first.txid
            then = first.fork()
            with then:
                assert working_ids() == {"event_id": then.txid, "after": first.txid}


async def test_what_hands_out_events_belongs_to_none() -> None:
    root = unused()

    async def told() -> dict[str, str]:
        with root:
            return dict(working_ids())

    async def inner(*_args: object) -> None:
        name = "reflex_event_queue_processor|1"
        assert await asyncio.create_task(told(), name=name) == {}
        assert "request_id" in await asyncio.create_task(told())

    await RequestIds(inner)({"type": "websocket", "headers": [], "client": None}, None, None)  # type: ignore[arg-type]  # not used


def test_where_no_loop_runs_there_is_no_event() -> None:
    assert working_ids() == {}
