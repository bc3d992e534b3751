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
from walletmodal.core.language import _
from walletmodal.core.language.values import CentsText, DateText, DollarsText, NumberText
from walletmodal.core.text.amounts import ZERO_BALANCE
from walletmodal.core.text.display_text import clean_text

_MONTHS: Final = (
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


def format_exact(number: Decimal) -> NumberText:
    """A number in all its digits, with commas between thousands: `2,500,000.0001`. What leaves an account is shown like this."""
    digits = format(number, "f") if number else "0"
    return NumberText(Decimal(digits.rstrip("0").rstrip(".") if "." in digits else digits))


def format_amount(amount: Decimal | None) -> NumberText:
    """Formats a currency's amount with at most 3 decimals: `9,999.999`; `<0.001` of what is less, `0.000` of nothing, or unknown."""
    if amount is None or amount <= 0:
        return NumberText(Decimal(ZERO_BALANCE))
    if amount < _SMALLEST_SHOWN:
        return NumberText(_SMALLEST_SHOWN, prefix="<")
    return format_exact(_rounded(amount, SHOWN_BALANCE_DECIMALS))


def format_number(number: Decimal | None, decimals: int = SHOWN_NUMBER_DECIMALS) -> NumberText:
    """A number as en-US writes it, with exactly that many decimals and commas between thousands; unknown is zero."""
    return NumberText(_rounded(number or Decimal(0), decimals))


def format_quantity(quantity: Decimal, *, sign: str = "") -> NumberText:
    """The quantity of a transfer, with exactly 3 decimals: `2,500,000.000`; `<0.001` of what is less. `sign` stands before all."""
    below = 0 < quantity < _SMALLEST_SHOWN
    shown = _SMALLEST_SHOWN if below else format_number(quantity, SHOWN_QUANTITY_DECIMALS).value
    return NumberText(shown, prefix=f"{sign}<" if below else sign)


def with_symbol(amount: str, symbol: str) -> str:
    """An amount with its unit, `1.5 ETH`; without one the amount alone."""
    # Translators: an amount and the symbol of its currency, such as 1.5 ETH
    return _("{amount} {symbol}", amount=amount, symbol=symbol) if symbol else amount


@dataclass(frozen=True, slots=True)
class FiatTotal:
    """A sum of money in two sizes of type, which read `$1,234` and `.50` one after the other. A language may have its sign behind."""

    dollars: str
    cents: str


def fiat_total(value: Decimal) -> FiatTotal:
    """A sum split into dollars and cents; unknown or negative sums do not exist, so a negative one is zero."""
    shown = format_number(max(value, Decimal(0))).value
    return FiatTotal(DollarsText(shown, "USD"), CentsText(shown, "USD"))


def format_usd(value: Decimal | None, *, prefix: str = "") -> NumberText:
    """Dollars with two decimals, such as `$1,234.50`; unknown is `$0.00`. `prefix` stands before them, such as `<`."""
    return NumberText(format_number(value).value, "USD", prefix)


def shorten_name(name: str, limit: int = _NAME_START) -> str:
    """A name of an account: cleaned, and cut to its first `limit` characters and three dots."""
    return truncate_text(clean_text(name, limit=256), limit, 0)


def day_text(day: date) -> DateText:
    """`05 Mar`."""
    return DateText(f"{day.day:02d} {_MONTHS[day.month - 1][:3]}", day, "MMMd")


def date_text(day: date, *, year: bool = True) -> DateText:
    """`5 Mar 2026`, or without its year `5 Mar`."""
    named = f"{day.day} {_MONTHS[day.month - 1][:3]}"
    return DateText(f"{named} {day.year}", day, "yMMMd") if year else DateText(named, day, "MMMd")


def full_date_text(day: date, *, year: bool) -> DateText:
    """`5 March`, or with its year `5 March 2026`."""
    named = f"{day.day} {_MONTHS[day.month - 1]}"
    return DateText(f"{named} {day.year}", day, "yMMMMd") if year else DateText(named, day, "MMMMd")


def month_text(month: date, *, year: bool) -> DateText:
    """`March`, or with its year `March 2026`."""
    named = _MONTHS[month.month - 1]
    return DateText(f"{named} {month.year}", month, "yMMMM") if year else DateText(named, month, "LLLL")
