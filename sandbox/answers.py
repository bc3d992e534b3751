"""The answers that services and control share: JSON, refusals, bodies read with a limit."""

import json
from collections.abc import Mapping

from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

MAX_BODY = 1_048_576
"""Bytes that a request's body may have."""

CORS = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
    "access-control-allow-headers": "*, authorization",
    "access-control-max-age": "7200",
}
"""The public services answer every origin."""


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


async def read_body(request: Request, limit: int = MAX_BODY) -> bytes:
    """Read a request's body.

    Raises:
        BodyTooLargeError: it has more than `limit` bytes; the rest is not read.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise BodyTooLargeError
    return bytes(body)


def parse_json(body: bytes) -> object:
    """Parse JSON strictly: UTF-8, no NaN or Infinity, no nesting without end.

    Raises:
        ValueError: it is no such JSON.
    """
    # The standard library's parser recurses as deep as the interpreter's limit lets it; a library
    # that raised the limit turns a body of brackets into a crash. This one has a limit of its own.
    parsed: object = from_json(body, allow_inf_nan=False)
    return parsed
