"""Arguments of `open({view: "Swap", arguments})`: what a host page fills in for the visitor."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from walletmodal.core.text.amounts import MAX_DIGITS

_TOKEN: Final = re.compile(r"[A-Za-z0-9.$+:_-]{1,128}")
_AMOUNT: Final = re.compile(r"(?=.*[1-9])[0-9]+(?:\.[0-9]+)?", re.ASCII)
_FORMS: Final = {
    "fromToken": 'a symbol such as "ETH", or the address of a contract',
    "toToken": 'a symbol such as "USDC", or the address of a contract',
    "amount": 'a decimal text above zero, such as "0.5"',
}


@dataclass(frozen=True, slots=True)
class SwapArguments:
    """What a host fills in; "" for what it leaves open.

    Attributes:
        from_token, to_token: symbol, plain address, or CAIP-10 id of a token.
        amount: of the token that is given, decimal text.
    """

    from_token: str = ""
    to_token: str = ""
    amount: str = ""


def read_swap_arguments(given: Mapping[str, object]) -> tuple[SwapArguments, tuple[str, ...]]:
    """Reads the arguments, and a sentence for the host's console about each that is left out."""
    wrong = [f"there is no argument `{str(name)[:32]}`" for name in given if name not in _FORMS][:8]
    read = {name: _read(name, given.get(name)) for name in _FORMS}
    wrong += [
        f"`{name}` must be {_FORMS[name]}" for name in _FORMS if given.get(name) not in (None, "") and not read[name]
    ]
    arguments = SwapArguments(read["fromToken"], read["toToken"], read["amount"])
    return arguments, tuple(f'open({{view: "Swap"}}): {what}; it is left out.' for what in wrong)


def _read(name: str, value: object) -> str:
    if name == "amount" and isinstance(value, int | float) and not isinstance(value, bool):
        # A host's script may well have a number; one that is written with an exponent is none here.
        value = repr(value).removesuffix(".0")
    form = _AMOUNT if name == "amount" else _TOKEN
    return value if isinstance(value, str) and len(value) <= MAX_DIGITS * 2 and form.fullmatch(value) else ""
