"""The relay on its websocket: who is let in, what is answered, and the faults that tests switch on."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NoReturn

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.sandbox.answers import parse_json, refusal
from walletmodal.sandbox.faults import DELIVERY, Fault, FaultBook
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.relay.client import EndedError, RelayClient
from walletmodal.sandbox.relay.exchange import CallRefusedError, Exchange
from walletmodal.sandbox.relay.mail import Mail
from walletmodal.sandbox.relay.refusals import RefusedError, refusal_of
from walletmodal.sandbox.relay.tokens import TokenRefusedError, client_of
from walletmodal.sandbox.server import ABORT

MAX_FRAME: Final = 2**21
"""Bytes of one frame of a client."""

MAX_CONNECTIONS: Final = 200

CONNECT: Final = "/connect"
"""The path by which faults and the request log name a connection; a call's is `/` with its method."""

_REFUSED: Final = 3000
_ERROR: Final = -32000
_PARSE_ERROR: Final = -32700
_INVALID_REQUEST: Final = -32600
_RESTARTED: Final = 1012
_PATHS: Final = frozenset({"/relay", "/relay/"})


class _Dropped(Exception):  # noqa: N818 - no failure of ours: a test has asked for it
    """A fault has cut the connection."""


class RelayService:
    """An ASGI application for websockets at `/relay`.

    Args:
        faults: the faults that stand.
        journal: where connections and calls are written down.
        clock: by which mail and tokens expire.
    """

    def __init__(self, faults: FaultBook, journal: Journal, clock: Clock | None = None) -> None:
        self._faults = faults
        self._journal = journal
        self._clock = clock or SystemClock()
        self._exchange = Exchange(self._clock)
        self._connections: dict[WebSocket, RelayClient] = {}
        self._pending = 0
        self._numbers = itertools.count(time.time_ns() // 1000)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection until it ends."""
        socket = WebSocket(scope, receive, send)
        if scope["path"] not in _PATHS:
            await socket.send_denial_response(refusal(404, "path", "There is no websocket at this path"))
            return
        if len(self._connections) + self._pending >= MAX_CONNECTIONS:
            await socket.send_denial_response(refusal(503, "connections", f"At most {MAX_CONNECTIONS} at a time"))
            return
        self._write_down("GET", CONNECT, socket, b"")
        self._pending += 1
        try:
            client = await self._admit(socket)
        finally:
            self._pending -= 1
        if client is not None:
            await self._serve(socket, client)

    def reset(self) -> None:
        """Forget all mail and every subscription, and end the connections: clients come back and subscribe again."""
        self._exchange.clear()
        for client in self._connections.values():
            client.end(_RESTARTED, "The relay was reset")

    async def _admit(self, socket: WebSocket) -> RelayClient | None:
        fault = self._faults.strike("relay", CONNECT, f"/relay{CONNECT}")
        if fault is not None:
            await asyncio.sleep((fault.delay_ms or 0) / 1000)
            if fault.drop and not fault.after:
                _abort(socket)
                return None
            if fault.replaces_answer and fault.status not in (None, 401, 403):
                await socket.send_denial_response(refusal(fault.status or 500, "sandbox", "A fault was switched on"))
                return None
        await socket.accept()
        try:
            if fault is not None and fault.replaces_answer:
                raise refusal_of(fault.body)
            return RelayClient(client_of(socket.query_params.get("auth", ""), self._clock.now().timestamp()))
        except (RefusedError, TokenRefusedError) as error:
            await _refuse(socket, str(error))
            return None
        finally:
            if fault is not None and fault.drop:
                _abort(socket)

    async def _serve(self, socket: WebSocket, client: RelayClient) -> None:
        self._connections[socket] = client
        tasks = (asyncio.create_task(self._read(socket, client)), asyncio.create_task(self._write(socket, client)))
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                with suppress(WebSocketDisconnect):
                    task.result()
        except _Dropped:
            _abort(socket)
        except EndedError as error:
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(error.code, str(error))
        finally:
            del self._connections[socket]
            self._exchange.leave(client)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, socket: WebSocket, client: RelayClient) -> NoReturn:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message.get("code", 1005))
            text = message.get("text")
            await self._take(socket, client, text.encode() if text is not None else message.get("bytes") or b"")

    async def _take(self, socket: WebSocket, client: RelayClient, frame: bytes) -> None:
        try:
            asked = parse_json(frame)
        except ValueError:
            client.answer(_error(None, _PARSE_ERROR, "Parse error"))
            return
        if not isinstance(asked, dict):
            client.answer(_error(None, _INVALID_REQUEST, "Invalid Request"))
            return
        number, method = asked.get("id"), asked.get("method")
        if method is None and ("result" in asked or "error" in asked):
            client.confirm(number)
        elif not isinstance(method, str) or not isinstance(number, str | int) or isinstance(number, bool):
            client.answer(_error(None, _INVALID_REQUEST, "Invalid Request"))
        else:
            self._write_down("SEND", f"/{method[:100]}", socket, frame)
            await self._call(client, number, method, asked.get("params"))

    async def _call(self, client: RelayClient, number: str | int, method: str, params: object) -> None:
        fault = self._faults.strike("relay", f"/{method}", f"/relay/{method}")
        if fault is not None:
            await asyncio.sleep((fault.delay_ms or 0) / 1000)
            if fault.drop and not fault.after:
                raise _Dropped
            if fault.replaces_answer:
                client.answer(_answer_of(fault, number))
                return
        try:
            result, subscribed = self._exchange.call(client, method, params)
        except CallRefusedError as error:
            client.answer(_error(number, error.code, str(error)))
            return
        if fault is not None and fault.drop:
            raise _Dropped
        client.answer(_frame(id=number, result=result))
        self._exchange.hand_over(client, subscribed)

    async def _write(self, socket: WebSocket, client: RelayClient) -> NoReturn:
        late: set[asyncio.Task[None]] = set()
        try:
            while True:
                one = await client.next()
                if isinstance(one, str):
                    await _send(socket, one)
                elif (fault := self._faults.strike("relay", DELIVERY, f"/relay{DELIVERY}")) is None:
                    await self._deliver(socket, client, one)
                else:
                    # Mail that is late holds up neither answers nor other mail.
                    task = asyncio.create_task(self._deliver_badly(socket, client, one, fault))
                    late.add(task)
                    task.add_done_callback(late.discard)
        finally:
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _deliver(self, socket: WebSocket, client: RelayClient, mail: Mail) -> None:
        number = next(self._numbers)
        client.sent(number, mail)
        params = {"id": self._exchange.subscription(client, mail.topic), "data": mail.data}
        await _send(socket, _frame(id=number, method="irn_subscription", params=params))

    async def _deliver_badly(self, socket: WebSocket, client: RelayClient, mail: Mail, fault: Fault) -> None:
        await asyncio.sleep((fault.delay_ms or 0) / 1000)
        if fault.drop and not fault.after:
            mail.held_by(client.name)
            return
        with suppress(WebSocketDisconnect):
            for _ in range(2 if fault.repeat else 1):
                await self._deliver(socket, client, mail)
        if fault.drop:
            _abort(socket)

    def _write_down(self, method: str, path: str, socket: WebSocket, body: bytes) -> None:
        self._journal.add(
            service="relay",
            method=method,
            path=path,
            query=dict(socket.query_params),
            headers={name.lower(): value for name, value in socket.headers.items()},
            body=body,
        )


async def _refuse(socket: WebSocket, reason: str) -> None:
    """Turn a client away as the public relay does: let in, told, and closed with the code 3000."""
    with suppress(RuntimeError, WebSocketDisconnect):
        await _send(socket, _error(0, _REFUSED, reason))
        await socket.close(_REFUSED, reason.encode()[:120].decode(errors="ignore"))


async def _send(socket: WebSocket, text: str) -> None:
    try:
        await socket.send_text(text)
    except RuntimeError as error:
        # What Starlette says of a socket that was closed meanwhile.
        raise WebSocketDisconnect(1006) from error


def _frame(**members: object) -> str:
    return json.dumps({"jsonrpc": "2.0", **members}, separators=(",", ":"))


def _error(number: str | int | None, code: int, message: str) -> str:
    return _frame(id=number, error={"code": code, "message": message})


def _answer_of(fault: Fault, number: str | int) -> str:
    if fault.status is not None:
        text = fault.body if isinstance(fault.body, str) else "A fault was switched on for this request"
        return _error(number, _ERROR, text)
    return fault.body if isinstance(fault.body, str) else _frame(id=number, result=fault.body)


def _abort(socket: WebSocket) -> None:
    abort: Callable[[], None] = socket.scope[ABORT]
    abort()
