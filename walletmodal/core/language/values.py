"""Numbers, money and dates: in English by the product's own rules, in other languages by those of CLDR."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any, Final, Self

from walletmodal.core.language.localized import Language, Localized

_SIGNS: Final = {"": "", "USD": "$"}
_CENTS: Final = re.compile(r"(.*[0-9])([^0-9][0-9]{2}[^0-9]*)", re.DOTALL)


class NumberText(Localized):
    """A number that is already rounded: every digit is said, and none is added.

    Attributes:
        value: with as many decimals as are shown.
        currency: USD, or "" for what is no money.
        prefix: what stands before it, such as `<`.
    """

    __slots__ = ("currency", "prefix", "value")

    value: Decimal
    currency: str
    prefix: str

    def __new__(cls, value: Decimal, currency: str = "", prefix: str = "") -> Self:
        """English, with commas between thousands."""
        return cls._made(f"{prefix}{_SIGNS[currency]}{value:,f}", value, currency, prefix)

    @classmethod
    def _made(cls, english: str, value: Decimal, currency: str, prefix: str) -> Self:
        made = super().__new__(cls, english)
        made.value, made.currency, made.prefix = value, currency, prefix
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Kept with a visitor's state."""
        return (type(self), (self.value, self.currency, self.prefix))

    def said_in(self, language: Language) -> str:
        """By the language's marks of thousands and decimals."""
        return f"{self.prefix}{language.number(self.value, self.currency)}"


class DollarsText(NumberText):
    """The first part of a sum of money, up to the mark of its decimals: `$1,234`."""

    __slots__ = ()

    def __new__(cls, value: Decimal, currency: str = "USD", prefix: str = "") -> Self:
        """Of a sum with two decimals."""
        return cls._made(_halves(NumberText(value, currency, prefix))[0], value, currency, prefix)

    def said_in(self, language: Language) -> str:
        """Without a sign where the language has it behind the number."""
        return _halves(super().said_in(language))[0]


class CentsText(NumberText):
    """The second part of a sum of money, with the mark of its decimals: `.50`, or `,50 $`."""

    __slots__ = ()

    def __new__(cls, value: Decimal, currency: str = "USD", prefix: str = "") -> Self:
        """Of a sum with two decimals."""
        return cls._made(_halves(NumberText(value, currency, prefix))[1], value, currency, prefix)

    def said_in(self, language: Language) -> str:
        """With all that follows it."""
        return _halves(super().said_in(language))[1]


class DateText(Localized):
    """A date.

    Attributes:
        day: the date.
        skeleton: its fields by CLDR, such as `yMMMd`.
    """

    __slots__ = ("day", "skeleton")

    day: date
    skeleton: str

    def __new__(cls, english: str, day: date, skeleton: str) -> Self:
        """As `core.text.formatting` writes it in English."""
        made = super().__new__(cls, english)
        made.day, made.skeleton = day, skeleton
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Kept with a visitor's state."""
        return (type(self), (str(self), self.day, self.skeleton))

    def said_in(self, language: Language) -> str:
        """In the order and by the names of the language."""
        return language.date(self.day, self.skeleton)


def _halves(money: str) -> tuple[str, str]:
    found = _CENTS.fullmatch(money)
    return (found[1], found[2]) if found else (money, "")
