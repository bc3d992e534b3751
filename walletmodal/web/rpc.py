"""`POST /v1/rpc`: read-only calls of the host's provider, sent on to a node so that results do not pass through state."""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from redis.exceptions import RedisError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from walletmodal.core.caip import ChainId, parse_chain_id
from walletmodal.core.errors import (
    CaipError,
    ProtocolError,
    RequestTimeoutError,
    RpcRequestError,
    TransportError,
    UrlRequiredError,
)
from walletmodal.core.message_limits import check_limits
from walletmodal.core.rpc_methods import METHOD_NOT_ALLOWED, classify
from walletmodal.core.rpc_params import check_params
from walletmodal.core.rule_errors import PayloadError
from walletmodal.core.strict_json import read_json
from walletmodal.web.answers import error_response, json_response
from walletmodal.web.metrics import RPC_CALLS, RPC_SECONDS
from walletmodal.web.origin import is_from_own_page
from walletmodal.web.rate_limit import Rate, RateLimit

MAX_BODY_BYTES: Final = 64 * 1024
RATE: Final = Rate(per_second=50, burst=200)

Ask = Callable[[ChainId, str, list[Any] | dict[str, Any]], Awaitable[object]]
"""Sends one call to a node of the chain and gives its `result`; raises TransportError."""

ClientName = Callable[[Request], str]

_INVALID_REQUEST: Final = -32600
_INVALID_PARAMS: Final = -32602
_METHOD_NOT_FOUND: Final = -32601
_LIMIT_EXCEEDED: Final = -32005
_INTERNAL: Final = -32603
_CHAIN_DISCONNECTED: Final = 4901
# A node would answer with its own accounts, and the rest of `wallet_…` is known to wallets alone.
_NODE_PREFIX: Final = "eth_"
_NOT_FOR_NODES: Final = frozenset({"eth_accounts"})

_log: Final = logging.getLogger(__name__)


class RpcCall(BaseModel):
    """The body of a call: the network's CAIP-2 id, a JSON-RPC method and its parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    chain: str = Field(max_length=64)
    method: str = Field(min_length=1, max_length=64)
    params: list[Any] | dict[str, Any] = Field(default_factory=list)


class _RefusedError(Exception):
    def __init__(self, status: int, code: int, message: str, outcome: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.outcome = status, code, message, outcome


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
        """`{"result": …}`, or `{"error": {"code", "message"}}` with a fitting status."""
        try:
            result = await self._answer(request)
        except _RefusedError as refusal:
            RPC_CALLS.labels(refusal.outcome).inc()
            return error_response(refusal.status, refusal.code, refusal.message)
        RPC_CALLS.labels("answered").inc()
        return json_response({"result": result})

    async def _answer(self, request: Request) -> object:
        if not is_from_own_page(request.headers):
            raise _RefusedError(403, _INVALID_REQUEST, "Calls are accepted from the modal's own page.", "foreign")
        await self._spend(request)
        call = _parse(await _body(request))
        chain = self._chain(call)
        try:
            params = check_params(call.method, call.params)
        except PayloadError as error:
            raise _RefusedError(400, error.code, f"{error.details}: {error.short_message}", "malformed") from error
        started = time.perf_counter()
        try:
            return await self._ask(chain, call.method, params)
        except TransportError as error:
            raise _failure(error) from error
        finally:
            RPC_SECONDS.observe(time.perf_counter() - started)

    async def _spend(self, request: Request) -> None:
        try:
            allowed = await self._limit.allows(self._client_name(request))
        except (RedisError, OSError) as error:
            _log.warning("the rate limit cannot be read: %s", error)
            raise _RefusedError(503, _INTERNAL, "The service is not available.", "unavailable") from error
        if not allowed:
            raise _RefusedError(429, _LIMIT_EXCEEDED, "Request exceeds defined limit.", "limited")

    def _chain(self, call: RpcCall) -> ChainId:
        if (
            classify(call.method, call.params) != "safe"
            or not call.method.startswith(_NODE_PREFIX)
            or call.method in _NOT_FOR_NODES
        ):
            raise _RefusedError(403, _METHOD_NOT_FOUND, METHOD_NOT_ALLOWED, "method")
        try:
            chain = parse_chain_id(call.chain)
        except CaipError as error:
            raise _RefusedError(400, _INVALID_PARAMS, "The chain is no CAIP-2 id.", "malformed") from error
        if str(chain) not in self._networks:
            raise _RefusedError(404, _CHAIN_DISCONNECTED, "This deployment does not offer the network.", "network")
        return chain


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _RefusedError(415, _INVALID_REQUEST, "The body must be application/json.", "malformed")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY_BYTES:
                raise _RefusedError(
                    413, _INVALID_REQUEST, f"The body must not exceed {MAX_BODY_BYTES} bytes.", "oversized"
                )
    except ClientDisconnect as gone:
        raise _RefusedError(400, _INVALID_REQUEST, "The body ended early.", "malformed") from gone
    return bytes(body)


def _parse(body: bytes) -> RpcCall:
    try:
        call = RpcCall.model_validate(read_json(body))
        check_limits(call.params)
    except (ValidationError, ProtocolError, ValueError) as error:
        message = "The body must be {chain, method, params}."
        raise _RefusedError(400, _INVALID_REQUEST, message, "malformed") from error
    return call


def _failure(error: TransportError) -> _RefusedError:
    """What the page is told of a failed call: a node's own refusal word for word, of anything else only its kind."""
    if isinstance(error, RpcRequestError):
        return _RefusedError(200, error.code, error.details or error.short_message, "node_error")
    if isinstance(error, UrlRequiredError):
        return _RefusedError(503, _CHAIN_DISCONNECTED, "No node is configured for the network.", "unconfigured")
    if isinstance(error, RequestTimeoutError):
        return _RefusedError(504, _INTERNAL, error.short_message, "timeout")
    return _RefusedError(502, _INTERNAL, error.short_message, "unreachable")
