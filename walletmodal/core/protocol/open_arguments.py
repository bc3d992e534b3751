"""Arguments of `open({view, arguments})`: what a host page fills in for the visitor."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from walletmodal.core.errors import AmountError
from walletmodal.core.text.amounts import MAX_DIGITS, format_units, parse_units
from walletmodal.core.transfers.receiver_input import MAX_PASTED

_MAX_WRONG: Final = 8
_MAX_NAME: Final = 32

_TOKEN: Final = re.compile(r"[A-Za-z0-9.$+:_-]{1,128}")
_SYMBOL: Final = re.compile(r"[A-Za-z0-9.$+_-]{1,32}")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_UNITS: Final = re.compile(r"(?=.*[1-9])[0-9]+(?:\.[0-9]+)?", re.ASCII)
_MAX_CENTS: Final = 10**11
_CENTS: Final = 2


@dataclass(frozen=True, slots=True)
class _Argument:
    """One argument: its form in words, and how it is read; "" for what is none."""

    form: str
    read: Callable[[str], str]
    number: bool = False


def read_payment(text: str) -> str:
    """Normalizes an amount of money: `100.50` is `100.5`; "" for what is none, nothing, or absurdly much."""
    try:
        cents = parse_units(text, _CENTS)
    except AmountError:
        return ""
    return format_units(cents, _CENTS) if 0 < cents <= _MAX_CENTS else ""


def _matching(form: re.Pattern[str], most: int) -> Callable[[str], str]:
    return lambda text: text if len(text) <= most and form.fullmatch(text) else ""


def _receiver(text: str) -> str:
    return text if len(text) <= MAX_PASTED and text.isprintable() and text.strip() else ""


_OF_TOKENS: Final = _Argument('a symbol such as "USDC", or the address of a contract', _matching(_TOKEN, 128))
_AMOUNT: Final = _Argument('a decimal text above zero, such as "0.5"', _matching(_UNITS, MAX_DIGITS * 2), number=True)

_ARGUMENTS: Final[Mapping[str, Mapping[str, _Argument]]] = {
    "Swap": {"fromToken": _OF_TOKENS, "toToken": _OF_TOKENS, "amount": _AMOUNT},
    "WalletSend": {
        "token": _OF_TOKENS,
        "amount": _AMOUNT,
        "to": _Argument("an address, or a name", _receiver),
    },
    "OnRampProviders": {
        "token": _Argument('a symbol such as "USDC"', _matching(_SYMBOL, 32)),
        "amount": _Argument(
            'a decimal text above zero with at most two decimals, such as "100"', read_payment, number=True
        ),
        "currency": _Argument('a code such as "USD"', _matching(_CURRENCY, 3)),
    },
}


def read_open_arguments(view: str, given: Mapping[str, object]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Reads the arguments of a view.

    Args:
        view: one that takes some.
        given: what the host page has given, unchecked.

    Returns:
        Each argument of the view, "" for what is left open, and a sentence for the host's console about each that is left out.
    """
    known = _ARGUMENTS[view]
    wrong = [f"there is no argument `{str(name)[:_MAX_NAME]}`" for name in given if name not in known][:_MAX_WRONG]
    read = {name: _read(one, given.get(name)) for name, one in known.items()}
    wrong += [
        f"`{name}` must be {one.form}"
        for name, one in known.items()
        if given.get(name) not in (None, "") and not read[name]
    ]
    return read, tuple(f'open({{view: "{view}"}}): {what}; it is left out.' for what in wrong)


def _read(argument: _Argument, value: object) -> str:
    if argument.number and isinstance(value, int | float) and not isinstance(value, bool):
        # A host's script may well have a number; one that is written with an exponent is none here.
        value = repr(value).removesuffix(".0")
    return argument.read(value) if isinstance(value, str) else ""
