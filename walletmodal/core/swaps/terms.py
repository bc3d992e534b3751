"""Terms of a swap: slippage, what is received at least, and price impact. Integers and exact fractions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from fractions import Fraction
from typing import Final

from walletmodal.core.constants import SWAP_SLIPPAGE_PERCENT

DEFAULT_SLIPPAGE: Final = Decimal(SWAP_SLIPPAGE_PERCENT)
SLIPPAGES: Final = (Decimal("0.1"), Decimal("0.5"), Decimal(1))
"""Offered to choose from, in percent; any other up to `MAX_SLIPPAGE` may be typed."""
MAX_SLIPPAGE: Final = Decimal(50)
HIGH_SLIPPAGE: Final = Decimal(3)
"""Above it, whoever sees the transaction before it is mined can take much of it: the visitor is warned."""
AUTOMATIC_SLIPPAGES: Final = (Decimal("0.5"), Decimal(3))
"""The least and the most that the automatic one can be."""

MARKED_IMPACT: Final = Decimal(3)
ACCEPTED_IMPACT: Final = Decimal(10)
"""Percent above which a price impact is marked, and must be accepted."""
QUOTE_SECONDS: Final = 30.0
"""How old a quote may be when the wallet is asked."""

_HUNDREDTH: Final = Decimal("0.01")
_PERCENT: Final = re.compile(r"[0-9]{1,2}(?:[.,][0-9]{0,2})?|[.,][0-9]{1,2}", re.ASCII)


def read_slippage(text: str) -> Decimal | None:
    """Reads a slippage that was typed, in percent with at most two decimals; None for what is none, or not within 0.01 to 50."""
    typed = text.strip().removesuffix("%").strip()
    if not _PERCENT.fullmatch(typed):
        return None
    read = Decimal(typed.replace(",", "."))
    return read if 0 < read <= MAX_SLIPPAGE else None


def automatic_slippage(impact: Decimal | None) -> Decimal:
    """Returns the slippage that suits a swap: the larger its own part in the pool, the further a swap before it moves the price.

    Args:
        impact: of the swap, in percent; None where it is not known.
    """
    least, most = AUTOMATIC_SLIPPAGES
    return min(most, max(least, (impact or Decimal(0)).quantize(Decimal("0.1"), ROUND_UP)))


def least_received(amount: int, slippage: Decimal) -> int:
    """Returns what is received at least, in base units: the quote less the slippage, rounded up, since a provider may round down.

    Args:
        amount: base units of the quote.
        slippage: in percent.
    """
    exact = amount * (1 - Fraction(slippage) / 100)
    return -(-exact.numerator // exact.denominator)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a swap.

    Attributes:
        amount: base units.
        decimals: of the token.
        price: of one token in US dollars; None where nobody knows.
    """

    amount: int
    decimals: int
    price: Decimal | None = None

    @property
    def worth(self) -> Fraction | None:
        """The worth in US dollars; None without a price."""
        if self.price is None or self.price <= 0:
            return None
        return Fraction(self.amount, 10**self.decimals) * Fraction(self.price)


def market_impact(given: Side, received: Side) -> Decimal | None:
    """Returns how much less is received than given by market prices, in percent, rounded up to hundredths; 0 where it is more.

    Returns:
        None where the price of one side is not known.
    """
    before, after = given.worth, received.worth
    if before is None or after is None or before == 0:
        return None
    return _percent_lost(before, after)


def pool_impact(given: int, received: int, sample_given: int, sample_received: int) -> Decimal | None:
    """Returns how much worse the rate is than that of a sample so small that it hardly moves the pool, as `market_impact`."""
    if not given or not sample_given or not sample_received:
        return None
    return _percent_lost(Fraction(sample_received, sample_given), Fraction(received, given))


def price_impact(*impacts: Decimal | None) -> Decimal | None:
    """Returns the worst of those that are known."""
    return max((impact for impact in impacts if impact is not None), default=None)


def sample_amount(amount: int) -> int:
    """Returns a small amount whose quote tells the pool's price: a power of ten, so that many amounts share one; 0 where there is none."""
    return 0 if amount < 10_000 else int(10 ** (len(str(amount)) - 4))


def _percent_lost(before: Fraction, after: Fraction) -> Decimal:
    lost = (before - after) / before * 10_000
    hundredths = max(0, -(-lost.numerator // lost.denominator))
    return Decimal(hundredths) * _HUNDREDTH
