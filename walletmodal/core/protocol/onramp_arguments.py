"""Arguments of `open({view: "OnRampProviders", arguments})`: what a host page fills in for the visitor."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from walletmodal.core.errors import AmountError
from walletmodal.core.text.amounts import format_units, parse_units

_SYMBOL: Final = re.compile(r"[A-Za-z0-9.$+_-]{1,32}")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_MAX_CENTS: Final = 10**11
_CENTS: Final = 2
_NAMES: Final = ("token", "amount", "currency")


@dataclass(frozen=True, slots=True)
class OnrampArguments:
    """What a host fills in; "" for what it leaves open.

    Attributes:
        token: symbol of what is bought.
        amount: of the payment currency, decimal text with at most two decimals.
        currency: ISO 4217 code.
    """

    token: str = ""
    amount: str = ""
    currency: str = ""


def read_onramp_arguments(given: Mapping[str, object]) -> tuple[OnrampArguments, tuple[str, ...]]:
    """Reads the arguments, and a sentence for the host's console about each that is left out."""
    wrong = [f"there is no argument `{str(name)[:32]}`" for name in given if name not in _NAMES][:8]
    read = {}
    for name in _NAMES:
        value = given.get(name)
        if value is None or value == "":
            continue
        text = _READERS[name](value)
        if text:
            read[name] = text
        else:
            wrong.append(f"`{name}` must be {_FORMS[name]}")
    return OnrampArguments(**read), tuple(
        f'open({{view: "OnRampProviders"}}): {what}; it is left out.' for what in wrong
    )


def read_payment(text: str) -> str:
    """Normalizes an amount of money: `100.50` is `100.5`; "" for what is none, nothing, or absurdly much."""
    try:
        cents = parse_units(text, _CENTS)
    except AmountError:
        return ""
    return format_units(cents, _CENTS) if 0 < cents <= _MAX_CENTS else ""


def _amount(value: object) -> str:
    # A host's script may well have a number; one that JSON writes with an exponent is none here.
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = repr(value).removesuffix(".0")
    return read_payment(value) if isinstance(value, str) else ""


def _symbol(value: object) -> str:
    return value if isinstance(value, str) and _SYMBOL.fullmatch(value) else ""


def _currency(value: object) -> str:
    return value if isinstance(value, str) and _CURRENCY.fullmatch(value) else ""


_READERS: Final = {"token": _symbol, "amount": _amount, "currency": _currency}
_FORMS: Final = {
    "token": 'a symbol such as "USDC"',
    "amount": 'a decimal text above zero with at most two decimals, such as "100"',
    "currency": 'a code such as "USD"',
}
