"""The directory's part of the OpenAPI document."""

from typing import Any, Final

from walletmodal.sandbox.directory.pictures import known_symbols
from walletmodal.sandbox.directory.query import BADGES, CHAIN, DEFAULT_ENTRIES, MAX_ENTRIES, MAX_PAGE
from walletmodal.sandbox.directory.wallets import Wallet, catalogue
from walletmodal.sandbox.openapi import model_schemas

_IDENTITY: Final = [
    {"name": name, "in": "query", "schema": {"type": "string"}, "description": text}
    for name, text in (
        ("projectId", "Taken, and not insisted on."),
        ("st", "Kind of SDK; taken, and not insisted on."),
        ("sv", "Version of the SDK; taken, and not insisted on."),
    )
]
_REFUSED: Final = {"$ref": "#/components/responses/Refused"}


def _query(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, "description": description}


def _picture(of: str, examples: list[str]) -> dict[str, Any]:
    path = {
        "name": "name",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "minLength": 1},
        "examples": {one: {"value": one} for one in examples},
    }
    drawn = {"description": "The picture.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}
    return {
        "get": {
            "tags": ["directory"],
            "summary": f"The picture of {of}",
            "parameters": [path, *_IDENTITY],
            "responses": {"200": drawn, "404": _REFUSED},
        }
    }


def _get_wallets() -> dict[str, Any]:
    ids = {"type": "string"}
    chains = rf"^({CHAIN}(,{CHAIN})*)?$"
    answer = {
        "type": "object",
        "required": ["count", "data"],
        "properties": {
            "count": {"type": "integer", "minimum": 0},
            "data": {"type": "array", "items": {"$ref": "#/components/schemas/Wallet"}},
        },
    }
    return {
        "get": {
            "tags": ["directory"],
            "summary": "One page of the wallets asked for, and their number in all",
            "parameters": [
                _query("page", {"type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 1}, "Which page."),
                _query(
                    "entries",
                    {"type": "integer", "minimum": 1, "maximum": MAX_ENTRIES, "default": DEFAULT_ENTRIES},
                    "Wallets on a page.",
                ),
                _query("include", ids, "Only these ids, with commas between them."),
                _query("exclude", ids, "Not these ids, with commas between them."),
                _query(
                    "chains", {"type": "string", "pattern": chains}, "Only wallets of at least one of these CAIP-2 ids."
                ),
                _query("search", {"type": "string"}, "Only names that contain this, whatever the case."),
                _query("badge_type", {"type": "string", "enum": list(BADGES)}, "Only wallets with this badge."),
                *_IDENTITY,
            ],
            "responses": {
                "200": {"description": "The page.", "content": {"application/json": {"schema": answer}}},
                "400": _REFUSED,
            },
        }
    }


def _analytics_config() -> dict[str, Any]:
    answer = {
        "type": "object",
        "required": ["isAnalyticsEnabled"],
        "properties": {"isAnalyticsEnabled": {"type": "boolean"}},
    }
    return {
        "get": {
            "tags": ["directory"],
            "summary": "Whether the project wants analytics",
            "parameters": _IDENTITY,
            "responses": {"200": {"description": "It does.", "content": {"application/json": {"schema": answer}}}},
        }
    }


OPENAPI: Final[dict[str, Any]] = {
    "paths": {
        "/directory/getWallets": _get_wallets(),
        "/directory/getWalletImage/{name}": _picture("a wallet, by the id of the picture", [catalogue("")[0].image_id]),
        "/directory/public/getAssetImage/{name}": _picture(
            "a network or a connector, by its image id", ["ba0ba0cd-17c6-4806-ad93-f9d174f17900"]
        ),
        "/directory/public/getCurrencyImage/{name}": _picture("a currency, by its code", ["USD"]),
        "/directory/public/getTokenImage/{name}": _picture("a token, by its symbol", known_symbols()[:3]),
        "/directory/getAnalyticsConfig": _analytics_config(),
    },
    "components": {"schemas": model_schemas(Wallet)},
}
