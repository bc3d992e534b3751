"""The answers that services and control share: JSON, refusals, bodies read with limits of size and time."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute

from walletmodal.core.parsing.strict_json import read_json

MAX_BODY: Final = 1_048_576
"""Bytes that a request's body may have."""

BODY_SECONDS: Final = 30.0
"""Seconds that a request's body may take to arrive."""

CORS: Final = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
    "access-control-allow-headers": "*, authorization",
    "access-control-expose-headers": "*",
    "access-control-max-age": "7200",
}
"""The public services answer every origin."""

_UNROUTED: Final = {404: ("path", "There is nothing at this path"), 405: ("method", "This path takes another method")}


class BodyTooLargeError(Exception):
    """A request's body is above MAX_BODY."""


def json_answer(content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with JSON; `headers` are added as they are."""
    body = json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Response(body.encode(errors="replace"), status, headers, "application/json")


def refusal(status: int, field: str, description: str, headers: Mapping[str, str] | None = None) -> Response:
    """Refuse in the shape of the public services: which field is wrong, and why."""
    reasons = [{"field": field, "description": description}]
    return json_answer({"status": "FAILED", "reasons": reasons}, status, headers)


def service_app(routes: Sequence[BaseRoute]) -> Starlette:
    """An application of these routes.

    Unknown paths and wrong methods are refused like everything else; what fails unforeseen is 500 with the
    text of the public services, and goes on to the server's log.
    """

    async def unrouted(_: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        headers = error.headers if isinstance(error, HTTPException) else None
        return refusal(status, *_UNROUTED.get(status, ("request", "The request is refused")), headers)

    async def failed(_: Request, __: Exception) -> Response:
        return PlainTextResponse("Internal server error", 500)

    app = Starlette(routes=routes, exception_handlers={HTTPException: unrouted, Exception: failed})
    # A redirect to the path with or without a slash would cost a cross-origin caller its request.
    app.router.redirect_slashes = False
    return app


async def read_body(request: Request, limit: int = MAX_BODY, seconds: float = BODY_SECONDS) -> bytes:
    """Read a request's body.

    Raises:
        BodyTooLargeError: it has more than `limit` bytes; the rest is not read.
        TimeoutError: it took longer than `seconds`.
        ClientDisconnect: the caller went away before its end.
    """
    body = bytearray()
    async with asyncio.timeout(seconds):
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                raise BodyTooLargeError
    return bytes(body)


def parse_json(body: bytes) -> object:
    """Parse JSON strictly: UTF-8, no number that is none, no nesting without end.

    Raises:
        ValueError: it is no such JSON.
    """
    return read_json(body)
