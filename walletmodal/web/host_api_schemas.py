"""The routes of the host HTTP API in the OpenAPI document, and the shapes of what they answer."""

import re
from collections.abc import Collection
from typing import Any

from walletmodal.core.sign_in.session import SESSION_ID
from walletmodal.core.sign_in.token_claims import KEYS_PATH
from walletmodal.web.accounts_api import MAX_CURSOR
from walletmodal.web.schemas import error_answer, json_answer


def host_api_paths(networks: Collection[str] = ()) -> dict[str, Any]:
    """The routes in the OpenAPI document; it has their schemas too. `networks`: CAIP-2 ids that the deployment offers."""
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
        **_account_paths(networks),
    }


def _account_paths(networks: Collection[str]) -> dict[str, Any]:
    form = "|".join(re.escape(network) for network in sorted(networks)) or "[a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}"
    account = {
        "name": "account",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "pattern": f"^({form}):[-.a-zA-Z0-9]{{1,128}}$"},
        "description": "CAIP-10 id of any account, on a network that the deployment offers.",
    }
    cursor = {
        "name": "cursor",
        "in": "query",
        "schema": {"type": "string", "maxLength": MAX_CURSOR},
        "description": "`next` of the page before.",
    }
    refused = {
        "400": error_answer("The account is no CAIP-10 id, or the cursor none of this API."),
        "401": error_answer("No API key, or a wrong one."),
        "404": error_answer("The deployment does not offer the network, or has nobody to ask about it."),
        "429": error_answer("Too many calls."),
        "503": error_answer("Nodes or services do not answer."),
    }

    def path(summary: str, schema: str, *more: dict[str, Any]) -> dict[str, Any]:
        answer = json_answer({"$ref": f"#/components/schemas/{schema}"}, "What is known.")
        asked: dict[str, Any] = {"security": [{"apiKey": []}], "parameters": [account, *more]}
        return {"get": {"summary": summary, **asked, "responses": {"200": answer, **refused}}}

    return {
        "/v1/accounts/{account}/balance": path("The native coin of an account", "Balance"),
        "/v1/accounts/{account}/tokens": path("All that an account owns, the most valuable first", "Tokens"),
        "/v1/accounts/{account}/activity": path("What an account did, the newest first", "Activity", cursor),
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
    keys = {"keys": {"type": "array", "items": _object(key)}}
    return {"Session": _object(session), "KeySet": _object(keys), **_account_schemas()}


def _account_schemas() -> dict[str, Any]:
    text, maybe, instant = {"type": "string"}, {"type": ["string", "null"]}, {"type": "string", "format": "date-time"}
    account = {"account": {**text, "description": "CAIP-10, as it was asked for."}}
    amount = {
        "symbol": text,
        "decimals": {"type": "integer", "minimum": 0, "maximum": 36},
        "value": {**text, "pattern": "^[0-9]+$", "description": "Base units."},
        "formatted": {**text, "description": "Whole units, rounded down to three decimals, without commas."},
        "usd": {**maybe, "description": "What all of it is worth; null where nobody knows."},
    }
    token = {
        "token": {**maybe, "description": "CAIP-10 id of the contract; null for the native coin."},
        "name": text,
        **amount,
        "price": {**maybe, "description": "Of one, in US dollars."},
    }
    transfer = {
        "direction": {"enum": ["in", "out", "self", None]},
        "kind": {"enum": ["token", "nft"]},
        "name": maybe,
        "symbol": maybe,
        "amount": {**maybe, "description": "Whole units, exactly."},
        "usd": {**maybe, "description": "What it was worth at the time."},
    }
    transaction = {
        "id": text,
        "hash": text,
        "type": {**text, "description": "Such as `send`, `receive`, `trade`, `approve`."},
        "status": {**text, "description": "`confirmed`, `failed` or `pending`."},
        "at": instant,
        "from": text,
        "to": text,
        "transfers": {"type": "array", "items": _object(transfer)},
    }
    more = {"type": "integer", "minimum": 0, "description": "Of tokens that are not listed: the least valuable."}
    return {
        "Balance": _object({**account, **amount}),
        "Tokens": _object({**account, "tokens": {"type": "array", "items": _object(token)}, "more": more}),
        "Activity": _object(
            {
                **account,
                "transactions": {"type": "array", "items": _object(transaction)},
                "next": {**maybe, "description": "Leads to the next page, as `cursor`."},
            }
        ),
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }
