"""Colours: hexadecimal text, WCAG contrast, and the least change that makes one readable on others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from walletmodal.core.errors import ThemeError

MIN_CONTRAST: Final = 4.5
"""Of texts below 18 pt on what is behind them (WCAG 2.2, 1.4.3)."""
_MARGIN: Final = 0.02
"""On top, for browsers mix colours in another precision."""
_STEPS: Final = 100

_HEX: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_HEX_ALPHA: Final = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


class Color(NamedTuple):
    """An opaque colour of sRGB, 0 to 255 each."""

    red: int
    green: int
    blue: int

    @classmethod
    def parse(cls, text: str, where: str) -> Color:
        """The colour that a text says.

        Args:
            text: `#rgb` or `#rrggbb`.
            where: names it in the error, such as `dark.accent`.

        Raises:
            ThemeError: it says none.
        """
        if not isinstance(text, str) or not _HEX.fullmatch(text):
            raise ThemeError(f"{where}: {text!r} is no colour of the form #rgb or #rrggbb")
        digits = text[1:] if len(text) == 7 else "".join(2 * digit for digit in text[1:])
        return cls(*bytes.fromhex(digits))

    def __str__(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    def mix(self, other: Color, share: float) -> Color:
        """This colour with a share (0 to 1) of another, as CSS `color-mix(in srgb, …)`."""
        return Color(*(round(mine + (its - mine) * share) for mine, its in zip(self, other, strict=True)))

    @property
    def luminance(self) -> float:
        """Relative luminance, 0 to 1 (WCAG 2.2)."""
        red, green, blue = self._linear()
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    @property
    def lightness_and_chroma(self) -> tuple[float, float]:
        """Lightness (0 to 1) and chroma in OKLCH (CSS Color 4)."""
        red, green, blue = self._linear()
        long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
        medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
        short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
        lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
        a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
        b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
        return lightness, float((a * a + b * b) ** 0.5)

    def _linear(self) -> tuple[float, float, float]:
        red, green, blue = (
            part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in self
        )
        return red, green, blue


BLACK: Final = Color(0, 0, 0)
WHITE: Final = Color(255, 255, 255)


def contrast(one: Color, other: Color) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((one.luminance, other.luminance))
    return (lighter + 0.05) / (darker + 0.05)


def least_contrast(color: Color, others: Iterable[Color]) -> float:
    """The smallest of the contrasts with others."""
    return min(contrast(color, other) for other in others)


def move_until_readable(color: Color, toward: Color, others: Iterable[Color]) -> Color:
    """The colour, mixed with as little of another as gives it 4.5:1 with all of some; the other one where nothing does."""
    kept = tuple(others)
    mixed = (color.mix(toward, step / _STEPS) for step in range(_STEPS))
    return next((one for one in mixed if least_contrast(one, kept) >= MIN_CONTRAST + _MARGIN), toward)


def check_translucent(text: str, where: str) -> str:
    """A colour of CSS that may be seen through.

    Raises:
        ThemeError: it is none of the forms `#rgb`, `#rgba`, `#rrggbb` and `#rrggbbaa`.
    """
    if not isinstance(text, str) or not _HEX_ALPHA.fullmatch(text):
        raise ThemeError(f"{where}: {text!r} is no colour of the form #rgb, #rrggbb or #rrggbbaa")
    return text
