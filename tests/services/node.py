"""A JSON-RPC node on loopback that does as it is told, misbehaviour included. Bytes are written by hand: no library corrects them."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Behaviour = Callable[[dict[str, Any], asyncio.StreamWriter], Awaitable[None]]


def http(body: bytes, *, status: str = "200 OK", headers: str = "Content-Type: application/json\r\n") -> bytes:
    """An HTTP answer with the right length."""
    return f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


def answer(**fields: object) -> Behaviour:
    """Answers with a JSON-RPC object of these fields; the id is the request's unless given."""

    async def behave(request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(http(json.dumps({"jsonrpc": "2.0", "id": request["id"], **fields}).encode()))

    return behave


def send(raw: bytes) -> Behaviour:
    """Writes exactly these bytes."""

    async def behave(_request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(raw)

    return behave


def send_and_hang_up(raw: bytes) -> Behaviour:
    """Writes these bytes and closes the connection."""

    async def behave(_request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        await writer.drain()
        writer.close()

    return behave


async def silence(_request: dict[str, Any], _writer: asyncio.StreamWriter) -> None:
    """Never answers."""
    await asyncio.Event().wait()


async def endless(_request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
    """Sends a body that never ends, as fast as it is read."""
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        await writer.drain()


async def drip(_request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
    """Sends a byte at a time, so that no single read takes long."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)


@dataclass
class Node:
    """The node: set `behaviour`; `requests` are those that came, `connections` how many were opened."""

    behaviour: Behaviour = field(default_factory=lambda: answer(result="0x0"))
    requests: list[dict[str, Any]] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Base URL."""
        return f"http://127.0.0.1:{self.port}"

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
                self.requests.append(request)
                self.targets.append(head.split(" ", 2)[1])
                await self.behaviour(request, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()
