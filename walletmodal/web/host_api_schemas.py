"""The routes of the host HTTP API in the OpenAPI document, and the shapes of what they answer."""

from typing import Any

from walletmodal.core.sign_in_session import SESSION_ID
from walletmodal.core.token_claims import KEYS_PATH
from walletmodal.web.schemas import error_answer, json_answer


def host_api_paths() -> dict[str, Any]:
    """The routes in the OpenAPI document; it has their schemas too."""
    session = {"$ref": "#/components/schemas/Session"}
    refused = {
        "401": error_answer("No API key, or a wrong one."),
        "404": error_answer("No session counts by this id: it is unknown, over, or revoked."),
        "429": error_answer("Too many calls."),
        "503": error_answer("The database does not answer."),
    }
    parameter = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    secured: dict[str, Any] = {"security": [{"apiKey": []}], "parameters": [parameter]}
    return {
        KEYS_PATH: {
            "get": {
                "summary": "The keys with which sign-in tokens are signed (RFC 7517)",
                "responses": {
                    "200": json_answer({"$ref": "#/components/schemas/KeySet"}, "The keys."),
                    "429": error_answer("Too many calls."),
                    "503": error_answer("The database does not answer."),
                },
            }
        },
        "/v1/sessions/{id}": {
            "get": {
                "summary": "A visitor's session, as long as it counts",
                **secured,
                "responses": {"200": json_answer(session, "It counts."), **refused},
            },
            "delete": {
                "summary": "Ends a visitor's session",
                **secured,
                "responses": {"204": {"description": "It is over."}, **refused},
            },
        },
    }


def host_api_schemas() -> dict[str, Any]:
    """The shapes that `host_api_paths` names."""
    text, instant = {"type": "string"}, {"type": "string", "format": "date-time"}
    key = {"kty": {"const": "EC"}, "crv": {"const": "P-256"}, "alg": {"const": "ES256"}, "use": {"const": "sig"}}
    key |= {name: {"type": "string"} for name in ("kid", "x", "y")}
    session = {
        "id": {"type": "string", "pattern": f"^{SESSION_ID.pattern}$"},
        "address": {**text, "description": "CAIP-10."},
        "chainId": {**text, "description": "CAIP-2."},
        "origin": {**text, "description": "Of the page that the visitor signed in at."},
        "issuedAt": instant,
        "expiresAt": instant,
        "statement": {**text, "description": "What the visitor agreed to; empty for nothing."},
    }
    return {"Session": _object(session), "KeySet": _object({"keys": {"type": "array", "items": _object(key)}})}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }
