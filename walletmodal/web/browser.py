"""`POST /v1/browser`: the cookie by which a browser is known again, and a ticket that tells the page's state which browser it is.

A sign-in belongs to the cookie's secret. It is in no script's reach and in no state; the database has its SHA-256 alone.
"""

import json
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Final

from redis.exceptions import RedisError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.db.sign_ins import holder_key
from walletmodal.services.rate_limit import RateLimit
from walletmodal.services.sign_in.proofs import SESSION_LIFETIME
from walletmodal.web.answers import error_response, json_response
from walletmodal.web.origin import is_from_own_page
from walletmodal.web.sessions import OPENED

PATH: Final = "/v1/browser"
COOKIE: Final = "__Host-walletmodal"
"""The prefix has browsers refuse it from another host, from plain http, and for a part of ours alone."""
RATE: Final = OPENED
"""As often as an address may open a socket at one worker: where sessions are lost, all of its pages ask at once."""

Issue = Callable[[str], Awaitable[str]]
"""A ticket for a `holder_key`; raises SignInUnavailableError."""

_BYTES: Final = 32
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_MAX_BODY_BYTES: Final = 64

_log: Final = logging.getLogger(__name__)


class BrowserEndpoint:
    """The route's handler.

    Args:
        issue: makes tickets.
        limit: how often a client may ask.
        client_name: who a request comes from, for the limit.
        lifetime: of the cookie, from now on: as long as a sign-in lasts.
    """

    def __init__(
        self,
        *,
        issue: Issue,
        limit: RateLimit,
        client_name: Callable[[Request], str],
        lifetime: timedelta = SESSION_LIFETIME,
    ) -> None:
        self._issue, self._limit, self._client_name, self._lifetime = issue, limit, client_name, lifetime

    async def __call__(self, request: Request) -> Response:
        """`{"ticket": …}` with the cookie, new or renewed; else `{"error": {"code", "message"}}` and no cookie."""
        if not is_from_own_page(request.headers):
            return error_response(403, "foreign", "Only the modal's own page may ask.")
        try:
            if not await self._limit.allows(self._client_name(request)):
                return error_response(429, "limited", "Too many requests. Try again in a moment.")
            if not await _is_empty_object(request):
                return error_response(400, "malformed", "The body must be {} of application/json.")
            known = request.cookies.get(COOKIE, "")
            secret = known if _SECRET.fullmatch(known) else secrets.token_urlsafe(_BYTES)
            answer = json_response({"ticket": await self._issue(holder_key(secret))})
        except (RedisError, OSError, SignInUnavailableError) as error:
            _log.warning("no ticket could be given out: %s", type(error).__name__)
            return error_response(503, "unavailable", "The service is not available.")
        answer.headers.append("Set-Cookie", self._cookie(secret))
        return answer

    def _cookie(self, secret: str) -> str:
        # Written by hand: the standard library knows `Partitioned` only since Python 3.14.
        seconds = int(self._lifetime.total_seconds())
        return f"{COOKIE}={secret}; Max-Age={seconds}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned"


def browser_routes(endpoint: BrowserEndpoint) -> Sequence[BaseRoute]:
    """The route; it answers 405 to other methods."""

    # Starlette takes an object with __call__ for an ASGI app.
    async def handle(request: Request) -> Response:
        return await endpoint(request)

    return [Route(PATH, handle, methods=["POST"]), Route(PATH, _wrong_method)]


async def _wrong_method(_request: Request) -> Response:
    refusal = error_response(405, "method_not_allowed", "Tickets are asked for with POST.")
    refusal.headers["Allow"] = "POST"
    return refusal


async def _is_empty_object(request: Request) -> bool:
    """A form of another page cannot send it: browsers ask first whether they may."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return False
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > _MAX_BODY_BYTES:
                return False
        return bool(json.loads(bytes(body)) == {})
    except (ClientDisconnect, ValueError):
        return False
