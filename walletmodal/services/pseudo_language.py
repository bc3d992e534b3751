"""`qps-ploc`, the language that shows what is left in English: every text in accents, in brackets, and half as long again.

For developers: `LOCALES=en,qps-ploc`. What stands outside brackets is in no catalogue, and what is cut off has no room for German.
"""

from __future__ import annotations

import re
from gettext import NullTranslations
from itertools import cycle
from typing import Final

PSEUDO: Final = "qps-ploc"

_PLACEHOLDER: Final = re.compile(r"(\{\w+\})")
_ACCENTS: Final = str.maketrans("AEIOUaeiounscy", "ÅÉÎØÛåéîøûñšçý")
_LONGER: Final = 0.4
_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven")


class PseudoTranslations(NullTranslations):
    """Its catalogue, which has every text."""

    def gettext(self, message: str) -> str:
        """The text, changed but for its placeholders."""
        said = "".join(
            part if part.startswith("{") else part.translate(_ACCENTS) for part in _PLACEHOLDER.split(message)
        )
        wanted = len(message) * (1 + _LONGER)
        for word in cycle(_WORDS):
            if len(said) >= wanted:
                break
            said += f" {word}"
        return f"[{said}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form that English has for the number."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - as gettext calls it
        """Every meaning of the text."""
        return self.gettext(message)
