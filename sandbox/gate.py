"""What every service stands behind: the request log, the faults, the limits on bodies, CORS."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walletmodal.sandbox.answers import BODY_SECONDS, CORS, MAX_BODY, BodyTooLargeError, json_answer, read_body, refusal
from walletmodal.sandbox.faults import Fault, FaultBook, Service
from walletmodal.sandbox.gateway import RpcCall, rpc_calls
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.server import ABORT

_WITHOUT_BODY: Final = frozenset({204, 205, 304})


class ServiceGate:
    """ASGI middleware around one service that is mounted under its own path.

    Args:
        app: the service.
        service: its name.
        faults: the faults that stand.
        journal: where requests are written down.
        body_seconds: how long a request's body may take to arrive.
        cors: whether pages of every origin may ask, as they may ask the public services.
    """

    def __init__(
        self,
        app: ASGIApp,
        service: Service,
        faults: FaultBook,
        journal: Journal,
        body_seconds: float = BODY_SECONDS,
        *,
        cors: bool = True,
    ) -> None:
        self._app = app
        self._service = service
        self._faults = faults
        self._journal = journal
        self._body_seconds = body_seconds
        self._cors = cors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Log the request, let a fault strike, or pass it on."""
        request = Request(scope, receive)
        if request.method == "OPTIONS" and self._cors:
            await Response(status_code=204, headers=CORS)(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", "")) or "/"
        try:
            body = await read_body(request, seconds=self._body_seconds)
        except ClientDisconnect:
            return
        except (BodyTooLargeError, TimeoutError) as error:
            self._write_down(request, path, b"")
            await _body_refused(error)(scope, receive, send)
            return
        self._write_down(request, path, body)
        calls = rpc_calls(body)
        fault = self._faults.strike(self._service, path, scope["path"], [one.method for one in calls])
        if fault is not None:
            await asyncio.sleep((fault.delay_ms or 0) / 1000)
            if fault.drop:
                if fault.after:
                    await self._app(scope, _replay(body, receive), _nowhere)
                await _drop(scope, receive)
                return
            if fault.replaces_answer:
                await _answer_of(fault, calls)(scope, receive, send)
                return
        await self._app(scope, _replay(body, receive), _with_cors(send) if self._cors else send)

    def _write_down(self, request: Request, path: str, body: bytes) -> None:
        self._journal.add(
            service=self._service,
            method=request.method,
            path=path,
            query=dict(request.query_params),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=body,
        )


def _body_refused(error: BodyTooLargeError | TimeoutError) -> Response:
    # The rest of the body is never read, so the connection cannot carry another request.
    headers = {**CORS, "connection": "close"}
    if isinstance(error, TimeoutError):
        return refusal(408, "body", "The body took too long to arrive", headers)
    return refusal(413, "body", f"A body has at most {MAX_BODY} bytes", headers)


def _answer_of(fault: Fault, calls: Sequence[RpcCall]) -> Response:
    status = fault.status or 200
    if status in _WITHOUT_BODY:
        return Response(status_code=status, headers=CORS)
    if isinstance(fault.body, str):
        return Response(fault.body.encode(errors="replace"), status, CORS, "application/json")
    if "body" in fault.model_fields_set:
        body = fault.body
        if fault.method is not None and isinstance(body, dict):
            asked = next(one for one in calls if one.method == fault.method)
            body = {"id": asked.request_id, **body}
        return json_answer(body, status, CORS)
    return refusal(status, "sandbox", "A fault was switched on for this request", CORS)


async def _drop(scope: Scope, receive: Receive) -> None:
    abort: Callable[[], None] = scope[ABORT]
    abort()
    while (await receive())["type"] != "http.disconnect":
        pass


async def _nowhere(_: Message) -> None:
    """Take an answer that nobody gets."""


def _replay(body: bytes, receive: Receive) -> Receive:
    unread = True

    async def replayed() -> Message:
        nonlocal unread
        if unread:
            unread = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return replayed


def _with_cors(send: Send) -> Send:
    added = [(name.encode(), value.encode()) for name, value in CORS.items()]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return sending
