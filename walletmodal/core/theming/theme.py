"""A deployment's theme: what can be chosen, and within which bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from walletmodal.core.errors import ThemeError
from walletmodal.core.theming.color import WHITE, Color, check_translucent, contrast
from walletmodal.core.theming.palette import Colors, Mode, Palette

_FAMILY: Final = re.compile(r"[A-Za-z][\w -]{0,63}")
_RANGE: Final = re.compile(r"U\+[0-9A-F]{1,6}(-[0-9A-F]{1,6})?(, U\+[0-9A-F]{1,6}(-[0-9A-F]{1,6})?)*")
_MAX_WEIGHT: Final = 1000
MIN_QR_CONTRAST: Final = 4.5
"""Of the code with white: scanners need less, in bad light and through scratched lenses more."""


def _within(name: str, value: float, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ThemeError(f"{name}: {value!r} is no number from {least:g} to {most:g}")


@dataclass(frozen=True, kw_only=True)
class FallbackFont:
    """How a font of the visitor's machine is scaled, so that nothing moves when the font comes.

    Args:
        local: names of the font, the first that is there is taken.
        size_adjust: per cent; the width of a text in the font, by its width in this one.
        ascent, descent: per cent of the font size after `size_adjust`.
    """

    local: tuple[str, ...] = ("Arial", "ArialMT", "Liberation Sans")
    size_adjust: float
    ascent: float
    descent: float

    def __post_init__(self) -> None:
        for name in self.local:
            if not _FAMILY.fullmatch(name):
                raise ThemeError(f"fallback.local: {name!r} is no name of a font")
        for name in ("size_adjust", "ascent", "descent"):
            _within(f"fallback.{name}", getattr(self, name), 0, 300)


@dataclass(frozen=True, kw_only=True)
class Font:
    """A font that is served with the modal, from its own origin.

    Args:
        family: its name.
        file: woff2, below `assets/`, the project's or the product's; at most 300,000 bytes. "": of the visitor's machine.
        subsets: further files of it, each with its characters as CSS names them, `("fonts/own-greek.woff2", "U+370-3FF, U+1F00-1FFF")`: a browser
            loads one when a text has any of them. Of two that have a character the later one counts.
        weights: the least and the greatest of a variable font; twice the same of another.
        fallback: without it the font is used only where it has come in time (`font-display: optional`): nothing moves.
    """

    family: str
    file: str = ""
    subsets: tuple[tuple[str, str], ...] = ()
    weights: tuple[int, int] = (100, 900)
    fallback: FallbackFont | None = None

    def __post_init__(self) -> None:
        if not _FAMILY.fullmatch(self.family):
            raise ThemeError(f"font.family: {self.family!r} is no name of a font")
        for file in self.files:
            if PurePosixPath(file).suffix != ".woff2":
                raise ThemeError(f"font.file: {file!r} is no .woff2 file, the form that every browser takes")
        if self.subsets and not self.file:
            raise ThemeError("font.subsets: there is no font.file, in which all other characters are")
        for _file, characters in self.subsets:
            if not _RANGE.fullmatch(characters):
                raise ThemeError(f"font.subsets: {characters!r} names no characters as CSS does: U+0-FF, U+131")
        least, most = self.weights
        _within("font.weights", least, 1, most)
        _within("font.weights", most, least, _MAX_WEIGHT)

    @property
    def files(self) -> tuple[str, ...]:
        """All that it is in."""
        return (*([self.file] if self.file else []), *(file for file, _characters in self.subsets))


INTER: Final = Font(
    family="Inter",
    file="fonts/inter-latin.woff2",
    subsets=(
        (
            "fonts/inter-latin-ext.woff2",
            "U+100-2BA, U+2BD-2C5, U+2C7-2CC, U+2CE-2D7, U+2DD-2FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF",
        ),
        ("fonts/inter-cyrillic.woff2", "U+301, U+400-45F, U+490-491, U+4B0-4B1, U+2116"),
        (
            "fonts/inter-vietnamese.woff2",
            "U+102-103, U+110-111, U+128-129, U+168-169, U+1A0-1A1, U+1AF-1B0, U+300-301, U+303-304, U+308-309, U+323, U+329, U+1EA0-1EF9, U+20AB",
        ),
    ),
    fallback=FallbackFont(size_adjust=110, ascent=88.07, descent=21.93),
)
"""Inter, variable, shipped with the product and loaded only by a theme that names it: Latin (48 kB), and where a text has their letters further
Latin (85 kB), Cyrillic (19 kB) and Vietnamese (10 kB)."""


@dataclass(frozen=True, kw_only=True)
class Shadow:
    """The shadow of the card on the overlay.

    Args:
        y: how far down, in px.
        blur: in px.
        color: `#rrggbbaa`.
    """

    y: float = 16
    blur: float = 48
    color: str = "#00000059"

    def __post_init__(self) -> None:
        _within("shadow.y", self.y, 0, 64)
        _within("shadow.blur", self.blur, 0, 128)
        check_translucent(self.color, "shadow.color")


@dataclass(frozen=True, kw_only=True)
class Theme:
    """How the modal looks in both modes; a host's `themeVariables` stand above it. Without arguments: as it does without a theme.

    Args:
        dark: the colours of the dark mode.
        light: those of the light one.
        font: for all texts; None: Inter where a visitor has it, else the system's.
        font_size: what all sizes of texts are multiples of, 8 to 14 px; a paragraph has 1.6 of it.
        radius: what all radii are multiples of, 0 to 10 px; the card has 9 of it.
        spacing: a factor of all gaps and paddings, 0.75 to 1.25.
        card_width: 320 to 440 px.
        shadow: of the card; None: only its edge.
        qr: the colour of codes, `#rrggbb`, which stand on white.
        css: a file below `assets/` with rules of the project's own, which come after all others; "": none.

    Raises:
        ThemeError: a value is out of bounds, or a text could not be read on its ground.
    """

    dark: Colors = field(default_factory=Colors)
    light: Colors = field(default_factory=Colors)
    font: Font | None = None
    font_size: float = 10
    radius: float = 4
    spacing: float = 1
    card_width: float = 360
    shadow: Shadow | None = None
    qr: str = ""
    css: str = ""

    def __post_init__(self) -> None:
        _within("font_size", self.font_size, 8, 14)
        _within("radius", self.radius, 0, 10)
        _within("spacing", self.spacing, 0.75, 1.25)
        _within("card_width", self.card_width, 320, 440)
        if self.css and PurePosixPath(self.css).suffix != ".css":
            raise ThemeError(f"css: {self.css!r} is no .css file")
        if self.qr and contrast(Color.parse(self.qr, "qr"), WHITE) < MIN_QR_CONTRAST:
            raise ThemeError(
                f"qr: {self.qr} on white has {contrast(Color.parse(self.qr, 'qr'), WHITE):.2f}:1, below 4.5:1"
            )
        self.palettes()

    def palettes(self) -> dict[Mode, Palette]:
        """The colours of both modes."""
        return {"dark": Palette.of(self.dark, "dark"), "light": Palette.of(self.light, "light")}
