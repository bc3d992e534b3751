"""Sells: checks an order, charges the card, credits the account on its chain, and keeps the purchase."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from walletmodal.core.chains.addresses import is_address
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.onramp.cards import CardOutcome, CardRefusedError, check_card
from walletmodal.sandbox.onramp.market import Asset, Market, NotQuotedError
from walletmodal.sandbox.onramp.purchases import Purchase, PurchaseStatus, PurchaseStore
from walletmodal.sandbox.onramp.quote import CARD_LIMITS, CENT, Quote

CURRENCIES: Final = {"USD": "$", "EUR": "€", "GBP": "£"}
"""What cards pay with, and its sign."""

SLOW_SECONDS: Final = 8.0
"""How long the slow card takes."""

Credit = Callable[[str, str | None, str, int], Awaitable[str | None]]
"""Credits an account: chain (CAIP-2), plain token address or None for the native coin, plain address, base units. Gives the
transaction's hash, or None where the chain was told without one. Raises NodeFailedError when the chain does not answer."""


class OrderRefusedError(Exception):
    """An order cannot be taken.

    Args:
        field: which part of it is wrong.
        description: what is wrong with it, for the visitor.
    """

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


class CardDetails(BaseModel):
    """A card as it was typed: number, `MM/YY`, and the code on its back."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    number: Annotated[str, Field(max_length=40)]
    expiry: Annotated[str, Field(max_length=10)]
    code: Annotated[str, Field(max_length=10)]


class Order(BaseModel):
    """What a visitor wants to buy.

    Attributes:
        chain: CAIP-2 id.
        token: plain address of the token's contract; None for the native coin.
        address: plain address of the account to credit.
        currency: code of what is paid in.
        amount: what is paid, decimal string.
        partner_user_id: from the pay page's own address.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    chain: Annotated[str, Field(max_length=64)]
    token: Annotated[str, Field(max_length=64)] | None = None
    address: Annotated[str, Field(max_length=64)]
    currency: Annotated[str, Field(max_length=8)]
    amount: Annotated[str, Field(pattern=r"^[0-9]{1,9}(\.[0-9]{1,2})?$")]
    partner_user_id: Annotated[str, Field(max_length=64)] = ""
    card: CardDetails


class PurchaseDesk:
    """Takes orders.

    Args:
        market: what is on sale, and prices.
        credit: brings the asset to the account.
        purchases: where purchases are kept; those that an ended process left in progress are failed.
        slow_seconds: how long the slow card takes.

    Attributes:
        settling: the payments with the slow card that are not settled yet.
    """

    def __init__(
        self, market: Market, credit: Credit, purchases: PurchaseStore, slow_seconds: float = SLOW_SECONDS
    ) -> None:
        self.market = market
        self.purchases = purchases
        self._credit = credit
        self._slow_seconds = slow_seconds
        self.settling: set[asyncio.Task[Purchase]] = set()
        for left in purchases.in_progress():
            purchases.put(left.model_copy(update={"status": PurchaseStatus.FAILED}))

    async def buy(self, order: Order) -> Purchase:
        """Take an order.

        Returns:
            The purchase: succeeded, failed (the card was declined, or the chain did not take it), or in progress.

        Raises:
            OrderRefusedError: the order is wrong; nothing was charged.
            MarketUnavailableError: the blockchain service does not tell the price.
        """
        asset = await self.asset(order.chain, order.token)
        if not is_address(parse_chain_id(order.chain).namespace, order.address):
            raise OrderRefusedError("address", "This is no address of the network")
        outcome = _charge(order.card)
        quote = await self.quote(asset, order.currency, Decimal(order.amount))
        purchase = _purchase(order, asset, quote)
        if outcome is CardOutcome.DECLINED:
            purchase = purchase.model_copy(update={"status": PurchaseStatus.FAILED})
            self.purchases.put(purchase)
            return purchase
        self.purchases.put(purchase)
        units = quote.base_units(asset.decimals)
        if outcome is CardOutcome.SLOW:
            task = asyncio.create_task(self._settle(purchase, units, self._slow_seconds), name="slow card")
            self.settling.add(task)
            task.add_done_callback(self.settling.discard)
            return purchase
        return await self._settle(purchase, units, 0)

    async def asset(self, chain: str, token: str | None) -> Asset:
        """What an order names.

        Raises:
            OrderRefusedError: it is not on sale.
            MarketUnavailableError: the blockchain service gives no list.
        """
        if chain not in self.market.chains:
            raise OrderRefusedError("chain", "Nothing is sold on this network")
        asset = await self.market.asset(chain, token)
        if asset is None:
            raise OrderRefusedError("token", "This asset is not on sale")
        return asset

    async def quote(self, asset: Asset, currency: str, amount: Decimal) -> Quote:
        """What an amount buys.

        Raises:
            OrderRefusedError: the currency or the amount is not taken.
            MarketUnavailableError: the blockchain service does not tell the price.
        """
        require_currency(currency)
        least, most = CARD_LIMITS
        if not least <= amount <= most:
            raise OrderRefusedError("amount", f"A card pays {least} to {most} {currency}")
        try:
            quote = await self.market.quote(asset, currency, amount)
        except NotQuotedError as error:
            raise OrderRefusedError("amount", str(error)) from error
        if quote.quantity == 0:
            raise OrderRefusedError("amount", "This is too little to buy any")
        return quote

    async def quote_for_quantity(self, asset: Asset, currency: str, quantity: Decimal) -> Quote:
        """What must be paid to get at least a quantity.

        Raises:
            OrderRefusedError: the currency is not taken, or a card cannot pay for it.
            MarketUnavailableError: the blockchain service does not tell the price.
        """
        # The largest payment covers every fee, so that it always has a price.
        quote = await self.quote(asset, currency, CARD_LIMITS[1])
        quote = await self.quote(asset, currency, quote.total_for(quantity))
        if quote.quantity >= quantity:
            return quote
        # Fees are rounded to a cent, which can take the last part of what is wanted.
        return await self.quote(asset, currency, quote.total + CENT)

    async def _settle(self, purchase: Purchase, units: int, seconds: float) -> Purchase:
        await asyncio.sleep(seconds)
        # A reset in the meantime took the chain and the purchases back; this one stays gone.
        if self.purchases.get(purchase.id) is None:
            return purchase
        try:
            transaction = await self._credit(purchase.chain, purchase.token, purchase.address, units)
        except NodeFailedError:
            settled = purchase.model_copy(update={"status": PurchaseStatus.FAILED})
        else:
            settled = purchase.model_copy(update={"status": PurchaseStatus.SUCCESS, "transaction": transaction})
        self.purchases.put(settled)
        return settled


def require_currency(currency: str) -> None:
    """Check that cards pay in a currency.

    Raises:
        OrderRefusedError: they do not.
    """
    if currency not in CURRENCIES:
        raise OrderRefusedError("currency", f"One of {', '.join(CURRENCIES)}")


def _charge(card: CardDetails) -> CardOutcome:
    try:
        return check_card(card.number, card.expiry, card.code, datetime.now(UTC))
    except CardRefusedError as error:
        raise OrderRefusedError(f"card.{error.field}", error.description) from error


def _purchase(order: Order, asset: Asset, quote: Quote) -> Purchase:
    return Purchase(
        id=f"onramp-{secrets.token_hex(12)}",
        chain=asset.chain,
        address=order.address,
        token=asset.token,
        name=asset.name,
        symbol=asset.symbol,
        quantity=f"{quote.quantity:f}",
        payment_total=f"{quote.total:f}",
        payment_currency=order.currency,
        status=PurchaseStatus.IN_PROGRESS,
        partner_user_id=order.partner_user_id,
        at=datetime.now(UTC),
    )
