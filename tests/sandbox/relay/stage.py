"""A relay on a socket of its own, without chains, and plain websocket clients of it."""

import asyncio
import itertools
import json
import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Self

from solders.keypair import Keypair
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect

from tests.patience import PATIENCE, patience
from tests.sandbox.relay.tokens import token
from walletmodal.sandbox.faults import Fault, FaultBook
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.relay.service import MAX_FRAME, RelayService
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import LOOPBACK


class RelayStage:
    """A running relay.

    Attributes:
        faults, journal: its own.
        url: where clients reach it.
    """

    def __init__(self) -> None:
        self.faults, self.journal = FaultBook(), Journal()
        self.service = RelayService(self.faults, self.journal)
        listening = socket.create_server((LOOPBACK, 0))
        self.port: int = listening.getsockname()[1]
        self.url = f"ws://localhost:{self.port}/relay"
        self._http = Starlette()
        self._server = HttpServer(self, [listening], MAX_FRAME)

    async def __aenter__(self) -> Self:
        await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self.service if scope["type"] == "websocket" else self._http)(scope, receive, send)

    def heal(self) -> None:
        """No faults, no mail, no connections, an empty log."""
        self.faults.clear()
        self.service.reset()
        self.journal.clear()

    def fail(self, **fault: object) -> None:
        """Switch a fault on."""
        self.faults.add(Fault.model_validate({"service": "relay", **fault}))

    def calls(self) -> list[str]:
        """The paths of what was asked, in order."""
        return [str(one["path"]) for one in self.journal.newest_last("relay")]

    async def said(self, path: str, *, count: int) -> None:
        """Wait until this has been asked so many times."""
        async with patience():
            while self.calls().count(path) < count:
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def client(
        self, key: Keypair | None = None, *, path: str = "", **claims: object
    ) -> AsyncIterator["RawClient"]:
        """A plain client; `claims` replace those of its token."""
        auth = token(key or Keypair(), **{"aud": self.url, **claims})
        url = f"ws://127.0.0.1:{self.port}/relay{path}?auth={auth}&projectId=test"
        async with connect(url, open_timeout=PATIENCE, max_size=2**25, compression=None) as connection:
            yield RawClient(connection)


class RawClient:
    """JSON-RPC by hand."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._numbers = itertools.count(1)
        self.mail: list[Mapping[str, Any]] = []

    async def call(self, method: str, **params: object) -> Any:
        """The result of a call, or its error as it came. Mail that comes before it is kept in `mail`."""
        number = str(next(self._numbers))
        await self.send({"id": number, "jsonrpc": "2.0", "method": method, "params": params})
        while True:
            frame = await self.receive()
            if frame.get("id") == number:
                return frame["error"] if "error" in frame else frame["result"]
            self.mail.append(frame)

    async def delivered(self, *, confirm: bool = True) -> Mapping[str, Any]:
        """The next mail; the relay is told that it arrived."""
        frame = self.mail.pop(0) if self.mail else await self.receive()
        assert frame["method"] == "irn_subscription"
        if confirm:
            await self.send({"id": frame["id"], "jsonrpc": "2.0", "result": True})
        data: Mapping[str, Any] = frame["params"]["data"]
        return data

    async def send(self, frame: object) -> None:
        """Send a frame: a text as it is, anything else as JSON."""
        await self.connection.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))

    async def receive(self) -> dict[str, Any]:
        """The next frame."""
        async with patience():
            frame: dict[str, Any] = json.loads(await self.connection.recv())
            return frame


def topic() -> str:
    """A topic that nobody else has."""
    return secrets.token_hex(32)
