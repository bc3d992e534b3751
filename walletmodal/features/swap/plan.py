"""Texts of a swap's preview."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, TypedDict

from walletmodal.core.language import _
from walletmodal.core.swaps.terms import ACCEPTED_IMPACT, HIGH_SLIPPAGE, MARKED_IMPACT
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.text.formatting import format_exact
from walletmodal.core.transfers.fees import fee_value
from walletmodal.features.send.plan import dollar_text, fee_text
from walletmodal.features.swap.quote_lines import rate_text
from walletmodal.features.swap.tokens import SwapChoice
from walletmodal.services.swaps import PreparedSwap, SwapOrder


class SwapPlan(TypedDict):
    """What the preview says. All of it is text, and none of it is believed: what is signed is kept apart."""

    amount: str
    symbol: str
    icon: str
    worth: str
    received: str
    received_symbol: str
    received_icon: str
    received_worth: str
    rate: str
    impact: str
    impact_marked: bool
    impact_unknown: bool
    slippage: str
    slippage_high: bool
    least: str
    fee: str
    fee_worth: str
    payer: str
    payer_icon: str
    unpaid: str
    contract: str
    token: str
    approves: bool
    resets: bool
    steps: int
    batch: bool
    simulated: str
    failure: str
    accepts: bool


SWAP_PLAN_FIELDS: Final = frozenset(SwapPlan.__annotations__)


def build_swap_plan(
    order: SwapOrder,
    prepared: PreparedSwap,
    source: SwapChoice,
    target: SwapChoice,
    coin: SwapChoice,
    *,
    impact: Decimal | None,
    icons: tuple[str, str],
    batch: bool,
    payer: str = "",
    payer_icon: str = "",
    unpaid: str = "",
) -> SwapPlan:
    """Builds the texts of a preview.

    Args:
        order: what is swapped.
        prepared: the transactions of it, and their simulation.
        source: the token that is given.
        target: the one that is received.
        coin: the network's own coin, in which the fee is paid.
        impact: price impact in percent, by the market and by the pool; None where neither is known.
        icons: paths of the pictures of both tokens, or "".
        batch: whether the wallet is asked for approval and swap at once.
        payer: who pays the fee in the account's place, or "".
        payer_icon: their picture, or "".
        unpaid: why nobody does who might, or "".
    """
    amount, received = to_decimal(order.amount, source.decimals), to_decimal(prepared.quoted.amount, target.decimals)
    least, simulated = to_decimal(prepared.least, target.decimals), prepared.simulated
    pays = prepared.next is not None and not payer
    return {
        "amount": format_exact(amount),
        "symbol": source.symbol,
        "icon": icons[0],
        "worth": dollar_text(fee_value(order.amount, source.decimals, source.price)),
        "received": format_exact(received),
        "received_symbol": target.symbol,
        "received_icon": icons[1],
        "received_worth": dollar_text(fee_value(prepared.quoted.amount, target.decimals, target.price)),
        "rate": rate_text(received / amount, source, target),
        "impact": "" if impact is None else f"{impact:f}%",
        "impact_marked": impact is not None and impact > MARKED_IMPACT,
        "impact_unknown": impact is None,
        "slippage": f"{order.slippage:f}%",
        "slippage_high": order.slippage > HIGH_SLIPPAGE,
        "least": _("{amount} {symbol}", amount=format_exact(least), symbol=target.symbol),
        "fee": fee_text(prepared.fee, coin.decimals, coin.symbol) if pays else "",
        "fee_worth": dollar_text(fee_value(prepared.fee, coin.decimals, coin.price)) if pays else "",
        "payer": payer,
        "payer_icon": payer_icon,
        "unpaid": unpaid,
        "contract": prepared.promise.contract,
        "token": prepared.promise.target or "",
        "approves": prepared.approves and not batch,
        "resets": len(prepared.calls) > 2,
        "steps": len(prepared.calls),
        "batch": batch,
        "simulated": ""
        if simulated is None
        else _("{amount} {symbol}", amount=format_exact(to_decimal(simulated, target.decimals)), symbol=target.symbol),
        "failure": prepared.fault,
        "accepts": impact is None or impact > ACCEPTED_IMPACT,
    }
