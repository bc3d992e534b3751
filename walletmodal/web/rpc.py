"""`POST /v1/rpc`: read-only calls of the host's provider, sent on to a node so that results do not pass through state."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from redis.exceptions import RedisError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors import (
    CaipError,
    ProtocolError,
    RequestTimeoutError,
    RpcRequestError,
    TransportError,
    UrlRequiredError,
)
from walletmodal.core.errors.codes import (
    CHAIN_DISCONNECTED,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LIMIT_EXCEEDED,
    UNSUPPORTED_METHOD,
)
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.protocol.host_calls import seconds_waited_in_page
from walletmodal.core.protocol.limits import MAX_NODES, check_limits, is_within_limits
from walletmodal.core.requests.methods import METHOD_NOT_ALLOWED, NODE_METHODS
from walletmodal.services.outside_budget import Asker, as_asker
from walletmodal.services.rate_limit import Rate, RateLimit
from walletmodal.services.tracing import passed, span
from walletmodal.web.answers import NO_STORE
from walletmodal.web.json_size import TooComplexError, values_in
from walletmodal.web.metrics import RPC_CALLS, RPC_SECONDS
from walletmodal.web.origin import is_from_own_page

MAX_BODY_BYTES: Final = 256 * 1024
"""As much as a message of the host page may carry: a contract with all its code goes in one call."""
MAX_CALLS: Final = 100
MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024
"""Of several calls together."""
RATE: Final = Rate(per_second=100, burst=1000)

Ask = Callable[[ChainId, str, list[Any] | dict[str, Any]], Awaitable[object]]
"""Sends one call to a node of the chain and gives its `result`; raises TransportError."""

ClientName = Callable[[Request], str]

_FILTER_COST: Final = 20
"""A node keeps a filter for minutes; other calls cost it a moment, and one of the client's bucket."""
_WAITED: Final = "walletmodal-waited"
"""Says how long ago, in ms, the first of the calls was made by the host."""
_RETRY_SECONDS: Final = 1
"""After which a bucket holds enough for a request of any size again."""

_log: Final = logging.getLogger(__name__)
_encode: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class RpcCall(BaseModel):
    """One call: the network's CAIP-2 id, a JSON-RPC method and its parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    chain: str = Field(max_length=64)
    method: str = Field(min_length=1, max_length=64)
    params: list[Any] | dict[str, Any] = Field(default_factory=list)


class _RefusedError(Exception):
    def __init__(self, status: int, code: int, message: str, outcome: str, data: object = None) -> None:
        super().__init__(message)
        self.status, self.outcome = status, outcome
        self._error = {"code": code, "message": message, **({} if data is None else {"data": data})}

    @property
    def body(self) -> bytes:
        return _encode({"error": self._error}).encode()


class RpcEndpoint:
    """The route's handler.

    Args:
        ask: sends a call to a node.
        networks: CAIP-2 ids that the deployment offers.
        limit: how many calls a client may make.
        client_name: who a request comes from, for the limit.
    """

    def __init__(self, *, ask: Ask, networks: frozenset[str], limit: RateLimit, client_name: ClientName) -> None:
        self._ask, self._networks, self._limit, self._client_name = ask, networks, limit, client_name

    async def __call__(self, request: Request) -> Response:
        """Answer one call, or a list of calls that are made at the same time.

        Of one call `{"result": …}`, or `{"error": {"code", "message", "data"?}}` with a fitting status; of a list those in the order
        of its calls, with 200.
        """
        try:
            found = await self._read(request)
        except _RefusedError as refusal:
            RPC_CALLS.labels(refusal.outcome).inc()
            return _response(refusal.body, refusal.status)
        with span("rpc"), as_asker(Asker("", self._client_name(request))):
            passed("page", seconds_waited_in_page(request.headers.get(_WAITED)))
            if isinstance(found, list):
                return _response(await self._answers(found))
            status, body = await self._outcome(found)
            return _response(body, status)

    async def _read(self, request: Request) -> "_Found | list[_Found]":
        if not is_from_own_page(request.headers):
            raise _RefusedError(403, INVALID_REQUEST, "Calls are accepted from the modal's own page.", "foreign")
        client = self._client_name(request)
        await self._spend(client, 1)
        found = _parse(await _body(request))
        further = sum(map(_cost, found if isinstance(found, list) else [found])) - 1
        if further:
            await self._spend(client, further)
        return found

    async def _answers(self, found: Sequence["_Found"]) -> bytes:
        left = MAX_ANSWER_BYTES

        async def one(call: "_Found") -> bytes:
            nonlocal left
            _, body = await self._outcome(call)
            if len(body) > left:
                return _TOO_MUCH.body
            left -= len(body)
            return body

        return b"[" + b",".join(await asyncio.gather(*map(one, found))) + b"]"

    async def _outcome(self, call: "_Found") -> tuple[int, bytes]:
        try:
            result = await self._answer(call)
        except _RefusedError as refusal:
            RPC_CALLS.labels(refusal.outcome).inc()
            return refusal.status, refusal.body
        RPC_CALLS.labels("answered").inc()
        return 200, _encode({"result": result}).encode()

    async def _answer(self, call: "_Found") -> object:
        if isinstance(call, _RefusedError):
            raise call
        chain = self._chain(call)
        try:
            params = NODE_METHODS[call.method].check(call.params)
        except PayloadError as error:
            raise _RefusedError(400, error.code, f"{error.details}: {error.short_message}", "malformed") from error
        started = time.perf_counter()
        try:
            return await self._ask(chain, call.method, params)
        except TransportError as error:
            raise _failure(error) from error
        finally:
            RPC_SECONDS.observe(time.perf_counter() - started)

    async def _spend(self, client: str, calls: int) -> None:
        try:
            allowed = await self._limit.allows(client, calls)
        except (RedisError, OSError) as error:
            _log.warning("the rate limit cannot be read: %s", error)
            raise _RefusedError(503, INTERNAL_ERROR, "The service is not available.", "unavailable") from error
        if not allowed:
            raise _RefusedError(429, LIMIT_EXCEEDED, "Request exceeds defined limit.", "limited")

    def _chain(self, call: RpcCall) -> ChainId:
        if call.method not in NODE_METHODS:
            raise _RefusedError(403, UNSUPPORTED_METHOD, METHOD_NOT_ALLOWED, "method")
        try:
            chain = parse_chain_id(call.chain)
        except CaipError as error:
            raise _RefusedError(400, INVALID_PARAMS, "The chain is no CAIP-2 id.", "malformed") from error
        if str(chain) not in self._networks:
            raise _RefusedError(404, CHAIN_DISCONNECTED, "This deployment does not offer the network.", "network")
        return chain


_Found = RpcCall | _RefusedError
"""A call, or why it is none."""

_TOO_MUCH: Final = _RefusedError(200, LIMIT_EXCEEDED, "The answers are too large together.", "oversized")


def _response(body: bytes, status: int = 200) -> Response:
    wait = {"Retry-After": str(_RETRY_SECONDS)} if status == 429 else {}
    return Response(body, status, headers={**NO_STORE, **wait}, media_type="application/json")


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _RefusedError(415, INVALID_REQUEST, "The body must be application/json.", "malformed")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY_BYTES:
                raise _RefusedError(
                    413, INVALID_REQUEST, f"The body must not exceed {MAX_BODY_BYTES} bytes.", "oversized"
                )
    except ClientDisconnect as gone:
        raise _RefusedError(400, INVALID_REQUEST, "The body ended early.", "malformed") from gone
    return bytes(body)


def _parse(body: bytes) -> _Found | list[_Found]:
    try:
        # What is counted are single bytes in every encoding that is JSON's.
        values_in(body.decode("latin-1"), MAX_NODES)
        value = read_json(body)
    except (TooComplexError, ValueError) as error:
        raise _no_call() from error
    if not isinstance(value, list):
        return _call(value)
    if not 0 < len(value) <= MAX_CALLS:
        raise _RefusedError(400, INVALID_REQUEST, f"A list has 1 to {MAX_CALLS} calls.", "malformed")
    return [_call(entry) for entry in value]


def _call(value: object) -> _Found:
    """What a host page asked wrongly is the answer to that alone, not to what others of it asked meanwhile."""
    try:
        call = RpcCall.model_validate(value)
        check_limits(call.params)
    except (ValidationError, ProtocolError):
        return _no_call()
    return call


def _no_call() -> _RefusedError:
    return _RefusedError(400, INVALID_REQUEST, "The body must be {chain, method, params}.", "malformed")


def _cost(call: _Found) -> int:
    spec = NODE_METHODS.get(call.method) if isinstance(call, RpcCall) else None
    return _FILTER_COST if spec and spec.filter == "makes" else 1


def _failure(error: TransportError) -> _RefusedError:
    """What the page is told of a failed call: a node's own refusal word for word, of anything else only its kind."""
    if isinstance(error, RpcRequestError):
        # A contract says in `data` why it refuses; libraries read it.
        data = error.data if is_within_limits(error.data) else None
        return _RefusedError(200, error.code, error.details or error.short_message, "node_error", data)
    if isinstance(error, UrlRequiredError):
        return _RefusedError(503, CHAIN_DISCONNECTED, "No node is configured for the network.", "unconfigured")
    if isinstance(error, RequestTimeoutError):
        return _RefusedError(504, INTERNAL_ERROR, error.short_message, "timeout")
    return _RefusedError(502, INTERNAL_ERROR, error.short_message, "unreachable")
