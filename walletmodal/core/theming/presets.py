"""Themes to start from, as they are or with `dataclasses.replace`."""

from __future__ import annotations

from typing import Final

from walletmodal.core.theming.palette import Colors
from walletmodal.core.theming.theme import INTER, Shadow, Theme

DEFAULT: Final = Theme()
"""As it looks without a theme."""

MIDNIGHT: Final = Theme(
    dark=Colors(
        background="#0b1226",
        surface="#1b2442",
        text="#eaf0ff",
        muted="#9aa9d0",
        accent="#7c9cff",
        overlay="#050914cc",
    ),
    light=Colors(
        background="#f6f8ff",
        surface="#e3e9fb",
        text="#0e1733",
        muted="#4d5a82",
        accent="#3451d1",
        overlay="#0b122699",
    ),
    font=INTER,
    shadow=Shadow(y=24, blur=64, color="#03071480"),
    qr="#0b1226",
)
"""Deep blue, and its pale counterpart."""

PAPER: Final = Theme(
    dark=Colors(
        background="#1d1a16",
        surface="#302b24",
        text="#f2ebdd",
        muted="#b3a78f",
        accent="#e8a04c",
        overlay="#100e0bcc",
    ),
    light=Colors(
        background="#fbf7ee",
        surface="#efe7d6",
        text="#2b2419",
        muted="#6a5d45",
        accent="#9a4a12",
        overlay="#2b241980",
    ),
    radius=2,
    shadow=Shadow(y=10, blur=32, color="#2b241940"),
    qr="#2b2419",
)
"""Warm and quiet, with small radii."""

ROUNDED: Final = Theme(
    dark=Colors(background="#17141f", accent="#b18cff"),
    light=Colors(background="#ffffff", accent="#7c3aed"),
    font=INTER,
    radius=8,
    card_width=380,
    shadow=Shadow(),
)
"""Violet, with large radii."""

COMPACT: Final = Theme(font_size=9, radius=2, spacing=0.8, card_width=330)
"""The colours of the default in less room."""

CONTRAST: Final = Theme(
    dark=Colors(
        background="#000000",
        surface="#1c1c1c",
        text="#ffffff",
        muted="#d6d6d6",
        accent="#ffd400",
        success="#3dff8b",
        error="#ff8a80",
        warning="#ffc14d",
        overlay="#000000d9",
    ),
    light=Colors(
        background="#ffffff",
        surface="#eeeeee",
        text="#000000",
        muted="#3a3a3a",
        accent="#0033a0",
        success="#004a26",
        error="#850000",
        warning="#6b3d00",
        overlay="#000000b3",
    ),
    qr="#000000",
)
"""Black and white with 7:1 and more for every text (WCAG 2.2, AAA)."""

PRESETS: Final = {
    "default": DEFAULT,
    "midnight": MIDNIGHT,
    "paper": PAPER,
    "rounded": ROUNDED,
    "compact": COMPACT,
    "contrast": CONTRAST,
}
"""All of them, by name."""
