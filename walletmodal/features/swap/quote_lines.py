"""Lines of the form about a quote."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, TypedDict

from walletmodal.core.language import _
from walletmodal.core.swaps.terms import MARKED_IMPACT, Side, least_received, market_impact, price_impact
from walletmodal.core.text.amounts import format_units, to_decimal
from walletmodal.core.text.formatting import format_amount, format_exact
from walletmodal.core.transfers.amount_input import TypedAmount
from walletmodal.core.transfers.fees import fee_value
from walletmodal.core.transfers.send_button import fiat_line
from walletmodal.features.swap.tokens import SwapChoice
from walletmodal.services.swaps import Quoted


class QuoteLines(TypedDict):
    """What the form says of a quote; "" for what is not known."""

    received: str
    received_worth: str
    rate: str
    impact: str
    impact_marked: bool
    allowed: str
    least: str


NO_LINES: Final[QuoteLines] = {
    "received": "",
    "received_worth": "",
    "rate": "",
    "impact": "",
    "impact_marked": False,
    "allowed": "",
    "least": "",
}


def quote_impact(quoted: Quoted, amount: int, source: SwapChoice, target: SwapChoice) -> Decimal | None:
    """Returns the price impact in percent, by the market and by the pool; None where neither is known.

    Args:
        quoted: what the swap brings.
        amount: what is given, in base units.
        source: the token that is given.
        target: the one that is received.
    """
    given, received = Side(amount, source.decimals, source.price), Side(quoted.amount, target.decimals, target.price)
    return price_impact(quoted.impact, market_impact(given, received))


def quote_lines(
    quoted: Quoted, amount: int, source: SwapChoice, target: SwapChoice, *, slippage: Decimal, impact: Decimal | None
) -> QuoteLines:
    """Builds the lines.

    Args:
        quoted: what the swap brings.
        amount: what is given, in base units, more than zero.
        source: the token that is given.
        target: the one that is received.
        slippage: in percent.
        impact: as by `quote_impact`.
    """
    least = least_received(quoted.amount, slippage)
    rate = to_decimal(quoted.amount, target.decimals) / to_decimal(amount, source.decimals)
    return {
        "received": format_units(quoted.amount, target.decimals),
        "received_worth": fiat_line(TypedAmount(quoted.amount), target.decimals, target.price),
        "rate": rate_text(rate, source, target),
        "impact": "" if impact is None else f"{impact:f}%",
        "impact_marked": impact is not None and impact > MARKED_IMPACT,
        "allowed": _(
            "{amount} {symbol}",
            amount=format_amount(to_decimal(quoted.amount - least, target.decimals)),
            symbol=target.symbol,
        ),
        "least": _("{amount} {symbol}", amount=format_exact(to_decimal(least, target.decimals)), symbol=target.symbol),
    }


def rate_text(rate: Decimal, source: SwapChoice, target: SwapChoice) -> str:
    """Says how much of the one token is one of the other."""
    return _("1 {given} = {rate} {received}", given=source.symbol, rate=format_amount(rate), received=target.symbol)


def fee_line(fee: int | None, coin: SwapChoice) -> str:
    """Returns what a fee in wei is worth; "" where that is not known."""
    if fee is None or not fee_value(fee, coin.decimals, coin.price):
        return ""
    return fiat_line(TypedAmount(fee), coin.decimals, coin.price)
