"""Formatting of numbers, names and dates. Exact: no floats.

All numbers are rounded down, so that nothing ever shows as more than there is, and have commas between thousands.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_DOWN, Decimal, localcontext
from typing import Final

from walletmodal.core.chains.addresses import truncate_text
from walletmodal.core.constants import (
    SHOWN_BALANCE_DECIMALS,
    SHOWN_NUMBER_DECIMALS,
    SHOWN_QUANTITY_DECIMALS,
)
from walletmodal.core.text.amounts import ZERO_BALANCE
from walletmodal.core.text.display_text import clean_text

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_PRECISION: Final = 400
_SMALLEST_SHOWN: Final = Decimal(1).scaleb(-SHOWN_BALANCE_DECIMALS)
_NAME_START: Final = 18


def _rounded(number: Decimal, decimals: int) -> Decimal:
    """The number rounded down to exactly that many decimals; more digits than Python's default are kept, and zero has no sign."""
    with localcontext() as context:
        context.prec = _PRECISION
        rounded = number.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_DOWN)
    return abs(rounded) if rounded.is_zero() else rounded


def _trim(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_exact(number: Decimal) -> str:
    """A number in all its digits, with commas between thousands: `2,500,000.0001`. What leaves an account is shown like this."""
    return _trim(format(number, ",f")) if number else "0"


def format_amount(amount: Decimal | None) -> str:
    """Formats a currency's amount with at most 3 decimals: `9,999.999`; `<0.001` of what is less, `0.000` of nothing, or unknown."""
    if amount is None or amount <= 0:
        return ZERO_BALANCE
    if amount < _SMALLEST_SHOWN:
        return f"<{_SMALLEST_SHOWN}"
    return format_exact(_rounded(amount, SHOWN_BALANCE_DECIMALS))


def format_number(number: Decimal | None, decimals: int = SHOWN_NUMBER_DECIMALS) -> str:
    """A number as en-US writes it, with exactly that many decimals and commas between thousands; unknown is zero."""
    return format(_rounded(number or Decimal(0), decimals), ",f")


def format_quantity(quantity: Decimal) -> str:
    """The quantity of a transfer, with exactly 3 decimals: `2,500,000.000`; `<0.001` of what is less."""
    if 0 < quantity < _SMALLEST_SHOWN:
        return f"<{_SMALLEST_SHOWN}"
    return format_number(quantity, SHOWN_QUANTITY_DECIMALS)


@dataclass(frozen=True, slots=True)
class FiatTotal:
    """A sum of money in two sizes of type: `dollars` with commas, `cents` always two digits."""

    dollars: str
    cents: str


def fiat_total(value: Decimal) -> FiatTotal:
    """A sum split into dollars and cents; unknown or negative sums do not exist, so a negative one is zero."""
    dollars, _, cents = format_number(max(value, Decimal(0))).partition(".")
    return FiatTotal(dollars, cents)


def format_usd(value: Decimal | None) -> str:
    """Dollars with two decimals, such as `$1,234.50`; unknown is `$0.00`."""
    return f"${format_number(value)}"


def shorten_name(name: str, limit: int = _NAME_START) -> str:
    """A name of an account: cleaned, and cut to its first `limit` characters and three dots."""
    return truncate_text(clean_text(name, limit=256), limit, 0)


def day_text(day: date) -> str:
    """`05 Mar`."""
    return f"{day.day:02d} {MONTHS[day.month - 1][:3]}"
