"""The RPC gateway: JSON-RPC over HTTP for every chain, shaped like the public one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import httpx
from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from walletmodal.sandbox.answers import json_answer, parse_json, read_body, refusal

MAX_BATCH = 1000

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601

_EVM_PREFIXES = ("eth_", "net_", "web3_")
# A test node signs with its own accounts for whoever asks; a public node has none. Letting these
# through would make a page work here that goes to the node instead of to the visitor's wallet.
_EVM_NEEDS_KEYS = frozenset(
    {
        "eth_accounts",
        "eth_sendTransaction",
        "eth_sendTransactionSync",
        "eth_sendUnsignedTransaction",
        "eth_sign",
        "eth_signTransaction",
        "eth_signTypedData",
        "eth_signTypedData_v3",
        "eth_signTypedData_v4",
    }
)
# An airdrop is a test network's.
_SOLANA_PREFIXES = ("get", "is", "send", "simulate")


class RpcNode(Protocol):
    """A chain's node as the gateway uses it."""

    @property
    def caip2(self) -> str:
        """The chain's CAIP-2 id."""

    async def relay(self, body: bytes) -> httpx.Response:
        """The node's answer to a JSON-RPC body; raises httpx.HTTPError."""


@dataclass(frozen=True)
class Refusal:
    """Why a request is not passed on, as JSON-RPC tells it."""

    request_id: object
    code: int
    message: str

    @property
    def body(self) -> dict[str, object]:
        """The answer."""
        error = {"code": self.code, "message": self.message}
        return {"jsonrpc": "2.0", "id": self.request_id, "error": error}


@dataclass(frozen=True)
class RpcCall:
    """A JSON-RPC call: its method, and the id that its answer must have."""

    method: str
    request_id: JsonValue


def rpc_gateway(nodes: Mapping[str, RpcNode]) -> Starlette:
    """The gateway over these nodes, by CAIP-2 id."""

    async def ask(request: Request) -> Response:
        chain = request.query_params.get("chainId", "")
        if not chain:
            return refusal(400, "chainId", "The query parameter chainId is missing")
        node = nodes.get(chain)
        if node is None:
            return refusal(400, "chainId", f"The chain {chain[:100]!r} is not supported")
        return await _answer(node, await read_body(request))

    routes = [Route(path, ask, methods=["POST"]) for path in ("/v1", "/v1/")]
    return Starlette(routes=routes)


async def _answer(node: RpcNode, body: bytes) -> Response:
    try:
        asked = parse_json(body)
    except ValueError as error:
        return json_answer(Refusal(None, PARSE_ERROR, f"Parse error: {error}").body, 400)
    if isinstance(asked, list):
        if not 1 <= len(asked) <= MAX_BATCH:
            wrong = f"A batch has 1 to {MAX_BATCH} requests, not {len(asked)}"
            return json_answer(Refusal(None, INVALID_REQUEST, wrong).body, 400)
        return await _answer_batch(node, asked)
    refused = _refused(node, asked)
    if refused is not None:
        return json_answer(refused.body, 400 if refused.code == INVALID_REQUEST else 200)
    return await _relay(node, asked)


async def _answer_batch(node: RpcNode, asked: list[object]) -> Response:
    # The node refuses a whole batch for one bad member; JSON-RPC answers each on its own.
    refusals = [_refused(node, one) for one in asked]
    passed = [one for one, refused in zip(asked, refusals, strict=True) if refused is None]
    refused = [one.body for one in refusals if one is not None]
    if not refused:
        return await _relay(node, asked)
    if not passed:
        return json_answer(refused)
    answer = await _relay(node, passed)
    if answer.status_code == 204:
        return json_answer(refused)
    if answer.status_code != 200:
        return answer
    return json_answer([*refused, *json.loads(bytes(answer.body))])


async def _relay(node: RpcNode, asked: object) -> Response:
    try:
        answer = await node.relay(json.dumps(asked).encode())
    except httpx.HTTPError:
        return refusal(503, "chain", f"The node of {node.caip2} does not answer")
    if answer.status_code == 204:
        return Response(status_code=204)
    return Response(answer.content, answer.status_code, media_type="application/json")


def _refused(node: RpcNode, asked: object) -> Refusal | None:
    refused = malformed(asked)
    if refused is not None or not isinstance(asked, dict):
        return refused
    method = str(asked["method"])
    if not is_public(node.caip2, method):
        unknown = f"The method {method[:100]} does not exist or is not available"
        return Refusal(asked.get("id"), METHOD_NOT_FOUND, unknown)
    return None


def malformed(asked: object) -> Refusal | None:
    """What is wrong with the form of one request; None when nothing is."""
    if not isinstance(asked, dict):
        return Refusal(None, INVALID_REQUEST, "A request is an object")
    request_id, method = asked.get("id"), asked.get("method")
    if isinstance(request_id, bool) or not isinstance(request_id, str | int | float | None):
        return Refusal(None, INVALID_REQUEST, "id is a string, a number or null")
    if asked.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return Refusal(request_id, INVALID_REQUEST, 'A request has jsonrpc "2.0" and a method')
    if not isinstance(asked.get("params", []), list | dict):
        return Refusal(request_id, INVALID_REQUEST, "params must be a list or an object")
    return None


def rpc_calls(body: bytes) -> list[RpcCall]:
    """The calls in a body: those of a batch, or the one; none where it is no JSON-RPC."""
    try:
        asked = parse_json(body)
    except ValueError:
        return []
    listed = asked if isinstance(asked, list) else [asked]
    return [RpcCall(one["method"], one.get("id")) for one in listed if isinstance(one, dict) and malformed(one) is None]


def is_public(chain: str, method: str) -> bool:
    """Whether a public node of a chain (CAIP-2) has this method."""
    if chain.startswith("eip155:"):
        return method.startswith(_EVM_PREFIXES) and method not in _EVM_NEEDS_KEYS
    return method.startswith(_SOLANA_PREFIXES)
