"""An outside service on loopback that answers as a test tells it and remembers what it was asked. Bytes are written by hand."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest_asyncio

from tests.patience import PATIENCE, patience
from tests.services.node import Behaviour, http, send
from walletmodal.services.http import Caller, HttpService
from walletmodal.services.rpc import rpc_http_client

CALLER = Caller("https://app.example", "project-1")
SDK = "python-eip155-0.1.0"
SUPPORTED = {"http": ["eip155:1", "eip155:137", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"], "ws": []}


@dataclass(frozen=True)
class Asked:
    """One request; header names in lower case, the body as JSON or None."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


def gives(value: object, *, status: str = "200 OK") -> Behaviour:
    """Answers with JSON."""
    return send(http(json.dumps(value).encode(), status=status))


def refuses(status: int, *reasons: tuple[str, str]) -> Behaviour:
    """Answers with an error body as the blockchain service does."""
    rows = [{"field": name, "description": text} for name, text in reasons]
    return gives({"status": "FAILED", "reasons": rows}, status=f"{status} No")


@dataclass
class Outside:
    """The service: set `answers` by path; any other path is answered with 404."""

    answers: dict[str, Behaviour] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    port: int = 0
    connections: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Base URL."""
        return f"http://127.0.0.1:{self.port}"

    def paths(self, path: str) -> list[Asked]:
        """The requests for a path."""
        return [request for request in self.asked if request.path == path]

    @property
    def last(self) -> Asked:
        """The newest request."""
        return self.asked[-1]

    async def arrived(self, count: int = 1) -> None:
        """Returns when so many requests have come."""
        async with patience():
            while len(self.asked) < count:
                await asyncio.sleep(0.001)

    @asynccontextmanager
    async def running(self, tls: ssl.SSLContext | None = None) -> AsyncIterator["Outside"]:
        """Listens on a free port."""
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while not writer.is_closing():
                request = await _request(reader)
                self.asked.append(request)
                behaviour = self.answers.get(request.path, refuses(404))
                await behaviour({}, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()


async def _request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in head[1:] if line}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return Asked(method, parts.path, query, headers, json.loads(body) if body else None)


@pytest_asyncio.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """The product's client, with more patience."""
    async with rpc_http_client() as client:
        client.timeout = httpx.Timeout(PATIENCE)
        yield client


def way(client: httpx.AsyncClient, outside: Outside, service: Any = "directory", **options: Any) -> HttpService:
    """The product's way to the service."""
    return HttpService(client, service, outside.url, sdk=SDK, **options)


def held(gate: asyncio.Event, then: Behaviour) -> Behaviour:
    """Answers when the gate opens."""

    async def behave(request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        await gate.wait()
        await then(request, writer)

    return behave


def counted(make: Callable[[int], Behaviour]) -> Behaviour:
    """Answers the n-th request, from 0, with `make(n)`."""
    seen = iter(range(10_000))

    async def behave(request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        await make(next(seen))(request, writer)

    return behave
