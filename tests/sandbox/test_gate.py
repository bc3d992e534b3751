"""The gate of every service: the log, CORS, limits of size and time, faults in front of a real server."""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from tests.patience import PATIENCE, patience
from walletmodal.sandbox.answers import MAX_BODY, json_answer, service_app
from walletmodal.sandbox.faults import Fault, FaultBook
from walletmodal.sandbox.gate import ServiceGate
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import LOOPBACK


async def _echo(request: Request) -> Response:
    return json_answer({"got": (await request.body()).decode(), "path": request.url.path})


async def _broken(_: Request) -> Response:
    raise RuntimeError("a fault of ours")


class _Served:
    """The gate around an echo, on a real socket; it waits so many seconds for a body."""

    def __init__(self, body_seconds: float = PATIENCE) -> None:
        self.faults = FaultBook()
        self.journal = Journal()
        routes = [Route("/{path:path}", _echo, methods=["GET", "POST", "HEAD"])]
        gate = ServiceGate(service_app(routes), "directory", self.faults, self.journal, body_seconds=body_seconds)
        listening = socket.create_server((LOOPBACK, 0))
        self.port: int = listening.getsockname()[1]
        self._server = HttpServer(Starlette(routes=[Mount("/directory", gate)]), [listening])

    @asynccontextmanager
    async def running(self) -> AsyncIterator[httpx.AsyncClient]:
        await self._server.start()
        try:
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{self.port}", trust_env=False, timeout=PATIENCE
            ) as client:
                yield client
        finally:
            await self._server.stop()


@pytest.fixture
def served() -> _Served:
    return _Served()


@pytest_asyncio.fixture
async def http(served: _Served) -> AsyncIterator[httpx.AsyncClient]:
    async with served.running() as client:
        yield client


async def test_a_preflight_is_answered_and_not_logged(served: _Served, http: httpx.AsyncClient) -> None:
    headers = {
        "origin": "https://host.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    answer = await http.options("/directory/x", headers=headers)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "POST" in answer.headers["access-control-allow-methods"]
    assert "*" in answer.headers["access-control-allow-headers"]
    assert served.journal.newest_last(None) == []


@pytest.mark.parametrize("path", ["/directory/x", "/directory/nowhere/at/all"])
async def test_every_answer_has_cors(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path, headers={"origin": "https://host.example"})
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_the_log_has_the_fields_of_the_contract(served: _Served, http: httpx.AsyncClient) -> None:
    await http.post("/directory/a/b?x=1&x=2&y=", json={"k": [1]}, headers={"X-Mark": "m"})
    [logged] = served.journal.newest_last("directory")
    assert set(logged) == {"service", "method", "path", "query", "headers", "body", "at"}
    assert (logged["service"], logged["method"], logged["path"]) == ("directory", "POST", "/a/b")
    assert logged["query"] == {"x": "2", "y": ""}
    assert logged["body"] == {"k": [1]}
    headers = logged["headers"]
    assert isinstance(headers, Mapping)
    assert headers["x-mark"] == "m"


async def test_the_log_can_always_be_told_as_json(served: _Served, http: httpx.AsyncClient) -> None:
    for body in (b"1e999", b"\xff\xfe\x00", b"[" * 50_000, b'"\\ud800"'):
        await http.post("/directory/x", content=body, headers={b"x-odd": "é".encode("latin-1")})
    assert json_answer(served.journal.newest_last(None)).status_code == 200


async def test_a_huge_body_is_refused_and_logged(served: _Served, http: httpx.AsyncClient) -> None:
    answer = await http.post("/directory/x", content=b"x" * (MAX_BODY + 1))
    assert answer.status_code == 413
    assert answer.json()["reasons"][0]["field"] == "body"
    assert len(served.journal.newest_last("directory")) == 1


async def test_a_body_that_trickles_in_is_refused_in_time() -> None:
    impatient = _Served(body_seconds=0.3)
    async with impatient.running():
        reader, writer = await asyncio.open_connection("127.0.0.1", impatient.port)
        writer.write(b"POST /directory/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nabc")
        await writer.drain()
        async with patience():
            answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 408 ")


async def test_a_caller_that_leaves_mid_body_disturbs_nobody(served: _Served, http: httpx.AsyncClient) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(b"POST /directory/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nabc")
    await writer.drain()
    writer.transport.abort()
    assert (await http.get("/directory/x")).status_code == 200


async def test_an_unforeseen_failure_is_500_with_cors() -> None:
    gate = ServiceGate(service_app([Route("/broken", _broken)]), "directory", FaultBook(), Journal())
    transport = httpx.ASGITransport(Starlette(routes=[Mount("/directory", gate)]), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        answer = await client.get("/directory/broken")
    assert (answer.status_code, answer.text) == (500, "Internal server error")
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("status", [200, 201, 204, 304, 400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504])
async def test_every_status_can_be_ordered(served: _Served, http: httpx.AsyncClient, status: int) -> None:
    served.faults.add(Fault(service="directory", status=status, body={"why": "test"}))
    answer = await http.get("/directory/x")
    assert answer.status_code == status
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_a_fault_still_logs_the_request(served: _Served, http: httpx.AsyncClient) -> None:
    served.faults.add(Fault(service="directory", status=503))
    await http.get("/directory/x")
    assert len(served.journal.newest_last("directory")) == 1


async def test_a_delay_and_a_status_come_together(served: _Served, http: httpx.AsyncClient) -> None:
    served.faults.add(Fault(service="directory", status=503, delay_ms=60_000))
    with pytest.raises(httpx.ReadTimeout):
        await http.get("/directory/x", timeout=httpx.Timeout(PATIENCE, read=0.2))


async def test_a_dropped_connection_has_no_answer_and_the_next_is_served(
    served: _Served, http: httpx.AsyncClient
) -> None:
    served.faults.add(Fault(service="directory", drop=True, times=1))
    with pytest.raises(httpx.TransportError):
        await http.get("/directory/x")
    assert (await http.get("/directory/x")).status_code == 200
