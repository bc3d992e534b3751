"""Counts of values and depth of a JSON text without parsing it: that costs a hostile text's sender more than us."""

import re
from typing import Final

MAX_DEPTH: Final = 40
"""Deeper than any message of a host page may be (`core.message_limits`), by what is put around it."""

_BRACKETS: Final = re.compile(r"[\[\]{}]+")


class TooComplexError(Exception):
    """The text has more values, or deeper ones, than it may have."""


def values_in(text: str, most: int) -> int:
    """Counts an upper bound of the values, containers included; of a text that is not JSON, any number.

    Raises:
        TooComplexError: they are more than `most`, or deeper than `MAX_DEPTH`.
    """
    values, containers = _marks(text)
    if values <= most and containers <= MAX_DEPTH:
        # Counted with what stands in texts, and still few.
        return values
    bare = _without_texts(text, most)
    values, containers = _marks(bare)
    if values > most or (containers > MAX_DEPTH and _is_deep(bare)):
        raise TooComplexError
    return values


def _marks(text: str) -> tuple[int, int]:
    containers = text.count("[") + text.count("{")
    return 1 + containers + text.count(","), containers


def _without_texts(text: str, most: int) -> str:
    text = text.replace("\\\\", "").replace('\\"', "")
    # No more than a key and a text for each value.
    if text.count('"') > 4 * most:
        raise TooComplexError
    return "".join(text.split('"')[::2])


def _is_deep(bare: str) -> bool:
    brackets = "".join(_BRACKETS.findall(bare))
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace("[]", "").replace("{}", "")
        if not brackets:
            return False
    return True
