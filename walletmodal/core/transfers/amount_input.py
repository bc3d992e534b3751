"""An amount as a visitor types it: read exactly, and never guessed."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.core.text.amounts import MAX_DIGITS, parse_units

AmountProblem = Literal["", "malformed", "ambiguous", "too_many_decimals"]

_PLAIN: Final = re.compile(r"[0-9]*(?:\.(?P<fraction>[0-9]*))?", re.ASCII)
_ONE_COMMA: Final = re.compile(r"(?P<whole>[0-9]*),(?P<fraction>[0-9]*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class TypedAmount:
    """What a typed text stands for.

    Attributes:
        base_units: 0 for an empty text, and for one that cannot be read.
        problem: why it cannot be read, or "".
    """

    base_units: int = 0
    problem: AmountProblem = ""


def read_amount(text: str, decimals: int) -> TypedAmount:
    """The amount of a text.

    Digits with one decimal point. A comma may stand in the point's place, as many keyboards have it, but not where it could as well
    part thousands: `1,000` is one to some and a thousand to others. Signs, exponents and digits of other scripts are no amounts.

    Args:
        text: as typed; white space around it does not count.
        decimals: of the currency, 0 to 36.
    """
    typed = text.strip()
    if not typed:
        return TypedAmount()
    comma = _ONE_COMMA.fullmatch(typed)
    if comma is not None:
        if len(comma["fraction"]) == 3 and comma["whole"].lstrip("0"):
            return TypedAmount(problem="ambiguous")
        typed = typed.replace(",", ".")
    plain = _PLAIN.fullmatch(typed)
    if plain is None or typed == "." or len(typed) > MAX_DIGITS:
        return TypedAmount(problem="malformed")
    if len((plain["fraction"] or "").rstrip("0")) > decimals:
        return TypedAmount(problem="too_many_decimals")
    return TypedAmount(parse_units(typed, decimals))
