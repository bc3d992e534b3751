"""Frozen swap: what the visitor has seen is what gets signed, if it still holds when the wallet is about to be asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from walletmodal.core.chains.caip import AccountId
from walletmodal.core.text.amounts import to_decimal
from walletmodal.features.embedded.operations import ACCOUNT_PAYS, FeePayment
from walletmodal.features.swap.tokens import SwapChoice
from walletmodal.services.swaps import PreparedSwap, SwapOrder


@dataclass(frozen=True, slots=True)
class FrozenSwap:
    """Everything that a preview stands for.

    Attributes:
        order: what is swapped.
        prepared: the transactions of it.
        connector: the wallet that is to sign.
        source, target: the tokens.
        made_at: when.
        needs_acceptance: whether the visitor must have accepted the price impact before the wallet may be asked.
        batch: whether the wallet is asked for all of it at once.
        payment: who pays the fee, as the visitor saw it.
    """

    order: SwapOrder
    prepared: PreparedSwap
    connector: str
    source: SwapChoice
    target: SwapChoice
    made_at: datetime
    needs_acceptance: bool
    batch: bool
    payment: FeePayment = ACCOUNT_PAYS

    @property
    def account(self) -> AccountId:
        """Who swaps."""
        return self.order.account

    @property
    def approves(self) -> bool:
        """Whether the next request is an approval, and the swap another one."""
        return self.prepared.approves and not self.batch

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """Symbols of both sides, and their amounts as decimal texts."""
        return swap_texts(self.source, self.target, self.order.amount, self.prepared.quoted.amount)


def swap_texts(source: SwapChoice, target: SwapChoice, given: int, received: int) -> tuple[str, str, str, str]:
    """Returns symbols of both sides, and their amounts as decimal texts."""
    amounts = to_decimal(given, source.decimals), to_decimal(received, target.decimals)
    return source.symbol, target.symbol, f"{amounts[0]:f}", f"{amounts[1]:f}"
