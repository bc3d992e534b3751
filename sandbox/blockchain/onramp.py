"""Buying with a card: the pay page's URL, what can be bought, and what it costs."""

import json
import re
import uuid
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_UP, Context, Decimal
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.chains import NATIVE, NATIVE_DECIMALS, Chain, Chains
from walletmodal.sandbox.blockchain.convert.gas import gas_prices
from walletmodal.sandbox.blockchain.currencies import fiat_per_dollar
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.prices import Prices, whole_units
from walletmodal.sandbox.blockchain.requests import WHOLE, body, optional
from walletmodal.sandbox.blockchain.tokens import TokenBook, TokenInfo
from walletmodal.sandbox.chains import CHAINS

PAYMENT_LIMITS: Final = {"card": ("10.00", "7500.00"), "ach_bank_account": ("10.00", "25000.00")}
PAYMENT_CURRENCIES: Final = ("USD", "EUR", "GBP")
FEE: Final = Decimal("0.015")
"""The provider's share of a payment (1 to 2 %)."""

_GAS_OF_CREDIT: Final = 65_000
_SHOWN_DIGITS: Final = 8
_CENT: Final = Decimal("0.01")
_EXACT: Final = Context(prec=100)
_AMOUNT: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,18})?")
_NETWORK_NAMES: Final = {1: "ethereum", 137: "polygon", 10: "optimism", 8453: "base", 42161: "arbitrum"}
_CURRENCY_NAMESPACE: Final = uuid.UUID("6f3a2f52-6c35-4d3f-9c27-1f0d8f6f2a4e")
_NAMES: Final = {chain.caip2: chain.name for chain in CHAINS}

_Count = Annotated[int, Field(ge=0, lt=2**53), WHOLE]


def _schema(**keywords: Any) -> Any:
    """Keywords for the document alone."""
    return Field(json_schema_extra=keywords)


class DestinationWallet(BaseModel):
    """Who is credited, and with what on which of the provider's blockchains."""

    model_config = ConfigDict(frozen=True, strict=True)

    address: Annotated[str, Field(min_length=1, max_length=128)]
    blockchains: list[str] | None = None
    assets: list[str] | None = None


class OnrampUrlRequest(BaseModel):
    """The body of onrampurl, names as the clients have them."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    # Their lengths are judged where they are used: at the public service that is 400, not 422.
    destinationWallets: Annotated[list[DestinationWallet], _schema(minItems=1)]
    partnerUserId: Annotated[str, _schema(minLength=32, maxLength=50)]
    defaultNetwork: str | None = None
    defaultExperience: Literal["buy", "send"] | None = None
    presetCryptoAmount: _Count | None = None
    presetFiatAmount: _Count | None = None


class Currency(BaseModel):
    """A payment or purchase currency, as `options` named it; only these fields count."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    id: Annotated[str, Field(min_length=1, max_length=64)]
    symbol: str | None = None
    networks: list[dict[str, Any]] = []


class OnrampQuoteRequest(BaseModel):
    """The body of a quote; `network` is the purchase symbol."""

    model_config = ConfigDict(frozen=True, strict=True, populate_by_name=True, extra="ignore")

    purchase: Annotated[Currency, Field(alias="purchaseCurrency")]
    payment: Annotated[Currency, Field(alias="paymentCurrency")]
    amount: Annotated[str, _schema(pattern=f"^{_AMOUNT.pattern}$")]
    network: str


@dataclass(frozen=True, slots=True)
class _Bought:
    chain: Chain
    token: TokenInfo


@dataclass(frozen=True, slots=True)
class _Quote:
    """All in the currency of the payment, but `quantity`, which is whole units of what is bought."""

    total: Decimal
    fee: Decimal
    network_fee: Decimal
    subtotal: Decimal
    quantity: Decimal


class OnrampEndpoint:
    """Answers about buying.

    Args:
        chains: where can be bought.
        tokens, prices: what can be bought, and its price.
        sandbox_url: where the pay page is, without a slash at the end.
    """

    def __init__(self, chains: Chains, tokens: TokenBook, prices: Prices, sandbox_url: str) -> None:
        self._chains = chains
        self._tokens = tokens
        self._prices = prices
        self._sandbox_url = sandbox_url

    async def url(self, request: Request) -> Response:
        """Answer with `{url}` of the pay page."""
        wish = await body(request, OnrampUrlRequest)
        if not wish.destinationWallets:
            raise RefusedError(400, "destinationWallets", "At least one destination wallet is needed")
        if not 32 <= len(wish.partnerUserId) <= 50:
            raise RefusedError(400, "partnerUserId", "The partner's user id is 32 to 50 characters long")
        given = wish.model_dump(exclude_none=True)
        wallets = json.dumps(given.pop("destinationWallets"), separators=(",", ":"))
        given.setdefault("defaultExperience", "buy")
        query = {"appId": optional(request, "projectId") or "sandbox", "destinationWallets": wallets, **given}
        return json_answer({"url": f"{self._sandbox_url}/pay/buy/select-asset?{urlencode(query)}"})

    async def options(self, _: Request) -> Response:
        """Answer with `{paymentCurrencies, purchaseCurrencies}`: the tokens of the chains."""
        limits = [{"id": name, "min": low, "max": high} for name, (low, high) in PAYMENT_LIMITS.items()]
        payment = [{"id": currency, "payment_method_limits": limits} for currency in PAYMENT_CURRENCIES]
        purchase = [
            {
                "id": str(uuid.uuid5(_CURRENCY_NAMESPACE, symbol)),
                "name": bought[0].token.name,
                "symbol": symbol,
                "networks": [_network(one) for one in bought],
            }
            for symbol, bought in self._purchasable().items()
        ]
        return json_answer({"paymentCurrencies": payment, "purchaseCurrencies": purchase})

    async def quote(self, request: Request) -> Response:
        """Answer with the parts of a payment, and what it buys at today's price."""
        wish = await body(request, OnrampQuoteRequest)
        rate = fiat_per_dollar(wish.payment.id.lower()) if wish.payment.id in PAYMENT_CURRENCIES else None
        if rate is None:
            raise RefusedError(400, "paymentCurrency", f"One of {', '.join(PAYMENT_CURRENCIES)}")
        if not _AMOUNT.fullmatch(wish.amount):
            raise RefusedError(400, "amount", "An amount is a decimal number above zero")
        bought = self._bought(wish)
        quote = await self._priced(bought, Decimal(wish.amount), rate)
        paid = wish.payment.id
        return json_answer(
            {
                "paymentTotal": {"amount": f"{quote.total:f}", "currency": paid},
                "paymentSubtotal": {"amount": f"{quote.subtotal:f}", "currency": paid},
                "purchaseAmount": {"amount": f"{quote.quantity:f}", "currency": bought.token.symbol},
                "coinbaseFee": {"amount": f"{quote.fee:f}", "currency": paid},
                "networkFee": {"amount": f"{quote.network_fee:f}", "currency": paid},
                "quoteId": str(uuid.uuid4()),
            }
        )

    async def _priced(self, bought: _Bought, amount: Decimal, rate: Decimal) -> _Quote:
        prices = await self._prices.of(bought.chain)
        price, native = prices.of(bought.token.address), prices.of(NATIVE)
        if price is None or native is None:
            raise RefusedError(400, "purchaseCurrency", "This currency has no price")
        gas = (await gas_prices(bought.chain)).standard * _GAS_OF_CREDIT
        network_fee = _EXACT.multiply(whole_units(gas, NATIVE_DECIMALS), native * rate).quantize(
            _CENT, ROUND_UP, _EXACT
        )
        total = amount.quantize(_CENT, ROUND_DOWN, _EXACT)
        fee = (total * FEE).quantize(_CENT, ROUND_UP, _EXACT)
        subtotal = total - fee - network_fee
        step = Decimal(1).scaleb(-min(bought.token.decimals, _SHOWN_DIGITS))
        quantity = _EXACT.divide(max(subtotal, Decimal(0)), price * rate).quantize(step, ROUND_DOWN, _EXACT)
        if not quantity:
            raise RefusedError(400, "amount", "The amount does not cover the fees")
        return _Quote(total, fee, network_fee, subtotal, quantity)

    def _purchasable(self) -> dict[str, list[_Bought]]:
        found: dict[str, list[_Bought]] = {}
        for chain in self._chains:
            for token in self._tokens.known(chain):
                found.setdefault(token.symbol, []).append(_Bought(chain, token))
        return found

    def _bought(self, wish: OnrampQuoteRequest) -> _Bought:
        options = self._purchasable().get(wish.purchase.symbol or wish.network)
        if not options:
            raise RefusedError(400, "purchaseCurrency", "This currency cannot be bought")
        named = {str(network.get("chain_id")) for network in wish.purchase.networks}
        return next((one for one in options if str(one.chain.number) in named), options[0])


def _network(bought: _Bought) -> dict[str, object]:
    chain, native = bought.chain, bought.token.address == NATIVE
    return {
        "name": f"{_NETWORK_NAMES.get(chain.number, str(chain.number))}-mainnet",
        "display_name": _NAMES.get(chain.caip2, chain.caip2),
        "chain_id": str(chain.number),
        # The provider knows the chain's own coin by an empty contract.
        "contract_address": "" if native else bought.token.address,
    }
