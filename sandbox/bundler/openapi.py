"""The part of the OpenAPI document for bundler and paymaster."""

from typing import Any, Final

from walletmodal.sandbox.evm.world import worlds

_REFUSED: Final = {"$ref": "#/components/responses/Refused"}
_REQUEST: Final = {"$ref": "#/components/schemas/JsonRpcRequest"}
_REPLY: Final = {"$ref": "#/components/schemas/JsonRpcReply"}


def _json(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _rpc(tag: str, summary: str, parameters: list[dict[str, Any]], unknown: str) -> dict[str, Any]:
    batch = {"type": "array", "items": _REQUEST, "minItems": 1, "maxItems": 1000}
    return {
        "post": {
            "tags": [tag],
            "summary": summary,
            "parameters": parameters,
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": {"oneOf": [_REQUEST, batch]}}},
            },
            "responses": {
                "200": _json({"oneOf": [_REPLY, {"type": "array", "items": _REPLY}]}, "Results and errors."),
                "400": _json({"oneOf": [_REPLY, {"$ref": "#/components/schemas/Refusal"}]}, "What is wrong."),
                **({unknown: _REFUSED} if unknown != "400" else {}),
                "413": _REFUSED,
            },
        }
    }


_CHAINS: Final[dict[str, Any]] = {"type": "string", "enum": list(worlds())}
_CHAIN: Final[dict[str, Any]] = {
    "name": "chain",
    "in": "path",
    "required": True,
    "schema": _CHAINS,
    "description": "CAIP-2 id.",
    "example": "eip155:1",
}
_PUBLIC: Final[list[dict[str, Any]]] = [
    {"name": "chainId", "in": "query", "required": True, "schema": _CHAINS, "example": "eip155:1"},
    {"name": "projectId", "in": "query", "schema": {"type": "string"}, "description": "Taken, and not insisted on."},
    {"name": "bundler", "in": "query", "schema": {"const": "pimlico"}},
]

OPENAPI: Final[dict[str, Any]] = {
    "paths": {
        "/bundler/{chain}": _rpc("bundler", "JSON-RPC of the bundler (ERC-7769)", [_CHAIN], "404"),
        "/paymaster/{chain}": _rpc("paymaster", "JSON-RPC of the paymaster (ERC-7677)", [_CHAIN], "404"),
        "/blockchain/v1/bundler": _rpc("blockchain", "JSON-RPC of bundler and paymaster together", _PUBLIC, "400"),
    },
}
