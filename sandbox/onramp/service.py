"""The pay page and what its script asks, below `/pay`."""

import json
from collections.abc import Awaitable, Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import quote as url_quote
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from walletmodal.core.chains.networks import network
from walletmodal.sandbox.answers import BodyTooLargeError, json_answer, parse_json, read_body, refusal, service_app
from walletmodal.sandbox.onramp.desk import CURRENCIES, Order, OrderRefusedError, PurchaseDesk
from walletmodal.sandbox.onramp.market import PAY_CHAINS, Asset, MarketUnavailableError
from walletmodal.sandbox.onramp.purchases import Purchase
from walletmodal.sandbox.onramp.quote import CARD_LIMITS, Quote

PAGE_PATH: Final = "/buy/select-asset"
"""Where on-ramp URLs lead, below `/pay`."""
MELD_PATH: Final = "/meld"
"""Where the pages of the other provider lead: the same card page, with its parameters in our words."""

_MAX_ORDER: Final = 16_384
_HERE: Final = Path(__file__).parent / "page"
_FILES: Final = {
    "theme.css": "text/css; charset=utf-8",
    "card.css": "text/css; charset=utf-8",
    "pay.css": "text/css; charset=utf-8",
    "pay.js": "text/javascript; charset=utf-8",
    "order.js": "text/javascript; charset=utf-8",
    "shop.js": "text/javascript; charset=utf-8",
}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": _POLICY,
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

Handler = Callable[[Request], Awaitable[Response]]


class _QuoteQuery(BaseModel):
    model_config = ConfigDict(frozen=True)

    chain: Annotated[str, Field(max_length=64)]
    token: Annotated[str, Field(max_length=64)] | None = None
    currency: Annotated[str, Field(max_length=8)]
    amount: Annotated[str, Field(pattern=r"^[0-9]{1,9}(\.[0-9]{1,2})?$")] | None = None
    quantity: Annotated[str, Field(pattern=r"^[0-9]{1,12}(\.[0-9]{1,18})?$")] | None = None


class _MeldQuery(BaseModel):
    model_config = ConfigDict(frozen=True)

    key: Annotated[str, Field(alias="publicKey", min_length=1, max_length=64)]
    wallet: Annotated[str, Field(alias="walletAddress", min_length=1, max_length=64)]
    code: Annotated[str, Field(alias="destinationCurrencyCode", min_length=1, max_length=32)]


class _PayPages:
    """Answers for one desk."""

    def __init__(self, desk: PurchaseDesk) -> None:
        self._desk = desk

    async def page(self, _: Request) -> Response:
        return FileResponse(_HERE / "index.html", media_type="text/html; charset=utf-8", headers=_HEADERS)

    async def meld(self, request: Request) -> Response:
        """Lead on to the card page for `walletAddress` and `destinationCurrencyCode`; without a `publicKey` nothing is sold."""
        query = _MeldQuery.model_validate(dict(request.query_params))
        wallet = {"address": query.wallet, "blockchains": [], "assets": [query.code]}
        asked = {"destinationWallets": json.dumps([wallet], separators=(",", ":")), "partnerUserId": query.key}
        return RedirectResponse(f"{request.scope.get('root_path', '')}{PAGE_PATH}?{urlencode(asked)}", status_code=302)

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _FILES:
            return refusal(404, "path", "There is no such file")
        return FileResponse(_HERE / name, media_type=_FILES[name], headers=_HEADERS)

    async def offer(self, _: Request) -> Response:
        assets = await self._desk.market.assets()
        least, most = (f"{limit:f}" for limit in CARD_LIMITS)
        return json_answer(
            {
                "networks": [_network_row(chain) for chain in self._desk.market.chains],
                "assets": [_asset_row(asset) for asset in assets],
                "currencies": [
                    {"code": code, "sign": sign, "min": least, "max": most} for code, sign in CURRENCIES.items()
                ],
            }
        )

    async def quote(self, request: Request) -> Response:
        query = _QuoteQuery.model_validate(dict(request.query_params))
        asset = await self._desk.asset(query.chain, query.token)
        if query.amount is not None:
            quote = await self._desk.quote(asset, query.currency, Decimal(query.amount))
        elif query.quantity is not None and Decimal(query.quantity):
            quote = await self._desk.quote_for_quantity(asset, query.currency, Decimal(query.quantity))
        else:
            raise OrderRefusedError("amount", "Name an amount or a quantity above zero")
        return json_answer(_quote_row(quote, query.currency))

    async def buy(self, request: Request) -> Response:
        try:
            asked = parse_json(await read_body(request, _MAX_ORDER))
        except BodyTooLargeError:
            return refusal(413, "body", f"An order has at most {_MAX_ORDER} bytes")
        except ValueError:
            return refusal(400, "body", "The body must be JSON")
        return json_answer(_purchase_row(await self._desk.buy(Order.model_validate(asked))), 201)

    async def purchase(self, request: Request) -> Response:
        found = self._desk.purchases.get(request.path_params["id"])
        if found is None:
            return refusal(404, "id", "There is no such purchase")
        return json_answer(_purchase_row(found))


def pay_pages(desk: PurchaseDesk) -> Starlette:
    """The page at `/buy/select-asset`, its files, and `/api/…` for its script."""
    pages = _PayPages(desk)
    return service_app(
        [
            Route(PAGE_PATH, pages.page, methods=["GET"]),
            Route(MELD_PATH, _guarded(pages.meld), methods=["GET"]),
            Route("/files/{name}", pages.file, methods=["GET"]),
            Route("/api/offer", _guarded(pages.offer), methods=["GET"]),
            Route("/api/quote", _guarded(pages.quote), methods=["GET"]),
            Route("/api/purchases", _guarded(pages.buy), methods=["POST"]),
            Route("/api/purchases/{id}", pages.purchase, methods=["GET"]),
        ]
    )


def _guarded(handler: Handler) -> Handler:
    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except OrderRefusedError as error:
            return refusal(400, error.field, error.description)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            return refusal(400, ".".join(str(part) for part in first["loc"]) or "body", first["msg"])
        except MarketUnavailableError as error:
            return refusal(503, "price", str(error))

    return answer


def _network_row(chain: str) -> dict[str, str]:
    known = network(chain)
    image = f"/directory/public/getAssetImage/{known.image_id}" if known.image_id else ""
    return {"id": chain, "payName": PAY_CHAINS[chain], "name": known.name, "image": image}


def _asset_row(asset: Asset) -> dict[str, str | None]:
    return {
        "chain": asset.chain,
        "token": asset.token,
        "name": asset.name,
        "symbol": asset.symbol,
        "image": f"/directory/public/getTokenImage/{url_quote(asset.symbol, safe='')}",
    }


def _quote_row(quote: Quote, currency: str) -> dict[str, str]:
    return {
        "currency": currency,
        "total": f"{quote.total:f}",
        "serviceFee": f"{quote.service_fee:f}",
        "networkFee": f"{quote.network_fee:f}",
        "subtotal": f"{quote.subtotal:f}",
        "price": f"{quote.price:f}",
        "quantity": f"{quote.quantity:f}",
    }


def _purchase_row(purchase: Purchase) -> dict[str, object]:
    return purchase.model_dump(mode="json")
