"""A theme as the fields of a form, and what the editor shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from walletmodal.core.errors import ThemeError
from walletmodal.core.theming.palette import MODES, Colors
from walletmodal.core.theming.source import python_source
from walletmodal.core.theming.stylesheet import stylesheet
from walletmodal.core.theming.theme import INTER, Shadow, Theme


@dataclass(frozen=True)
class DraftField:
    """One thing that can be chosen.

    Attributes:
        name: such as `dark.accent`.
        label: beside its input.
        least, most, step: of a number; None of a text.
    """

    name: str
    label: str
    least: float | None = None
    most: float | None = None
    step: float = 1


NUMBERS: Final = (
    DraftField("font_size", "Font size (px)", 8, 14, 0.5),
    DraftField("radius", "Radius (px)", 0, 10, 0.5),
    DraftField("spacing", "Spacing (factor)", 0.75, 1.25, 0.05),
    DraftField("card_width", "Card width (px)", 320, 440, 5),
    DraftField("shadow.y", "Shadow: down (px)", 0, 64),
    DraftField("shadow.blur", "Shadow: blur (px)", 0, 128),
)
TEXTS: Final = (
    DraftField("font", 'Font ("Inter", or none)'),
    DraftField("shadow.color", "Shadow: colour (none: no shadow)"),
    DraftField("qr", "Code"),
    DraftField("css", "Own rules, below assets/"),
)
COLORS: Final = {
    mode: tuple(DraftField(f"{mode}.{one.name}", one.name.replace("_", " ").capitalize()) for one in fields(Colors))
    for mode in MODES
}
FIELDS: Final = {one.name: one for one in (*NUMBERS, *TEXTS, *COLORS["dark"], *COLORS["light"])}
MAX_TEXT: Final = 64


def draft_values(theme: Theme) -> dict[str, str]:
    """What stands in the form."""
    shadow = theme.shadow or Shadow()
    return {
        **{name: f"{getattr(theme, name):g}" for name in ("font_size", "radius", "spacing", "card_width")},
        "font": theme.font.family if theme.font else "",
        "qr": theme.qr,
        "css": theme.css,
        "shadow.y": f"{shadow.y:g}",
        "shadow.blur": f"{shadow.blur:g}",
        "shadow.color": theme.shadow.color if theme.shadow else "",
        **{f"{mode}.{one.name}": getattr(getattr(theme, mode), one.name) for mode in MODES for one in fields(Colors)},
    }


def draft_theme(values: Mapping[str, str]) -> Theme:
    """The theme of a form.

    Raises:
        ThemeError: there is none with these values.
    """
    colors = {mode: Colors(**{one.name: values[f"{mode}.{one.name}"] for one in fields(Colors)}) for mode in MODES}
    if values["font"] not in {"", INTER.family}:
        raise ThemeError("font: the editor has Inter alone; other fonts are files of the project (docs/themes.md)")
    shadow = values["shadow.color"]
    return Theme(
        **colors,
        font=INTER if values["font"] else None,
        font_size=_number(values, "font_size"),
        radius=_number(values, "radius"),
        spacing=_number(values, "spacing"),
        card_width=_number(values, "card_width"),
        shadow=Shadow(y=_number(values, "shadow.y"), blur=_number(values, "shadow.blur"), color=shadow)
        if shadow
        else None,
        qr=values["qr"],
        css=values["css"],
    )


def _number(values: Mapping[str, str], name: str) -> float:
    try:
        found = float(values[name])
    except ValueError as error:
        raise ThemeError(f"{name}: {values[name]!r} is no number") from error
    return int(found) if found.is_integer() else found


def draft_css(theme: Theme) -> str:
    """Its style sheet."""
    return stylesheet(theme, "/fonts/")


def draft_shown(theme: Theme) -> dict[str, Any]:
    """What follows from a theme: its style sheet, its Python, and the contrasts of its texts."""
    return {
        "css": draft_css(theme),
        "python": python_source(theme),
        "contrasts": [
            {"pair": f"{mode}: {text.replace('_', ' ')} on {ground.replace('_', ' ')}", "ratio": f"{ratio:.2f}:1"}
            for mode, palette in theme.palettes().items()
            for text, ground, ratio in palette.pairs()
        ],
    }
