"""What is refused before anything else looks at it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Router, request_response
from starlette.types import Message, Receive, Scope, Send

from tests.patience import patience
from tests.web import served
from walletmodal.core.clock import MovableClock
from walletmodal.web.edge import MAX_BODY_BYTES, Edge

PUBLIC = "https://modal.example.com"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = served.build(tmp_path)
    (built / "gallery").mkdir()
    (built / "gallery" / "index.html").write_text("<!DOCTYPE html>")
    return built


@pytest.mark.parametrize("path", ["/", "/walletmodal.js", "/v1/rpc", "/v1/browser", "/images/wallet/x", "/nothing"])
async def test_a_name_that_was_pointed_here_is_not_answered(folder: Path, path: str) -> None:
    async with served.client(served.app(folder), host="rebound.example:3000") as client:
        answer = await client.get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (421, "another_host")
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "host",
    ["modal.example.com", "modal.example.com:443", "MODAL.example.com", "localhost:3000", "a.localhost", "127.0.0.1:3000",
     "[::1]:3000", "10.0.0.7:3000", "[2001:db8::7]"],
)  # fmt: skip
async def test_our_name_names_of_this_machine_and_addresses_are_answered(folder: Path, host: str) -> None:
    async with served.client(served.app(folder, public_url=PUBLIC)) as client:
        assert (await client.get("/", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host", ["modal.example.com:8443", "example.com", "xmodal.example.com", "modal.example.com.", "1.2.3"]
)
async def test_a_name_like_ours_is_another(folder: Path, host: str) -> None:
    async with served.client(served.app(folder, public_url=PUBLIC)) as client:
        assert (await client.get("/", headers={"Host": host})).status_code == 421


@pytest.mark.parametrize("path", ["/_health", "/.well-known/jwks.json", "/openapi.json"])
async def test_programs_ask_by_any_name(folder: Path, path: str) -> None:
    async with served.client(served.app(folder, public_url=PUBLIC), host="walletmodal") as client:
        assert (await client.get(path)).status_code == 200


@pytest.mark.parametrize("path", ["/v1/sessions/x", "/v1/accounts/eip155:1:0x0/balance"])
async def test_who_has_a_key_asks_by_any_name(folder: Path, path: str) -> None:
    async with served.client(served.app(folder, public_url=PUBLIC), host="walletmodal") as client:
        assert (await client.get(path)).status_code == 401


async def test_a_socket_by_another_name_is_not_opened() -> None:
    sent: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise AssertionError("nothing is passed on")

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    scope = {"type": "websocket", "path": "/_event/", "headers": [(b"host", b"rebound.example")]}
    await Edge(app, own_origin=PUBLIC)(scope, receive, send)
    assert [message["type"] for message in sent] == ["websocket.close"]


@pytest.mark.parametrize(
    "path",
    ["//gallery/", "//gallery", "/./gallery", "/gallery/.", "/gallery.html/", "/x/../gallery.html", "/%2fgallery/", "/gallery//",
     "/gallery/index.html", "/gallery\\", "/.//gallery.html"],
)  # fmt: skip
async def test_what_is_not_there_is_not_there_by_another_path(folder: Path, path: str) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
    }
    scope |= {"headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "root_path": "", "http_version": "1.1"}
    await served.app(folder)(scope, receive, send)
    assert sent[0]["status"] == 404


async def read(request: Request) -> Response:
    try:
        return PlainTextResponse(str(len(await request.body())))
    except ClientDisconnect:
        return PlainTextResponse("cut off", 500)


async def ignore(_request: Request) -> Response:
    return PlainTextResponse("ignored")


class Upload:
    """A request whose body comes as a test gives it."""

    def __init__(self, handler: Any = read, *, length: str = "") -> None:
        self.clock = MovableClock()
        self.body: asyncio.Queue[Message] = asyncio.Queue()
        self.answer: list[Message] = []
        self._app = Edge(Router(default=request_response(handler)), own_origin=PUBLIC, clock=self.clock)
        headers = [(b"host", b"localhost"), *([(b"content-length", length.encode())] if length else [])]
        headers += [] if length else [(b"transfer-encoding", b"chunked")]
        self._scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": "/v1/x",
            "headers": headers,
            "http_version": "1.1",
        }
        self._scope |= {"query_string": b"", "root_path": ""}
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        async def send(message: Message) -> None:
            self.answer.append(message)

        await self._app(self._scope, self.body.get, send)

    def part(self, content: bytes, *, more: bool = True) -> None:
        self.body.put_nowait({"type": "http.request", "body": content, "more_body": more})

    async def status(self) -> int:
        async with patience():
            await self.task
        return int(self.answer[0]["status"])


async def test_a_body_that_comes_is_read() -> None:
    upload = Upload()
    upload.part(b"ab")
    upload.part(b"c", more=False)
    assert (await upload.status(), upload.answer[1]["body"]) == (200, b"3")


async def test_a_body_that_drips_ends_after_ten_seconds_in_all() -> None:
    upload = Upload()
    for _ in range(10):
        upload.part(b"x")
        await upload.clock.asleep()
        while upload.body.qsize():
            await asyncio.sleep(0)
        upload.clock.advance(1)
    assert await upload.status() == 408


async def test_a_route_that_reads_no_body_does_not_wait_for_one() -> None:
    assert await Upload(ignore).status() == 200


async def test_a_body_has_a_size_however_it_comes() -> None:
    upload = Upload()
    for _ in range(3):
        upload.part(b"x" * (MAX_BODY_BYTES // 2))
    assert await upload.status() == 413


@pytest.mark.parametrize("length", [str(MAX_BODY_BYTES + 1), "9" * 5_000, "-1", "x"])
async def test_a_body_that_is_announced_as_too_large_is_not_awaited(length: str) -> None:
    assert await Upload(length=length).status() == 413
