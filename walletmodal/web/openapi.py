"""`GET /openapi.json`: the HTTP routes of the modal server, for people and generators (OpenAPI 3.1)."""

from typing import Any, Final

from walletmodal.core.version import VERSION
from walletmodal.web.images import image_paths
from walletmodal.web.rpc import RpcCall

_ERROR: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": ["integer", "string"]}, "message": {"type": "string"}},
        }
    },
}


def _json(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _error(description: str) -> dict[str, Any]:
    return _json({"$ref": "#/components/schemas/Error"}, description)


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
    answer = {"oneOf": [{"type": "object", "required": ["result"]}, {"$ref": "#/components/schemas/Error"}]}
    return {
        "summary": "Read-only JSON-RPC call of the host's provider; from the modal's own page only",
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RpcCall"}}},
        },
        "responses": {"200": _json(answer, "The node's result, or its own error.")}
        | {status: _error(text) for status, text in refusals.items()},
    }


def document() -> dict[str, Any]:
    """The OpenAPI document of the routes that this version has."""
    health = {"type": "object", "required": ["status"], "additionalProperties": {"enum": ["ok", "failed"]}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "WalletModal", "version": VERSION},
        "paths": {
            "/_health": {
                "get": {
                    "summary": "Whether the server can do its work",
                    "responses": {"200": _json(health, "It can."), "503": _json(health, "A part does not answer.")},
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
                        "401": _error("Neither."),
                    },
                }
            },
            "/v1/rpc": {"post": _rpc()},
            **image_paths(),
        },
        "components": {
            "schemas": {"Error": _ERROR, "RpcCall": RpcCall.model_json_schema()},
            "securitySchemes": {"apiKey": {"type": "http", "scheme": "bearer"}},
        },
    }
