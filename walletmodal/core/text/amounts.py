"""Amounts: integers of base units inside, decimal text outside. A float never carries money."""

import re
from decimal import Decimal, localcontext
from typing import Final

from walletmodal.core.constants import SHOWN_BALANCE_DECIMALS
from walletmodal.core.errors import AmountError

MAX_DECIMALS: Final = 36
MAX_DIGITS: Final = 96
"""More digits than 2^256 with 18 decimals has; longer texts are an attack on the parser."""

_EXACT: Final = 400
"""Digits that no number that a service may name exceeds."""
_DECIMAL: Final = re.compile(r"(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?")
ZERO_BALANCE: Final = "0.000"


def _check_decimals(decimals: int) -> None:
    if not 0 <= decimals <= MAX_DECIMALS:
        raise AmountError("Invalid decimals", details=f"must be 0 to {MAX_DECIMALS}")


def format_units(base_units: int, decimals: int) -> str:
    """Base units as exact decimal text, without trailing zeros: 1500 with 3 decimals is `1.5`.

    Raises:
        AmountError: `decimals` is out of range.
    """
    _check_decimals(decimals)
    sign, digits = ("-" if base_units < 0 else ""), str(abs(base_units)).rjust(decimals + 1, "0")
    cut = len(digits) - decimals
    fraction = digits[cut:].rstrip("0")
    return f"{sign}{digits[:cut]}{'.' if fraction else ''}{fraction}"


def parse_units(text: str, decimals: int) -> int:
    """Decimal text as base units, exactly: `1.5` with 3 decimals is 1500.

    Plain digits with at most one point are read; signs, exponents, separators of thousands, white space and other scripts'
    digits are not. Zeros beyond the currency's decimals are no loss and are accepted.

    Raises:
        AmountError: no amount, negative, or more decimals than the currency has.
    """
    _check_decimals(decimals)
    if text.startswith("-"):
        raise AmountError("The amount must not be negative")
    match = _DECIMAL.fullmatch(text) if len(text) <= MAX_DIGITS else None
    whole, fraction = (match["whole"], match["fraction"] or "") if match else ("", "")
    if not whole and not fraction:
        raise AmountError("The amount is not a number", details="digits with at most one decimal point")
    exact = fraction.rstrip("0")
    if len(exact) > decimals:
        raise AmountError("The amount has too many decimals", details=f"at most {decimals}")
    return int((whole or "0") + exact.ljust(decimals, "0"))


def to_decimal(base_units: int, decimals: int) -> Decimal:
    """Base units as an exact `Decimal`.

    Raises:
        AmountError: `decimals` is out of range.
    """
    return Decimal(format_units(base_units, decimals))


def to_base_units(number: Decimal, decimals: int) -> int:
    """A number that is not negative as base units; what is beyond the currency's decimals is cut off.

    Raises:
        AmountError: `decimals` is out of range, or the number is negative.
    """
    _check_decimals(decimals)
    if number < 0:
        raise AmountError("The amount must not be negative")
    with localcontext() as context:
        # Python's own precision is 28 digits, and ten billion of a token with 18 decimals have 29.
        context.prec = _EXACT
        return int(number.scaleb(decimals))


def format_balance(base_units: int | None, decimals: int) -> str:
    """A balance as it is shown: rounded down to 3 decimals, not padded; `0.000` when nothing would show, or when unknown.

    Raises:
        AmountError: `decimals` is out of range.
    """
    _check_decimals(decimals)
    if base_units is None or base_units <= 0:
        return ZERO_BALANCE
    if decimals > SHOWN_BALANCE_DECIMALS:
        base_units, decimals = base_units // 10 ** (decimals - SHOWN_BALANCE_DECIMALS), SHOWN_BALANCE_DECIMALS
    return format_units(base_units, decimals) if base_units else ZERO_BALANCE
