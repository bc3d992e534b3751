"""The parts of the OpenAPI document for the RPC gateway and the control."""

from typing import Any, Final

from walletmodal.sandbox.control import ClockRequest, MotionRequest, PriceRequest
from walletmodal.sandbox.faucet import FaucetRequest
from walletmodal.sandbox.faults import SERVICES, Fault
from walletmodal.sandbox.openapi import model_schemas

_REFUSED: Final = {"$ref": "#/components/responses/Refused"}


def _json(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _rpc() -> dict[str, Any]:
    call = {"$ref": "#/components/schemas/JsonRpcRequest"}
    reply = {"$ref": "#/components/schemas/JsonRpcReply"}
    return {
        "post": {
            "tags": ["rpc"],
            "summary": "JSON-RPC of a chain, one request or a batch",
            "description": "A batch of notifications alone, and a notification alone, have no answer: 204.",
            "parameters": [
                {
                    "name": "chainId",
                    "in": "query",
                    "required": True,
                    "schema": {"type": "string", "pattern": r"^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$"},
                    "description": "CAIP-2 id.",
                    "example": "eip155:1",
                },
                {
                    "name": "projectId",
                    "in": "query",
                    "schema": {"type": "string"},
                    "description": "Taken, and not insisted on.",
                },
            ],
            "requestBody": _body({"oneOf": [call, {"type": "array", "items": call, "minItems": 1, "maxItems": 1000}]}),
            "responses": {
                "200": _json({"oneOf": [reply, {"type": "array", "items": reply}]}, "What the node says."),
                "204": {"description": "Nothing was asked that has an answer."},
                "400": _json({"oneOf": [reply, {"$ref": "#/components/schemas/Refusal"}]}, "What is wrong."),
                "413": _REFUSED,
                "503": _REFUSED,
            },
        }
    }


def _control() -> dict[str, Any]:
    tags = ["control"]
    logged = {"type": "array", "items": {"$ref": "#/components/schemas/LoggedRequest"}}
    service = {"name": "service", "in": "query", "schema": {"type": "string", "enum": list(SERVICES)}}
    mails = {"type": "array", "items": {"$ref": "#/components/schemas/Mail"}}
    prices = _json({"$ref": "#/components/schemas/Prices"}, "How it is now.")
    refused = {"400": _REFUSED, "403": _REFUSED}
    chain = {"name": "chain", "in": "path", "required": True, "schema": {"type": "string"}, "example": "eip155:1"}
    return {
        "/sandbox/faults": {
            "post": {
                "tags": tags,
                "summary": "Make something go wrong from now on",
                "requestBody": _body({"$ref": "#/components/schemas/Fault"}),
                "responses": {
                    "200": _json({"$ref": "#/components/schemas/Fault"}, "It stands."),
                    **refused,
                    "409": _REFUSED,
                    "413": _REFUSED,
                },
            },
            "delete": {
                "tags": tags,
                "summary": "All is well again",
                "responses": {
                    "200": _json({"type": "object", "properties": {"removed": {"type": "integer"}}}, "How many stood."),
                    "403": _REFUSED,
                },
            },
        },
        "/sandbox/requests": {
            "get": {
                "tags": tags,
                "summary": "What the services were asked, newest last",
                "parameters": [service],
                "responses": {"200": _json(logged, "The requests."), **refused},
            }
        },
        "/sandbox/nodes/{chain}": {
            "post": {
                "tags": tags,
                "summary": "Ask an EVM chain's node, with every method that a test node has",
                "parameters": [chain],
                "requestBody": _body({"$ref": "#/components/schemas/JsonRpcRequest"}),
                "responses": {
                    "200": _json({"$ref": "#/components/schemas/JsonRpcReply"}, "What the node says."),
                    "400": _REFUSED,
                    "403": _REFUSED,
                    "404": _REFUSED,
                    "413": _REFUSED,
                    "503": _REFUSED,
                },
            }
        },
        "/sandbox/faucet": {
            "post": {
                "tags": tags,
                "summary": "Give an account coins, tokens or an NFT, or the paymasters coin to sponsor with",
                "requestBody": _body({"$ref": "#/components/schemas/FaucetRequest"}),
                "responses": {
                    "200": _json({"type": "object"}, "They are there."),
                    **refused,
                    "413": _REFUSED,
                    "503": _REFUSED,
                },
            }
        },
        "/sandbox/prices": {
            "get": {
                "tags": tags,
                "summary": "Whether prices move, and which are fixed",
                "responses": {"200": prices, "403": _REFUSED},
            },
            "post": {
                "tags": tags,
                "summary": "Fix a price",
                "requestBody": _body({"$ref": "#/components/schemas/PriceRequest"}),
                "responses": {"200": prices, **refused, "413": _REFUSED},
            },
            "delete": {
                "tags": tags,
                "summary": "Prices as at the start",
                "responses": {"200": prices, "403": _REFUSED},
            },
        },
        "/sandbox/prices/motion": {
            "post": {
                "tags": tags,
                "summary": "Let prices stop where they are, or go on",
                "requestBody": _body({"$ref": "#/components/schemas/MotionRequest"}),
                "responses": {"200": prices, **refused, "413": _REFUSED},
            }
        },
        "/sandbox/mails": {
            "get": {
                "tags": tags,
                "summary": "The mails that came, newest last",
                "parameters": [
                    {"name": "to", "in": "query", "schema": {"type": "string"}, "description": "An address."}
                ],
                "responses": {"200": _json(mails, "The mails."), "403": _REFUSED},
            }
        },
        "/sandbox/clock": {
            "post": {
                "tags": tags,
                "summary": "Move the clock of the sandbox and its chains forward",
                "requestBody": _body({"$ref": "#/components/schemas/ClockRequest"}),
                "responses": {
                    "200": _json({"$ref": "#/components/schemas/Clock"}, "What it says now."),
                    **refused,
                    "413": _REFUSED,
                    "503": _REFUSED,
                },
            },
            "delete": {
                "tags": tags,
                "summary": "Set the clock of the sandbox to the machine's time; blocks of its chains keep theirs until a reset",
                "responses": {
                    "200": _json({"$ref": "#/components/schemas/Clock"}, "What it says now."),
                    "403": _REFUSED,
                },
            },
        },
        "/sandbox/reset": {
            "post": {
                "tags": tags,
                "summary": "Chains to their beginning, no faults, no mails, empty log, the machine's time",
                "responses": {"200": _json({"type": "object"}, "Done."), "403": _REFUSED, "503": _REFUSED},
            }
        },
    }


_TEXTS: Final = {"type": "object", "additionalProperties": {"type": "string"}}

_LOGGED_REQUEST: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["service", "method", "path", "query", "headers", "body", "at"],
    "properties": {
        "service": {"enum": list(SERVICES)},
        "method": {"type": "string"},
        "path": {"type": "string"},
        "query": _TEXTS,
        "headers": _TEXTS,
        "body": {},
        "at": {"type": "string", "format": "date-time"},
    },
}

_PRICES: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["moving", "fixed"],
    "properties": {"moving": {"type": "boolean"}, "fixed": _TEXTS},
}

_JSON_RPC_REQUEST: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["jsonrpc", "method"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": ["string", "number", "null"]},
        "method": {"type": "string"},
        "params": {"type": ["array", "object"]},
    },
}

_JSON_RPC_REPLY: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["jsonrpc"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "integer"}, "message": {"type": "string"}},
        },
    },
}

_MAIL: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["to", "subject", "text", "html", "at"],
    "properties": {name: {"type": "string"} for name in ("to", "subject", "text", "html", "at")},
}

_CLOCK: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["now", "ahead"],
    "properties": {"now": {"type": "string", "format": "date-time"}, "ahead": {"type": "integer"}},
}

RPC_OPENAPI: Final[dict[str, Any]] = {
    "paths": {"/rpc/v1/": _rpc()},
    "components": {"schemas": {"JsonRpcRequest": _JSON_RPC_REQUEST, "JsonRpcReply": _JSON_RPC_REPLY}},
}

CONTROL_OPENAPI: Final[dict[str, Any]] = {
    "paths": _control(),
    "components": {
        "schemas": {
            **model_schemas(Fault, FaucetRequest, PriceRequest, MotionRequest, ClockRequest),
            "Prices": _PRICES,
            "LoggedRequest": _LOGGED_REQUEST,
            "Mail": _MAIL,
            "Clock": _CLOCK,
        }
    },
}
