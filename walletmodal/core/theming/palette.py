"""The colours of one mode: those that a team chooses, and those that follow from them so that every text can be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final, Literal

from walletmodal.core.errors import ThemeError
from walletmodal.core.theming.color import (
    BLACK,
    MIN_CONTRAST,
    WHITE,
    Color,
    check_translucent,
    contrast,
    least_contrast,
    move_until_readable,
)

Mode = Literal["dark", "light"]
MODES: Final[tuple[Mode, Mode]] = ("dark", "light")


@dataclass(frozen=True, kw_only=True)
class Colors:
    """The colours of one mode, `#rgb` or `#rrggbb`; "": as without a theme, or following from the others.

    Args:
        background: the card.
        surface: what stands out from it: toasts, placeholders.
        text: titles and labels; at least 4.5:1 on both of them.
        muted: what is said beside them; the same.
        accent: main buttons, links and the focus. A button that its text would have less than 4.5:1 on is made darker or lighter.
        on_accent: the text of main buttons; "": white, or black where white would have less than 3:1.
        success, error, warning: marks and the ground of messages; texts in them are mixed with white or black up to 4.5:1.
        overlay: what covers the page, with an alpha (`#rrggbbaa`).
    """

    background: str = ""
    surface: str = ""
    text: str = ""
    muted: str = ""
    accent: str = ""
    on_accent: str = ""
    success: str = ""
    error: str = ""
    warning: str = ""
    overlay: str = ""


DEFAULTS: Final[dict[str, dict[str, str]]] = {
    "dark": {
        "background": "#121313",
        "surface": "#272a2a",
        "text": "#e4e7e7",
        "muted": "#949e9e",
        "accent": "#5773ff",
        "success": "#26d962",
        "error": "#f25a67",
        "warning": "#f3a13f",
    },
    "light": {
        "background": "#ffffff",
        "surface": "#eaf1f1",
        "text": "#141414",
        "muted": "#5f6969",
        "accent": "#5773ff",
        "success": "#26b562",
        "error": "#f05142",
        "warning": "#8a5200",
    },
}
"""What `walletmodal/ui/tokens.css` says."""

NEUTRALS: Final = frozenset({"background", "surface", "text", "muted"})
_MIN_BACKGROUND: Final = 7.5
"""Contrast of the background with white (dark mode) or black (light): with less, a text in a colour had no room on a tint of it."""
_MIN_WHITE: Final = 3
"""From which contrast on an accent is made darker for white rather than given a black text."""
_HOVER, _ACTIVE = 0.08, 0.16
"""How much black main buttons get under a pointer."""
_TINT: Final = 0.2
"""The most of a colour that stands behind a text of the same."""
_BOXES: Final = (0.18, 0.08, 0)


@dataclass(frozen=True, kw_only=True)
class Palette:
    """All colours of one mode that a theme decides.

    Attributes:
        chosen: the names of the `Colors` that were chosen.
        fill: main buttons.
        on_accent: their text.
        accent_text, success_text, error_text, warning_text: texts in these colours.
        accent_box, success_box, error_box: the grounds of icons and messages.
    """

    chosen: frozenset[str]
    background: Color
    surface: Color
    text: Color
    muted: Color
    accent: Color
    fill: Color
    on_accent: Color
    accent_text: Color
    success: Color
    success_text: Color
    error: Color
    error_text: Color
    warning_text: Color
    accent_box: Color
    success_box: Color
    error_box: Color
    overlay: str

    @classmethod
    def of(cls, colors: Colors, mode: Mode) -> Palette:
        """What follows from the colours of a mode.

        Raises:
            ThemeError: a text that was chosen has less than 4.5:1 on its ground, or a mode is not what its name says.
        """
        chosen = frozenset(one.name for one in fields(colors) if getattr(colors, one.name))
        given = {name: Color.parse(getattr(colors, name), f"{mode}.{name}") for name in chosen - {"overlay"}}
        base = {name: Color.parse(text, name) for name, text in DEFAULTS[mode].items()} | given
        inverse = WHITE if mode == "dark" else BLACK
        background, text = base["background"], base["text"]
        surface = given.get("surface") or (background.mix(text, 0.1) if "background" in given else base["surface"])
        grounds = {"background": background, "surface": surface}
        _require_mode(mode, background, inverse)
        _require_readable(mode, "text", text, grounds)
        if "muted" in given or not NEUTRALS & chosen:
            muted = base["muted"]
            _require_readable(mode, "muted", muted, grounds)
        else:
            muted = move_until_readable(text.mix(background, 0.4), text, grounds.values())
        on_accent, fill = _button(base["accent"], given.get("on_accent"))
        tints = {name: background.mix(base[name], _TINT) for name in ("accent", "success", "error")}
        boxes = {name: _box(background, base[name], inverse) for name in tints}
        texts = {
            name: move_until_readable(base[name], inverse, (background, surface, tints[name], boxes[name]))
            for name in tints
        }
        return cls(
            chosen=chosen,
            background=background,
            surface=surface,
            text=text,
            muted=muted,
            accent=base["accent"],
            fill=fill,
            on_accent=on_accent,
            accent_text=texts["accent"],
            success=base["success"],
            success_text=texts["success"],
            error=base["error"],
            error_text=texts["error"],
            warning_text=move_until_readable(base["warning"], inverse, grounds.values()),
            accent_box=boxes["accent"],
            success_box=boxes["success"],
            error_box=boxes["error"],
            overlay=check_translucent(colors.overlay, f"{mode}.overlay") if colors.overlay else "",
        )

    def pairs(self) -> Iterator[tuple[str, str, float]]:
        """Every text, what it stands on, and their contrast."""
        for text in ("text", "muted", "accent_text", "success_text", "error_text", "warning_text"):
            for ground in ("background", "surface"):
                yield text, ground, contrast(getattr(self, text), getattr(self, ground))
        for name in ("accent", "success", "error"):
            yield f"{name}_text", f"{name}_box", contrast(getattr(self, f"{name}_text"), getattr(self, f"{name}_box"))
        yield "on_accent", "accent", least_contrast(self.on_accent, _states(self.fill))


def _states(fill: Color) -> tuple[Color, Color, Color]:
    return fill, fill.mix(BLACK, _HOVER), fill.mix(BLACK, _ACTIVE)


def _button(accent: Color, chosen: Color | None) -> tuple[Color, Color]:
    """The text of a main button, and its ground: the accent, moved away from the text until that can be read in every state."""
    text = chosen or (WHITE if contrast(WHITE, accent) >= _MIN_WHITE else BLACK)
    away = BLACK if contrast(text, BLACK) > contrast(text, WHITE) else WHITE
    steps = (accent.mix(away, step / 100) for step in range(100))
    return text, next((fill for fill in steps if least_contrast(text, _states(fill)) >= MIN_CONTRAST), away)


def _box(background: Color, hue: Color, inverse: Color) -> Color:
    """A ground in a colour on which a text can be read."""
    mixed = (background.mix(hue, share) for share in _BOXES)
    return next((box for box in mixed if contrast(box, inverse) >= MIN_CONTRAST + 1), background)


def _require_mode(mode: Mode, background: Color, inverse: Color) -> None:
    found = contrast(background, inverse)
    if found < _MIN_BACKGROUND:
        other = "white" if inverse == WHITE else "black"
        raise ThemeError(f"{mode}: {other} on background {background} has {found:.2f}:1, below {_MIN_BACKGROUND}:1")


def _require_readable(mode: Mode, name: str, text: Color, grounds: dict[str, Color]) -> None:
    for ground, color in grounds.items():
        found = contrast(text, color)
        if found < MIN_CONTRAST:
            raise ThemeError(f"{mode}: {name} {text} on {ground} {color} has {found:.2f}:1, below 4.5:1")
