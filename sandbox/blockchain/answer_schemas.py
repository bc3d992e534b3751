"""The answers of the service as JSON schemas."""

from typing import Any, Final

TEXT: Final[dict[str, Any]] = {"type": "string"}
NULLABLE_TEXT: Final[dict[str, Any]] = {"type": ["string", "null"]}
NUMBER: Final[dict[str, Any]] = {"type": "number"}
NULLABLE_NUMBER: Final[dict[str, Any]] = {"type": ["number", "null"]}
UNITS: Final[dict[str, Any]] = {"type": "string", "pattern": "^[0-9]+$"}
DECIMAL: Final[dict[str, Any]] = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?$"}
HEX: Final[dict[str, Any]] = {"type": "string", "pattern": "^0x([0-9a-f]{2})*$"}
CAIP10: Final[dict[str, Any]] = {
    "type": "string",
    "pattern": r"^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:[-.%a-zA-Z0-9]{1,128}$",
}
TIME: Final[dict[str, Any]] = {"type": "string", "format": "date-time"}


def record(**properties: Any) -> dict[str, Any]:
    """An object with exactly these properties, of which none is missing."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


def listed(items: dict[str, Any]) -> dict[str, Any]:
    """A list of such things."""
    return {"type": "array", "items": items}


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Such a thing, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


_PICTURE: Final = nullable(record(url=TEXT, content_type=NULLABLE_TEXT))

_TRANSFER: Final = record(
    fungible_info=nullable(record(name=TEXT, symbol=TEXT, icon=nullable(record(url=TEXT)))),
    nft_info=nullable(
        record(
            name=TEXT,
            content=nullable(record(preview=_PICTURE, detail=_PICTURE)),
            flags=record(is_spam={"type": "boolean"}),
        )
    ),
    direction={"enum": ["in", "out", "self"]},
    quantity=record(numeric=DECIMAL),
    value=NULLABLE_NUMBER,
    price=NULLABLE_NUMBER,
)

_METADATA: Final = record(
    operationType={
        "enum": [
            *("approve", "burn", "buy", "cancel", "claim", "deploy", "deposit", "execute", "mint", "receive", "send"),
            *("trade", "withdraw"),
        ]
    },
    hash=TEXT,
    minedAt=TIME,
    sentFrom=TEXT,
    sentTo=TEXT,
    status={
        "enum": [
            *("confirmed", "failed", "pending", "ONRAMP_TRANSACTION_STATUS_SUCCESS"),
            *("ONRAMP_TRANSACTION_STATUS_IN_PROGRESS", "ONRAMP_TRANSACTION_STATUS_FAILED"),
        ]
    },
    nonce={"type": "integer", "minimum": 0},
    application=nullable(record(name=NULLABLE_TEXT, iconUrl=NULLABLE_TEXT)),
    chain=NULLABLE_TEXT,
)

_BALANCE: Final[dict[str, Any]] = {
    **record(
        name=TEXT,
        symbol=TEXT,
        chainId=TEXT,
        address=CAIP10,
        value=NUMBER,
        price=NUMBER,
        quantity=record(decimals=UNITS, numeric=DECIMAL),
        iconUrl=TEXT,
    ),
    # The native coin has no address.
    "required": ["name", "symbol", "chainId", "value", "price", "quantity", "iconUrl"],
}

_NAME: Final = record(
    name=TEXT,
    registered_at=TIME,
    updated_at=TIME,
    attributes=nullable({"type": "object", "additionalProperties": TEXT}),
    addresses={"type": "object", "additionalProperties": record(address=TEXT, created_at=TIME)},
)

_MONEY: Final = record(amount=DECIMAL, currency=TEXT)
_OBJECTS: Final = listed({"type": "object"})
_SECONDS: Final[dict[str, Any]] = {"type": "integer", "minimum": 0}

ANSWERS: Final[dict[str, dict[str, Any]]] = {
    "SupportedChains": record(http=listed(TEXT), ws=listed(TEXT)),
    "Identity": record(name=NULLABLE_TEXT, avatar=NULLABLE_TEXT, resolvedAt=TIME),
    "History": record(
        data=listed(record(id=TEXT, metadata=_METADATA, transfers=listed(_TRANSFER))), next=NULLABLE_TEXT
    ),
    "Balance": record(balances=listed(_BALANCE)),
    "SwapTokens": record(
        tokens=listed(
            record(
                name=TEXT,
                symbol=TEXT,
                address=CAIP10,
                decimals={"type": "integer", "minimum": 0, "maximum": 36},
                logoUri=NULLABLE_TEXT,
                eip2612={"type": ["boolean", "null"]},
            )
        )
    ),
    "SwapQuotes": record(
        quotes=listed(record(id=NULLABLE_TEXT, fromAmount=UNITS, fromAccount=CAIP10, toAmount=UNITS, toAccount=CAIP10))
    ),
    "Allowance": record(allowance=UNITS),
    "GasPrice": record(standard=UNITS, fast=UNITS, instant=UNITS),
    "ApprovalTransaction": record(
        tx=record(**{"from": CAIP10}, to=CAIP10, data=HEX, value=UNITS, eip155=record(gasPrice=UNITS))
    ),
    "SwapTransaction": record(
        tx=record(**{"from": CAIP10}, to=CAIP10, data=HEX, amount=UNITS, eip155=record(gas=UNITS, gasPrice=UNITS))
    ),
    "FungiblePrices": record(
        fungibles=listed(
            record(
                address=CAIP10,
                name=TEXT,
                symbol=TEXT,
                iconUrl=TEXT,
                price=NUMBER,
                decimals={"type": "integer", "minimum": 0},
            )
        )
    ),
    "Name": _NAME,
    "NameOrNone": {"anyOf": [_NAME, {"type": "array", "maxItems": 0}]},
    "Names": listed(_NAME),
    "NameSuggestions": record(
        suggestions={**listed(record(name=TEXT, registered={"type": "boolean"})), "minItems": 1, "maxItems": 5}
    ),
    "OnrampUrl": record(url={"type": "string", "format": "uri"}),
    "OnrampOptions": record(
        paymentCurrencies=listed(
            record(id=TEXT, payment_method_limits=listed(record(id=TEXT, min=DECIMAL, max=DECIMAL)))
        ),
        purchaseCurrencies=listed(
            record(
                id=TEXT,
                name=TEXT,
                symbol=TEXT,
                networks=listed(record(name=TEXT, display_name=TEXT, chain_id=TEXT, contract_address=TEXT)),
            )
        ),
    ),
    "OnrampQuote": record(
        paymentTotal=_MONEY,
        paymentSubtotal=_MONEY,
        purchaseAmount=_MONEY,
        coinbaseFee=_MONEY,
        networkFee=_MONEY,
        quoteId=TEXT,
    ),
    "SmartSessions": record(
        pcis=listed(
            record(
                project=record(id=TEXT, name=TEXT, url=NULLABLE_TEXT, iconUrl=NULLABLE_TEXT),
                pci=TEXT,
                expiry=_SECONDS,
                createdAt=_SECONDS,
                permissions=_OBJECTS,
                policies=_OBJECTS,
                context=NULLABLE_TEXT,
                revokedAt={"type": ["integer", "null"]},
            )
        )
    ),
    "SmartSessionKey": record(pci=TEXT, key=record(type={"const": "secp256k1"}, publicKey=HEX)),
    "SmartSessionContext": record(context=TEXT),
    "WalletAnswer": record(jsonrpc={"const": "2.0"}, id={}, result={"type": "array"}),
    "ProviderRefusal": {
        "type": "object",
        "required": ["status", "reasons", "code", "message"],
        "properties": {
            "status": {"const": "FAILED"},
            "reasons": listed(record(field=TEXT, description=TEXT)),
            "code": TEXT,
            "message": TEXT,
        },
    },
}
"""By the name under which the OpenAPI document has them."""
