"""`GET /openapi.json`: the HTTP routes of the modal server, for people and generators (OpenAPI 3.1)."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from walletmodal.core.chains.caip import NAMESPACES
from walletmodal.core.requests.methods import NODE_METHODS
from walletmodal.core.requests.shapes import no_params
from walletmodal.core.version import VERSION
from walletmodal.web.host_api_schemas import host_api_paths, host_api_schemas
from walletmodal.web.images import image_paths
from walletmodal.web.rpc import MAX_CALLS
from walletmodal.web.schemas import error_answer, json_answer

_CAIP2: Final = f"^(eip155:(0|[1-9][0-9]{{0,31}})|({'|'.join(NAMESPACES[1:])}):[-_a-zA-Z0-9]{{1,32}})$"
_LIST: Final[dict[str, Any]] = {
    "type": "array",
    "description": "Nested no deeper than 24 levels; integers as far as a browser carries them exactly.",
}
_ERROR: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "additionalProperties": False,
            "properties": {
                "code": {"type": ["integer", "string"]},
                "message": {"type": "string"},
                "data": {"description": "What a node or a contract says besides."},
            },
        }
    },
}


def _rpc_call(networks: Collection[str]) -> dict[str, Any]:
    """The body of a call: by method, for each has parameters of its own."""
    chain = {
        "type": "string",
        **({"enum": sorted(networks)} if networks else {"pattern": _CAIP2}),
        "description": "CAIP-2 id of a network that the deployment offers.",
    }
    specs = [NODE_METHODS[name] for name in sorted(NODE_METHODS)]
    plain = [spec for spec in specs if spec.documented is None]
    without = [spec.name for spec in plain if spec.params is no_params]
    empty: dict[str, Any] = {"type": "object", "maxProperties": 0}
    kinds = [
        _call_of(chain, [spec.name for spec in plain if spec.name not in without], _LIST),
        _call_of(chain, without, {"anyOf": [_LIST, empty]}),
        *(_call_of(chain, [spec.name], spec.documented, "params") for spec in specs if spec.documented is not None),
    ]
    return {"anyOf": kinds}


def _call_of(chain: dict[str, Any], methods: list[str], params: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["chain", "method", *required],
        "properties": {"chain": chain, "method": {"type": "string", "enum": methods}, "params": params},
        "additionalProperties": False,
    }


def _rpc() -> dict[str, Any]:
    refusals = {
        "400": "The body or the chain is malformed.",
        "403": "The caller is not the modal's own page, or the method is not read-only.",
        "404": "The deployment does not offer the network.",
        "413": "The body is too large.",
        "415": "The body is not JSON.",
        "429": "Too many calls.",
        "502": "The node gave no usable answer.",
        "503": "No node is configured, or the service is not available.",
        "504": "The node took too long.",
    }
    result = {"type": "object", "required": ["result"], "properties": {"result": {}}, "additionalProperties": False}
    answer = {"oneOf": [result, {"$ref": "#/components/schemas/Error"}]}
    calls = {
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_CALLS,
        "description": "Calls that are made at the same time. What is none is answered with an error of its own.",
    }
    body = {"anyOf": [{"$ref": "#/components/schemas/RpcCall"}, calls]}
    answers = {"type": "array", "items": answer, "description": "Of several calls, in their order."}
    return {
        "summary": "Read-only JSON-RPC call of the host's provider; from the modal's own page only",
        "description": "The `Origin`, which a browser sets by itself, must be the modal's.",
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"200": json_answer({"anyOf": [answer, answers]}, "The node's result, or its own error.")}
        | {status: error_answer(text) for status, text in refusals.items()},
    }


def _browser() -> dict[str, Any]:
    refusals = {
        "400": "The body is something else.",
        "403": "The caller is not the modal's own page.",
        "429": "Too many calls.",
        "503": "Redis does not answer.",
    }
    nothing = {"type": "object", "maxProperties": 0}
    ticket = {
        "type": "object",
        "required": ["ticket"],
        "properties": {"ticket": {"type": "string"}},
        "additionalProperties": False,
    }
    return {
        "summary": "The cookie by which a browser is known again; from the modal's own page only",
        "description": "The `Origin`, which a browser sets by itself, must be the modal's. The ticket is for the page's socket, once.",
        "requestBody": {"required": True, "content": {"application/json": {"schema": nothing}}},
        "responses": {"200": json_answer(ticket, "A new cookie, or the old one for as long again.")}
        | {status: error_answer(text) for status, text in refusals.items()},
    }


def document(networks: Collection[str] = ()) -> dict[str, Any]:
    """The OpenAPI document of the routes that this version has.

    Args:
        networks: CAIP-2 ids that the deployment offers; where they are not known, any is described.
    """
    state = {"enum": ["ok", "failed", "draining"]}
    health = {"type": "object", "required": ["status"], "additionalProperties": state}
    return {
        "openapi": "3.1.0",
        "info": {"title": "WalletModal", "version": VERSION},
        "paths": {
            "/_health": {
                "get": {
                    "summary": "Whether the server can do its work, and goes on with it",
                    "responses": {
                        "200": json_answer(health, "It can."),
                        "503": json_answer(health, "A part does not answer, or the server is going to end."),
                    },
                }
            },
            "/_live": {
                "get": {
                    "summary": "Whether the server runs",
                    "responses": {"200": json_answer(health, "It does.")},
                }
            },
            "/metrics": {
                "get": {
                    "summary": "Figures for Prometheus; from this machine, or with the API key",
                    "security": [{}, {"apiKey": []}],
                    "responses": {
                        "200": {
                            "description": "The figures.",
                            "content": {"text/plain": {"schema": {"type": "string"}}},
                        },
                        "401": error_answer("Neither."),
                    },
                }
            },
            "/v1/rpc": {"post": _rpc()},
            "/v1/browser": {"post": _browser()},
            **host_api_paths(networks),
            **image_paths(),
        },
        "components": {
            "schemas": {"Error": _ERROR, "RpcCall": _rpc_call(networks), **host_api_schemas()},
            "securitySchemes": {"apiKey": {"type": "http", "scheme": "bearer"}},
        },
    }
