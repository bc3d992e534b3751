"""A JSON-RPC node on loopback that does as it is told, misbehaviour included. Bytes are written by hand: no library corrects them."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest_asyncio

Behaviour = Callable[[Any, asyncio.StreamWriter], Awaitable[None]]
"""What is done with a body: one call, or the list of a batch."""


def http(body: bytes, *, status: str = "200 OK", headers: str = "Content-Type: application/json\r\n") -> bytes:
    """An HTTP answer with the right length."""
    return f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


def answer(**fields: object) -> Behaviour:
    """Answers each call with a JSON-RPC object of these fields; the id is the call's unless given."""
    return each(lambda _call: fields)


def each(say: Callable[[dict[str, Any]], dict[str, Any]]) -> Behaviour:
    """Answers each call with the fields that `say` gives for it, a batch with a list of them."""

    def one(call: dict[str, Any]) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": call["id"], **say(call)}

    async def behave(request: Any, writer: asyncio.StreamWriter) -> None:
        found = [one(call) for call in request] if isinstance(request, list) else one(request)
        writer.write(http(json.dumps(found).encode()))

    return behave


def batches(change: Callable[[list[dict[str, Any]]], object]) -> Behaviour:
    """Answers every call with its own first parameter, but what a batch is answered with first goes through `change`."""

    async def behave(request: Any, writer: asyncio.StreamWriter) -> None:
        if not isinstance(request, list):
            await echo(request, writer)
            return
        right = [{"jsonrpc": "2.0", "id": call["id"], "result": call["params"][0]} for call in request]
        writer.write(http(json.dumps(change(right)).encode()))

    return behave


def at_most(size: int, refusal: bytes) -> Behaviour:
    """Answers every call with its own first parameter, and a batch of more than `size` with these bytes."""

    async def behave(request: Any, writer: asyncio.StreamWriter) -> None:
        if isinstance(request, list) and len(request) > size:
            writer.write(refusal)
        else:
            await echo(request, writer)

    return behave


echo: Behaviour = each(lambda call: {"result": call["params"][0]})
"""Answers every call with its own first parameter."""


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Does one after the other, and stays with the last."""
    left = list(behaviours)

    async def behave(request: Any, writer: asyncio.StreamWriter) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(request, writer)

    return behave


def send(raw: bytes) -> Behaviour:
    """Writes exactly these bytes."""

    async def behave(_request: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)

    return behave


def send_and_hang_up(raw: bytes) -> Behaviour:
    """Writes these bytes and closes the connection."""

    async def behave(_request: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        await writer.drain()
        writer.close()

    return behave


async def silence(_request: Any, _writer: asyncio.StreamWriter) -> None:
    """Never answers."""
    await asyncio.Event().wait()


async def endless(_request: Any, writer: asyncio.StreamWriter) -> None:
    """Sends a body that never ends, as fast as it is read."""
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        await writer.drain()


async def drip(_request: Any, writer: asyncio.StreamWriter) -> None:
    """Sends a byte at a time, so that no single read takes long."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)


@dataclass
class Node:
    """The node: set `behaviour`. `requests` are the calls that came, those of batches among them; `bodies` what came at a time;
    `connections` how many were opened.
    """

    behaviour: Behaviour = field(default_factory=lambda: answer(result="0x0"))
    requests: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Base URL."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def sizes(self) -> list[int]:
        """How many calls each body had; 0 is one call that was no list."""
        return [len(body) if isinstance(body, list) else 0 for body in self.bodies]

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop, connections included."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = next(
                    int(line.split(":")[1]) for line in head.lower().split("\r\n") if line.startswith("content-length")
                )
                request = json.loads(await reader.readexactly(length))
                self.bodies.append(request)
                self.requests.extend(request if isinstance(request, list) else [request])
                self.targets.append(head.split(" ", 2)[1])
                await self.behaviour(request, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()


@pytest_asyncio.fixture
async def node() -> AsyncIterator[Node]:
    """A node that runs until the end of the test."""
    node = Node()
    await node.start()
    yield node
    await node.stop()
