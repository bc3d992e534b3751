"""The one form of a name (ENSIP-15), and whether what was typed looks like another name than it is."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from walletmodal.services.chains.lazily import lazily

MAX_NAME: Final = 255

# Most names: their form is their lower case, and the rules for all others, which take 90 MB, are not needed.
_PLAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")


@dataclass(frozen=True, slots=True)
class NormalName:
    """A name.

    Attributes:
        text: its normal form, which is what it is looked up by and shown as; "" where it has none, so that it leads nowhere.
        confusable: what was typed looks like another name: it mixes alphabets, or its normal form looks different.
    """

    text: str
    confusable: bool


async def normal_form(typed: str) -> NormalName:
    """The name that a text is."""
    folded = typed.casefold()
    if len(typed) > MAX_NAME:
        return NormalName("", confusable=False)
    if typed.isascii() and _PLAIN.fullmatch(folded) and "--" not in folded:
        return NormalName(folded, confusable=False)
    normalize: Callable[[str], str | None] = await lazily("walletmodal.services.names.ensip15", "ensip15")
    text = normalize(typed)
    if text is None:
        # The rules refuse most mixtures of alphabets themselves, and letters that are drawn like others.
        return NormalName("", confusable=not typed.isascii())
    return NormalName(text, confusable=_looks(typed) != _looks(text) or any(map(_mixes, text.split("."))))


def _looks(text: str) -> str:
    """A text without what cannot be seen, in lower case: two that are still different look different, or hide something."""
    return unicodedata.normalize("NFC", "".join(char for char in text if char not in _JOINERS)).casefold()


def _mixes(label: str) -> bool:
    """Whether Latin letters without marks stand beside letters that are none."""
    letters = [char for char in label if char.isalpha()]
    return any(char.isascii() for char in letters) and not all(char.isascii() for char in letters)
