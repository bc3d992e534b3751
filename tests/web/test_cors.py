"""Other pages ask beforehand (CORS) in vain, and hear so in our form; what an answer varies by is named once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import reflex as rx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from tests.web import served
from walletmodal.reflex_internals.unread import Unread
from walletmodal.walletmodal import app
from walletmodal.web.cors import ModalApp, OwnCors

STRANGER = {"Origin": "https://stranger.example"}
PREFLIGHT = {**STRANGER, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}


async def told(_request: Request) -> Response:
    return PlainTextResponse("told", headers={"Vary": "Accept-Encoding, origin"})


@pytest.fixture
def as_reflex_has_it() -> ASGIApp:
    """Routes within Reflex's two layers of CORS."""
    inner = Starlette(routes=[Route("/", told, methods=["GET", "OPTIONS"])])
    outer = Starlette(routes=[Mount("/", inner)])
    add: Callable[[Starlette], None] = rx.App._add_cors
    add(inner)
    add(outer)
    return OwnCors(outer)


@pytest.mark.parametrize("path", ["/", "/v1/rpc", "/v1/browser", "/_event", "/nothing"])
async def test_what_a_strangers_page_asks_beforehand_is_refused_in_our_form(
    as_reflex_has_it: ASGIApp, path: str
) -> None:
    async with served.client(as_reflex_has_it) as client:
        answer = await client.options(path, headers=PREFLIGHT)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "origin_not_allowed")


async def test_the_refusal_has_the_headers_of_every_answer_and_opens_nothing(as_reflex_has_it: ASGIApp) -> None:
    async with served.client(as_reflex_has_it) as client:
        headers = (await client.options("/v1/rpc", headers=PREFLIGHT)).headers
    assert (headers["x-content-type-options"], headers["cache-control"], len(headers["x-request-id"])) == (
        "nosniff",
        "no-store",
        16,
    )
    assert not [name for name in headers if name.startswith("access-control-")]


@pytest.mark.parametrize("headers", [{}, STRANGER])
async def test_an_answer_names_once_what_it_varies_by(as_reflex_has_it: ASGIApp, headers: dict[str, str]) -> None:
    async with served.client(as_reflex_has_it) as client:
        answer = await client.get("/", headers=headers)
    assert [name.strip().lower() for name in answer.headers["vary"].split(",")] == ["accept-encoding", "origin"]


@pytest.mark.parametrize("headers", [{}, STRANGER])
async def test_what_is_no_such_question_goes_on(as_reflex_has_it: ASGIApp, headers: dict[str, str]) -> None:
    async with served.client(as_reflex_has_it) as client:
        assert (await client.options("/", headers=headers)).text == "told"


def test_the_app_is_served_that_way() -> None:
    assert isinstance(app, ModalApp)


def test_what_each_socket_is_told_is_counted() -> None:
    sockets: Any = app.sio
    assert sockets.eio.create_queue is Unread
