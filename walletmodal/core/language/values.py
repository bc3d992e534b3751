"""Numbers, money and dates: in English by the product's own rules, in other languages by those of CLDR."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import partial
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
        grouped: whether English has commas between thousands.
    """

    __slots__ = ("currency", "grouped", "prefix", "value")

    value: Decimal
    currency: str
    prefix: str
    grouped: bool

    def __new__(cls, value: Decimal, currency: str = "", prefix: str = "", *, grouped: bool = True) -> Self:
        """English."""
        number = f"{value:,f}" if grouped else f"{value:f}"
        made = super().__new__(cls, cls._shown(f"{prefix}{_SIGNS[currency]}{number}"))
        made.value, made.currency, made.prefix, made.grouped = value, currency, prefix, grouped
        return made

    @staticmethod
    def _shown(number: str) -> str:
        """What is shown of the whole."""
        return number

    def __reduce__(self) -> tuple[Any, ...]:
        """Kept with a visitor's state."""
        return (partial(type(self), grouped=self.grouped), (self.value, self.currency, self.prefix))

    def said_in(self, language: Language) -> str:
        """By the language's marks of thousands and decimals."""
        return self._shown(f"{self.prefix}{language.number(self.value, self.currency)}")


class DollarsText(NumberText):
    """The first part of a sum of money with two decimals, up to their mark: `$1,234`, or `1.234`."""

    __slots__ = ()

    @staticmethod
    def _shown(number: str) -> str:
        return _halves(number)[0]


class CentsText(NumberText):
    """The second part of a sum of money with two decimals, from their mark on: `.50`, or `,50 $`."""

    __slots__ = ()

    @staticmethod
    def _shown(number: str) -> str:
        return _halves(number)[1]


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
