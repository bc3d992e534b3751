"""The service's part of the sandbox's OpenAPI document."""

from typing import Any, Final

from pydantic import BaseModel

from walletmodal.sandbox.blockchain.answer_schemas import ANSWERS
from walletmodal.sandbox.blockchain.convert.transactions import BuildTransactionRequest
from walletmodal.sandbox.blockchain.currencies import CURRENCIES
from walletmodal.sandbox.blockchain.fungible import PriceRequest
from walletmodal.sandbox.blockchain.names.endpoint import RegisterRequest
from walletmodal.sandbox.blockchain.names.rules import ZONES
from walletmodal.sandbox.blockchain.onramp import OnrampQuoteRequest, OnrampUrlRequest
from walletmodal.sandbox.blockchain.requests import BASE_UNITS, PROJECT_ID
from walletmodal.sandbox.blockchain.sessions.calls import WalletRequest
from walletmodal.sandbox.blockchain.sessions.endpoint import ActivateRequest, GrantRequest, RevokeRequest
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN

_PLAIN: Final = r"^((0x)?[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$"
_CHAIN_NUMBERS: Final = "|".join(caip2.removeprefix("eip155:") for caip2 in worlds())
_ACCOUNT: Final = (
    rf"^((eip155:({_CHAIN_NUMBERS}):)?(0x)?[0-9a-fA-F]{{40}}|({SOLANA_CHAIN}:)?[1-9A-HJ-NP-Za-km-z]{{32,44}})$"
)
_ASSET: Final = f"^eip155:({_CHAIN_NUMBERS}):(0x)?[0-9a-fA-F]{{40}}$"
_NAME: Final = rf"^[a-z0-9-]{{3,64}}\.({'|'.join(zone.replace('.', '[.]') for zone in ZONES)})$"

_REFUSED: Final = {"$ref": "#/components/responses/Refused"}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/Blockchain{name}"}


def _parameter(name: str, schema: dict[str, Any], *, required: bool = False, place: str = "query") -> dict[str, Any]:
    return {"name": name, "in": place, "required": required or place == "path", "schema": schema}


def _path(name: str, pattern: str) -> dict[str, Any]:
    return _parameter(name, {"type": "string", "pattern": pattern}, place="path")


def _text(name: str, pattern: str, *, required: bool = False) -> dict[str, Any]:
    # An empty parameter that need not be there counts as absent.
    pattern = pattern if required else f"^({pattern[1:-1]})?$"
    return _parameter(name, {"type": "string", "pattern": pattern}, required=required)


def _choice(name: str, choices: list[str], *, required: bool = False) -> dict[str, Any]:
    return _parameter(name, {"type": "string", "enum": choices if required else [*choices, ""]}, required=required)


_PROJECT: Final = [
    _text("projectId", PROJECT_ID),
    _parameter("st", {"type": "string"}),
    _parameter("sv", {"type": "string"}),
]
_EVM_CHAINS: Final = list(worlds())
_CHAINS: Final = [*_EVM_CHAINS, SOLANA_CHAIN]


def _answers(answer: str | None, refusals: str) -> dict[str, Any]:
    if answer is None:
        ok: dict[str, Any] = {"description": "Done; nothing is answered."}
    else:
        ok = {"description": "The answer.", "content": {"application/json": {"schema": _ref(answer)}}}
    return {"200": ok, **dict.fromkeys(refusals.split(), _REFUSED)}


def _get(summary: str, answer: str, parameters: list[dict[str, Any]], refusals: str = "400 401 503") -> dict[str, Any]:
    return {
        "tags": ["blockchain"],
        "summary": summary,
        "parameters": [*parameters, *_PROJECT],
        "responses": _answers(answer, refusals),
    }


def _post(
    summary: str,
    answer: str | None,
    body: type[BaseModel],
    parameters: list[dict[str, Any]] | None = None,
    refusals: str = "400 401 413 422 503",
) -> dict[str, Any]:
    return {
        "tags": ["blockchain"],
        "summary": summary,
        "parameters": [*(parameters or []), *_PROJECT],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref(body.__name__)}}},
        "responses": _answers(answer, refusals),
    }


_SWAP: Final = [
    _text("from", _ASSET, required=True),
    _text("to", _ASSET, required=True),
]
_USER: Final = rf"^(eip155:({_CHAIN_NUMBERS}):)?(0x)?[0-9a-fA-F]{{40}}$"
_VERSION: Final = _choice("apiVersion", ["1", "2"])
_SESSION_ACCOUNT: Final = [_path("address", _ASSET)]


def _paths() -> dict[str, Any]:
    below = "/blockchain/v1"
    return {
        f"{below}/supported-chains": {"get": _get("The chains that are served", "SupportedChains", [], "401")},
        f"{below}/identity/{{address}}": {
            "get": _get(
                "The ENS name and picture of an account",
                "Identity",
                [_path("address", _PLAIN), _text("sender", _PLAIN), _choice("useCache", ["true", "false"])],
                "400 401 404 503",
            )
        },
        f"{below}/account/{{account}}/history": {
            "get": _get(
                "What an account did, newest first, fifty to a page",
                "History",
                [
                    _path("account", _ACCOUNT),
                    _text("cursor", "^[-_a-zA-Z0-9]{1,300}$"),
                    _choice("onramp", ["coinbase"]),
                    _choice("chainId", _CHAINS),
                    _choice("currency", ["usd"]),
                ],
                "400 401 404 503",
            )
        },
        f"{below}/account/{{address}}/balance": {
            "get": _get(
                "What an account holds; nothing without Origin and sdk version",
                "Balance",
                [
                    _path("address", _PLAIN),
                    _choice("currency", list(CURRENCIES), required=True),
                    _choice("chainId", _CHAINS),
                    _text("forceUpdate", f"^{_ASSET[1:-1]}(,{_ASSET[1:-1]}){{0,19}}$"),
                    _parameter("x-sdk-version", {"type": "string"}, place="header"),
                ],
                "400 401 404 503",
            )
        },
        f"{below}/convert/tokens": {
            "get": _get("What can be swapped", "SwapTokens", [_choice("chainId", _CHAINS, required=True)])
        },
        f"{below}/convert/quotes": {
            "get": _get(
                "What a swap gives now",
                "SwapQuotes",
                [
                    *_SWAP,
                    _text("amount", BASE_UNITS, required=True),
                    _text("userAddress", _USER),
                    _text("gasPrice", "^[0-9]{1,78}$"),
                ],
            )
        },
        f"{below}/convert/allowance": {
            "get": _get(
                "What the swap router may take",
                "Allowance",
                [_text("tokenAddress", _ASSET, required=True), _text("userAddress", _ASSET, required=True)],
            )
        },
        f"{below}/convert/gas-price": {
            "get": _get("Gas prices in wei", "GasPrice", [_choice("chainId", _CHAINS, required=True)])
        },
        f"{below}/convert/build-approve": {
            "get": _get(
                "The transaction that lets the router take a token; tx.from is the contract to call",
                "ApprovalTransaction",
                [*_SWAP, _text("userAddress", _USER, required=True), _text("amount", BASE_UNITS)],
            )
        },
        f"{below}/convert/build-transaction": {
            "post": _post("The transaction of a swap", "SwapTransaction", BuildTransactionRequest)
        },
        f"{below}/fungible/price": {"post": _post("The price of the first address", "FungiblePrices", PriceRequest)},
        f"{below}/profile/account": {"post": _post("Register a name", "Name", RegisterRequest)},
        f"{below}/profile/account/{{name}}": {
            "get": _get("A name's record", "NameOrNone", [_path("name", _NAME), _VERSION], "400 401 404")
        },
        f"{below}/profile/reverse/{{address}}": {
            "get": _get(
                "An account's names",
                "Names",
                [_path("address", _PLAIN), _text("sender", _PLAIN), _VERSION],
                "400 401 404",
            )
        },
        f"{below}/profile/suggestions/{{name}}": {
            "get": _get(
                "The name with the zone, and free ones",
                "NameSuggestions",
                [_path("name", "^[a-z0-9-]{3,64}$"), _choice("zone", list(ZONES))],
                "400 401 404",
            )
        },
        f"{below}/generators/onrampurl": {
            "post": _post("The pay page's URL", "OnrampUrl", OnrampUrlRequest, refusals="400 401 413 422")
        },
        f"{below}/onramp/options": {"get": _get("What can be bought", "OnrampOptions", [], "401")},
        f"{below}/onramp/quote": {"post": _post("What a payment buys", "OnrampQuote", OnrampQuoteRequest)},
        f"{below}/sessions/{{address}}": {
            "get": _get("An account's permissions", "SmartSessions", _SESSION_ACCOUNT, "400 401 404"),
            "post": _post(
                "Prepare a permission", "SmartSessionKey", GrantRequest, _SESSION_ACCOUNT, "400 401 404 413 422"
            ),
        },
        f"{below}/sessions/{{address}}/activate": {
            "post": _post("Keep a grant", None, ActivateRequest, _SESSION_ACCOUNT, "400 401 404 413 422")
        },
        f"{below}/sessions/{{address}}/getcontext": {
            "get": _get(
                "The wallet's context of a permission",
                "SmartSessionContext",
                [*_SESSION_ACCOUNT, _text("pci", "^.{1,64}$", required=True)],
                "400 401 404",
            )
        },
        f"{below}/sessions/{{address}}/revoke": {
            "post": _post("Revoke a permission", None, RevokeRequest, _SESSION_ACCOUNT, "400 401 404 413 422 503")
        },
        f"{below}/wallet": {
            "post": _post(
                "Prepare calls within a permission, and send them (`wallet_prepareCalls`, `wallet_sendPreparedCalls`)",
                "WalletAnswer",
                WalletRequest,
                refusals="400 401 404 413 422 503",
            )
        },
    }


def _schemas() -> dict[str, Any]:
    schemas: dict[str, Any] = {f"Blockchain{name}": schema for name, schema in ANSWERS.items()}
    for model in (
        *(BuildTransactionRequest, PriceRequest, RegisterRequest, OnrampUrlRequest, OnrampQuoteRequest),
        *(GrantRequest, ActivateRequest, RevokeRequest, WalletRequest),
    ):
        schema = model.model_json_schema(by_alias=True, ref_template="#/components/schemas/Blockchain{model}")
        schemas.update({f"Blockchain{name}": part for name, part in schema.pop("$defs", {}).items()})
        schemas[f"Blockchain{model.__name__}"] = schema
    return schemas


OPENAPI: Final[dict[str, Any]] = {"paths": _paths(), "components": {"schemas": _schemas()}}
"""Paths from the sandbox's root, and the schemas that they name."""
