"""The eight theme variables of a host, checked so that each can only be the value it is meant to be."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

_HEX: Final = r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
_FUNCTION: Final = r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([0-9a-z%.,/ +-]{1,60}\)"
_COLOR: Final = re.compile(rf"{_HEX}|{_FUNCTION}|[a-zA-Z]{{3,24}}")
_FONT: Final = re.compile(r"[\w '\",.-]{1,200}")
_LENGTH: Final = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3})?)(?P<unit>px|rem|em)")
_PIXELS: Final = {"px": 1, "rem": 16, "em": 16}
_PERCENT: Final = re.compile(r"(?:100|\d{1,2})(?:\.\d{1,3})?%?")
_Z_INDEX: Final = re.compile(r"\d{1,10}")
_MAX_Z_INDEX: Final = 2**31 - 1

BOUNDS: Final[dict[str, tuple[int, int]]] = {
    "--w3m-font-size-master": (8, 14),
    "--w3m-border-radius-master": (0, 10),
    "--w3m-z-index": (1, _MAX_Z_INDEX),
}
"""Between which a value (px, z-index as it is) leaves texts readable and the modal in front; others are taken as the nearest of them."""

THEME_VARIABLES: Final[dict[str, re.Pattern[str]]] = {
    "--w3m-font-family": _FONT,
    "--w3m-accent": _COLOR,
    "--w3m-color-mix": _COLOR,
    "--w3m-color-mix-strength": _PERCENT,
    "--w3m-font-size-master": _LENGTH,
    "--w3m-border-radius-master": _LENGTH,
    "--w3m-z-index": _Z_INDEX,
    "--w3m-qr-color": _COLOR,
}
"""The names, and the pattern that a value must match as a whole. None lets `;`, `}` or `url(` through."""


def check_theme_variables(raw: Mapping[str, object]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The variables that can be used, as CSS text; and one warning for each that cannot."""
    kept: dict[str, str] = {}
    warnings: list[str] = []
    for name, value in list(raw.items())[:64]:
        pattern = THEME_VARIABLES.get(name)
        text = str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
        if pattern is None:
            warnings.append(f"themeVariables: {name[:64]} is unknown")
        elif (
            not pattern.fullmatch(text) or (pattern is _Z_INDEX and int(text) > _MAX_Z_INDEX) or not _quotes_close(text)
        ):
            warnings.append(f"themeVariables: the value of {name} cannot be used")
        else:
            # A bare number is no CSS percentage; 40, "40" and "40%" mean the same.
            kept[name] = f"{text.removesuffix('%')}%" if pattern is _PERCENT else _bounded(name, text)
            if name in BOUNDS and kept[name] != text:
                warnings.append(f"themeVariables: {text} is out of bounds for {name}; {kept[name]} is used")
    return kept, tuple(warnings)


def _bounded(name: str, text: str) -> str:
    """The value, or the nearest that is within bounds."""
    if name not in BOUNDS:
        return text
    least, most = BOUNDS[name]
    length = _LENGTH.fullmatch(text)
    number = Decimal(text) if length is None else Decimal(length["number"]) * _PIXELS[length["unit"]]
    if least <= number <= most:
        return text
    return f"{least if number < least else most}{'' if length is None else 'px'}"


def _quotes_close(text: str) -> bool:
    return text.count('"') % 2 == 0 and text.count("'") % 2 == 0
