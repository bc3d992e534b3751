"""One outside service: how each call to it is made, and how much of its answer is read."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Final, TypeVar
from urllib.parse import quote, urlencode

import httpx

from walletmodal.core.constants import HTTP_TIMEOUT
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    ProtocolError,
    RequestTimeoutError,
    ResponseTooLargeError,
    ShapeError,
    TransportError,
)
from walletmodal.core.errors.services import AskedTooMuchError, NotConfiguredError, Service, ServiceError
from walletmodal.core.parsing.strict_json import read_exact_json
from walletmodal.core.version import VERSION
from walletmodal.services.http.caller import SDK_TYPE, Caller
from walletmodal.services.http.errors import json_or_none
from walletmodal.services.tracing import span

MAX_ANSWER_BYTES: Final = 2 * 1024 * 1024
USER_AGENT: Final = f"walletmodal/{VERSION}"
_MAX_ERROR_BODY: Final = 16 * 1024
_ERROR_BODY_SECONDS: Final = 2.0
_MAX_DETAILS: Final = 500
_MAX_SEGMENT: Final = 512
_IDENTITY: Final = frozenset({"", "identity"})
_NO_COOKIES: Final = DefaultCookiePolicy(allowed_domains=[])
_SETTINGS: Final[dict[Service, str]] = {
    "directory": "DIRECTORY_URL",
    "blockchain": "BLOCKCHAIN_URL",
    "analytics": "ANALYTICS_URL",
    "rpc": "RPC_URL",
}

Query = Mapping[str, str | int | None]
"""Parameters of a call; None, "" and 0 are left out."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Received:
    """The body of a 2xx answer, and which service sent it."""

    body: bytes
    service: Service


def path_segment(text: str) -> str:
    """A name or an address as one segment of a path; it can reach no other path.

    Raises:
        ProtocolError: empty, longer than any name or address, or one of the segments that mean another folder.
    """
    if (
        not text
        or len(text) > _MAX_SEGMENT
        or text in {".", ".."}
        or any("\ud800" <= char <= "\udfff" for char in text)
    ):
        raise ProtocolError("malformed", "path")
    return quote(text, safe=":@")


def understood(received: Received, parse: Callable[[object], T]) -> T:
    """The value of an answer's JSON; numbers with a fraction reach `parse` as `Decimal`.

    Raises:
        ServiceError: it is no JSON, or `parse` refused it with a `ShapeError`.
    """
    try:
        return parse(read_exact_json(received.body))
    except ShapeError as error:
        raise ServiceError(received.service, details=error.details) from error
    except ValueError as error:
        raise ServiceError(received.service, details="The answer is not JSON.") from error


@dataclass(frozen=True, slots=True)
class _Call:
    method: str
    path: str
    query: Query
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class _Exchange:
    method: str
    url: str
    shown: str
    headers: dict[str, str]
    content: bytes | None
    max_bytes: int


class HttpService:
    """The way to one service. Every call, POST included, names the project, `st` and `sv`, and carries the caller's origin.

    Args:
        client: the pooled client of the process; not closed here.
        service: which one it is.
        base: base URL without a slash at the end, or None: not configured, nothing is sent.
        sdk: what goes out as `sv`.
        timeout: seconds for one call as a whole.
        max_bytes: how much of an answer is read.
        may_ask: counts the call; False where whoever it is for has had enough.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        service: Service,
        base: str | None,
        *,
        sdk: str,
        timeout: float = HTTP_TIMEOUT,
        max_bytes: int = MAX_ANSWER_BYTES,
        may_ask: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        # A cookie that an answer to one visitor sets would go out with the next visitor's call.
        client.cookies.jar.set_policy(_NO_COOKIES)
        self._client, self._service, self._sdk = client, service, sdk
        self._base = None if base is None else base.rstrip("/")
        self._timeout, self._max_bytes, self._may_ask = timeout, max_bytes, may_ask

    @property
    def configured(self) -> bool:
        """Whether there is a service to ask."""
        return self._base is not None

    @property
    def base(self) -> str:
        """The base URL; "" when none is configured."""
        return self._base or ""

    async def get(
        self, caller: Caller, path: str, query: Query | None = None, *, max_bytes: int | None = None
    ) -> Received:
        """Ask for a path below the base URL.

        Raises:
            NotConfiguredError: there is no service; nothing was sent.
            ServiceError: another status than 2xx (redirects are not followed), or no answer that can be used; its cause is the
                `TransportError`.
        """
        return await self._ask(_Call("GET", path, query or {}), caller, max_bytes or self._max_bytes)

    async def post(self, caller: Caller, path: str, body: Mapping[str, object], query: Query | None = None) -> Received:
        """Send an object as JSON. Raises as `get`."""
        content = json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
        return await self._ask(_Call("POST", path, query or {}, content), caller, self._max_bytes)

    async def _ask(self, call: _Call, caller: Caller, max_bytes: int) -> Received:
        if self._base is None:
            raise NotConfiguredError(_SETTINGS[self._service])
        if self._may_ask is not None and not await self._may_ask():
            spent = AskedTooMuchError()
            raise ServiceError(self._service, status=spent.status, details=spent.details) from spent
        asked = {**call.query, "projectId": caller.project_id, "st": SDK_TYPE, "sv": self._sdk}
        shown = f"{self._base}{call.path}"
        url = f"{shown}?{urlencode({name: value for name, value in asked.items() if value}, errors='replace')}"
        headers = {"Origin": caller.origin, "User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
        if call.content is not None:
            headers["Content-Type"] = "application/json"
        try:
            body = await self._exchange(_Exchange(call.method, url, shown, headers, call.content, max_bytes))
        except HttpRequestError as error:
            raise ServiceError(
                self._service, status=error.status, body=json_or_none(error.body), details=error.details
            ) from error
        except TransportError as error:
            raise ServiceError(self._service, details=error.details) from error
        return Received(body, self._service)

    async def _exchange(self, exchange: _Exchange) -> bytes:
        try:
            with span("service", service=self._service):
                async with asyncio.timeout(self._timeout):
                    return await self._read(exchange)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise RequestTimeoutError(url=exchange.shown) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            details = str(error) or type(error).__name__
            raise HttpRequestError(url=exchange.shown, details=details[:_MAX_DETAILS]) from error

    async def _read(self, exchange: _Exchange) -> bytes:
        async with self._client.stream(
            exchange.method,
            exchange.url,
            content=exchange.content,
            headers=exchange.headers,
            follow_redirects=False,
        ) as response:
            if not response.is_success:
                body = await _start(response)
                raise HttpRequestError(url=exchange.shown, status=response.status_code, body=body)
            if response.headers.get("content-encoding", "").strip().lower() not in _IDENTITY:
                raise MalformedResponseError(url=exchange.shown, details="a compressed answer that was not asked for")
            received = bytearray()
            async for chunk in response.aiter_raw():
                received += chunk
                if len(received) > exchange.max_bytes:
                    raise ResponseTooLargeError(url=exchange.shown, limit=exchange.max_bytes)
            return bytes(received)


async def _start(response: httpx.Response) -> str:
    """The start of an error's body as far as it comes: the status alone says enough."""
    received = bytearray()
    with suppress(httpx.HTTPError, TimeoutError):
        async with asyncio.timeout(_ERROR_BODY_SECONDS):
            async for chunk in response.aiter_raw():
                received += chunk
                if len(received) >= _MAX_ERROR_BODY:
                    break
    return bytes(received[:_MAX_ERROR_BODY]).decode("utf-8", "replace")
