"""Texts of the product, by gettext's names. In Python each is English: in logs, for hosts, in comparisons; a visitor gets it translated.

Looked up late, as Django's lazy texts are: a state holds `Text`, and what leaves for the browser is put into the visitor's language then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Self

from walletmodal.core.language.localized import Language, Localized, say

_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_ISOLATE: Final = "\u2069"
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\u200e\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of such scripts, and marks of direction."""
_TURNS: Final = re.compile("([\u2066-\u2068][^\u202a-\u202e\u2066-\u2069]*\u2069)|[\u202a-\u202e\u2066-\u2069]")
"""An isolate that is closed, such as that of a value within a value, or else what would turn around all that follows."""
_CONTEXT_END: Final = "\x04"


class Text(Localized):
    """A text in English, which knows what to look up to be said in another language.

    Adding texts, or putting one into an f-string, gives a plain `str` that stays English: give texts as values instead,
    `_("{amount} to {name}", amount=…, name=…)`.

    Attributes:
        message: the English text, with its placeholders `{name}`.
        plural: for other counts than one; "" where there is none.
        number: which form is meant.
        context: tells apart what English has one word for; "" for none.
        values: of the placeholders.
    """

    __slots__ = ("context", "message", "number", "plural", "values")

    message: str
    plural: str
    number: int
    context: str
    values: Mapping[str, Any]

    def __new__(
        cls, message: str, values: Mapping[str, Any], *, plural: str = "", number: int = 1, context: str = ""
    ) -> Self:
        """Put together by `_`, `ngettext` and `pgettext`."""
        made = super().__new__(cls, fill(message if number == 1 or not plural else plural, values))
        made.message, made.values, made.plural, made.number, made.context = message, values, plural, number, context
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Kept with a visitor's state."""
        return (_restored, (self.message, dict(self.values), self.plural, self.number, self.context))

    @property
    def key(self) -> str:
        """Its name in a catalogue."""
        return f"{self.context}{_CONTEXT_END}{self.message}" if self.context else self.message

    def said_in(self, language: Language) -> str:
        """The text in that language."""
        values = {name: say(value, language) for name, value in self.values.items()}
        return fill(language.find(self), values, language.isolate)


class ListText(Localized):
    """Texts one after the other, each of which is said by itself, with the language's comma between them.

    Attributes:
        parts: the texts.
    """

    __slots__ = ("parts",)

    parts: tuple[str, ...]

    def __new__(cls, parts: tuple[str, ...]) -> Self:
        """Put together by `listed`."""
        made = super().__new__(cls, _COMMA.join(map(isolated, parts)))
        made.parts = parts
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Kept with a visitor's state."""
        return (type(self), (self.parts,))

    def said_in(self, language: Language) -> str:
        """The texts in that language."""
        return language.find(_COMMA).join(language.isolate(say(part, language)) for part in self.parts)


def isolated(value: str) -> str:
    """A value as it stands within a sentence: one that is written from right to left keeps its direction to itself.

    Else the Hebrew letters of a token's symbol would draw a number that stands beside them to their other side.
    """
    if value.isascii():
        return value
    kept = _TURNS.sub(r"\1", value)
    return always_isolated(kept) if _RIGHT_TO_LEFT.search(kept) else kept


def always_isolated(value: str) -> str:
    """The same of a value within a sentence that is written from right to left: it keeps its own direction, whatever that is."""
    return FIRST_STRONG_ISOLATE + _TURNS.sub(r"\1", value) + POP_ISOLATE


def fill(message: str, values: Mapping[str, Any], isolate: Callable[[str], str] = isolated) -> str:
    """Puts values into placeholders. Only plain names are placeholders: a translation cannot reach into a value."""
    if not values:
        return message
    return _PLACEHOLDER.sub(lambda found: isolate(f"{values[found[1]]}") if found[1] in values else found[0], message)


def placeholders(message: str) -> frozenset[str]:
    """The names of a text's placeholders."""
    return frozenset(_PLACEHOLDER.findall(message))


def _(message: str, /, **values: Any) -> Text:
    """A text of the product.

    Args:
        message: in English, with `{name}` for each value.
        values: texts, numbers, or variables of a state where a view is described.
    """
    return Text(message, values)


def ngettext(singular: str, plural: str, count: int, /, **values: Any) -> Text:
    """A text that depends on a number, which is the value `count` unless another is given."""
    return Text(singular, {"count": count, **values}, plural=plural, number=count)


def pgettext(context: str, message: str, /, **values: Any) -> Text:
    """A text that other languages say differently by where it stands, such as a verb and a noun that are one word in English."""
    return Text(message, values, context=context)


def with_values(text: str, /, **values: Any) -> Text:
    """A text that was marked where it stands in a table, with the values of its placeholders."""
    return Text(str(text), values)


def listed(parts: Iterable[str]) -> ListText:
    """Texts one after the other; "" for none."""
    return ListText(tuple(parts))


# Translators: what stands between the parts of a list, with its space
_COMMA: Final = pgettext("list", ", ")


def recalled(english: str) -> str:
    """A text without values that was kept where only English can be, such as a database: what is known of it is looked up again."""
    return Text(english, {}) if english else english


def _restored(message: str, values: dict[str, Any], plural: str, number: int, context: str) -> Text:
    return Text(message, values, plural=plural, number=number, context=context)
