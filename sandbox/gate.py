"""What every service stands behind: the request log, the faults, the limit on bodies, CORS."""

import asyncio
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.answers import CORS, MAX_BODY, BodyTooLargeError, json_answer, read_body, refusal
from sandbox.faults import Fault, FaultBook, Service
from sandbox.journal import Journal
from sandbox.server import ABORT


class ServiceGate:
    """ASGI middleware around one service that is mounted under its own path.

    Args:
        app: the service.
        service: its name.
        faults: the faults that stand.
        journal: where requests are written down.
    """

    def __init__(self, app: ASGIApp, service: Service, faults: FaultBook, journal: Journal) -> None:
        self._app = app
        self._service = service
        self._faults = faults
        self._journal = journal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Log the request, let a fault strike, or pass it on."""
        request = Request(scope, receive)
        if request.method == "OPTIONS":
            await Response(status_code=204, headers=CORS)(scope, receive, send)
            return
        try:
            body = await read_body(request)
        except BodyTooLargeError:
            too_large = refusal(413, "body", f"A body has at most {MAX_BODY} bytes", CORS)
            await too_large(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", "")) or "/"
        self._journal.add(
            service=self._service,
            method=request.method,
            path=path,
            query=dict(request.query_params),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=body,
        )
        fault = self._faults.strike(self._service, path, scope["path"])
        if fault is None:
            await self._app(scope, _replay(body, receive), _with_cors(send))
            return
        await asyncio.sleep((fault.delay_ms or 0) / 1000)
        if fault.drop:
            await _drop(scope, receive)
        elif fault.replaces_answer:
            await _answer_of(fault)(scope, receive, send)
        else:
            await self._app(scope, _replay(body, receive), _with_cors(send))


def _answer_of(fault: Fault) -> Response:
    status = fault.status or 200
    if isinstance(fault.body, str):
        return Response(fault.body.encode(), status, CORS, "application/json")
    if "body" in fault.model_fields_set:
        return json_answer(fault.body, status, CORS)
    if status in (204, 304):
        return Response(status_code=status, headers=CORS)
    return refusal(status, "sandbox", "A fault was switched on for this request", CORS)


async def _drop(scope: Scope, receive: Receive) -> None:
    abort: Callable[[], None] = scope[ABORT]
    abort()
    while (await receive())["type"] != "http.disconnect":
        pass


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
