"""What can be said in another language, and what a language must know for it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from walletmodal.core.language.text import Text


class Language(Protocol):
    """What texts, numbers and dates are said in."""

    def find(self, text: Text) -> str:
        """The translation, with its placeholders; the English text where there is none."""

    def isolate(self, value: str) -> str:
        """A value as it stands within a sentence of the language."""

    def number(self, value: Decimal, currency: str) -> str:
        """A number in exactly the decimals that it has, as money where `currency` (ISO 4217) is given. Digits are 0 to 9."""

    def date(self, day: date, skeleton: str) -> str:
        """The fields of a date that a skeleton of CLDR names, such as `MMMd`."""


class Localized(str):
    """English everywhere in Python, and put into a visitor's language when it leaves for the browser."""

    __slots__ = ()

    def said_in(self, language: Language) -> str:
        """What the visitor reads."""
        raise NotImplementedError


def say(text: str, language: Language | None) -> str:
    """A text in a language, where it can be said in others than English; None for English."""
    return text.said_in(language) if language is not None and isinstance(text, Localized) else str(text)
