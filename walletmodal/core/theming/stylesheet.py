"""The style sheet of a theme: the tokens of `walletmodal/ui/tokens.css` that differ, and nothing for the default one.

Its selectors count for more than those of the tokens, wherever it is loaded. A host's `--w3m-` variables stay above it: what they name is
read first, and what follows from an accent is worked out in the browser only where a host gave one.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor
from typing import Final

from walletmodal.core.theming.color import Color
from walletmodal.core.theming.palette import MODES, NEUTRALS, Mode, Palette
from walletmodal.core.theming.theme import Font, Theme

_SYSTEM_FONTS: Final = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif'
_SPACINGS: Final = {
    "4xs": 2,
    "3xs": 4,
    "xxs": 6,
    "2xs": 7,
    "xs": 8,
    "1xs": 10,
    "s": 12,
    "m": 14,
    "l": 16,
    "2l": 18,
    "xl": 20,
    "xxl": 24,
    "2xl": 32,
    "3xl": 40,
}
"""px, as in `tokens.css`."""
_EVERYWHERE: Final = ":root:root, :root [data-theme]"
_MODE: Final = {
    "dark": ':root:not([data-theme="light"]), :root [data-theme="dark"]',
    "light": ':root[data-theme="light"], :root [data-theme="light"]',
}
_RELATIVE: Final = "@supports (color: oklch(from red l 0 0))"
_CHROMA: Final = 0.04
"""The most that `tokens.css` leaves to a ground."""


def stylesheet(theme: Theme, font_url: str = "") -> str:
    """The rules of a theme, "" where it changes nothing.

    Args:
        theme: what is asked for.
        font_url: where the font's file is, as the style sheet names it.
    """
    rules = []
    if theme.font is not None and theme.font.file:
        rules.append(_font_faces(theme.font, font_url))
    rules += [_rule(_EVERYWHERE, _sizes(theme)), *_qr_rules(theme)]
    for mode in MODES:
        palette = theme.palettes()[mode]
        rules += [
            _rule(_MODE[mode], _colors(palette) | _bounds(palette, mode)),
            _within_support(_MODE[mode], _relative_colors(palette)),
        ]
    if theme.shadow is not None:
        shadow = f"0 {_px(theme.shadow.y)} {_px(theme.shadow.blur)} {theme.shadow.color}"
        edge = "0 0 0 1px var(--wm-gray-glass-005)"
        rules.append(_rule(".wm-overlay:not(.wm-embedded) .wm-card", {"box-shadow": f"{edge}, {shadow}"}))
    return "".join(rules)


def _rule(selector: str, declarations: Mapping[str, object]) -> str:
    lines = "".join(f"  {name}: {value};\n" for name, value in declarations.items())
    return f"{selector} {{\n{lines}}}\n" if lines else ""


def _within_support(selector: str, declarations: Mapping[str, object]) -> str:
    rule = _rule(selector, declarations)
    return f"{_RELATIVE} {{\n{rule}}}\n" if rule else ""


def _px(value: float) -> str:
    return f"{value:g}px"


def _font_faces(font: Font, url: str) -> str:
    least, most = font.weights
    face: dict[str, object] = {
        "font-family": f'"{font.family}"',
        "src": f'url("{url}") format("woff2")',
        "font-weight": f"{least} {most}",
        "font-display": "swap" if font.fallback else "optional",
    }
    if font.fallback is None:
        return _rule("@font-face", face)
    scaled = {
        "font-family": f'"{font.family} fallback"',
        "src": ", ".join(f'local("{name}")' for name in font.fallback.local),
        "size-adjust": f"{font.fallback.size_adjust:g}%",
        "ascent-override": f"{font.fallback.ascent:g}%",
        "descent-override": f"{font.fallback.descent:g}%",
        "line-gap-override": "0%",
    }
    return _rule("@font-face", face) + _rule("@font-face", scaled)


def _sizes(theme: Theme) -> dict[str, object]:
    found: dict[str, object] = {}
    if theme.font is not None:
        own = [theme.font.family, *([f"{theme.font.family} fallback"] if theme.font.fallback else [])]
        families = ", ".join([*(f'"{family}"' for family in own), _SYSTEM_FONTS])
        found["--wm-font-family"] = f"var(--w3m-font-family, {families})"
    if theme.font_size != 10:
        found["--wm-font-size-master"] = f"clamp(8px, var(--w3m-font-size-master, {_px(theme.font_size)}), 14px)"
    if theme.radius != 4:
        found["--wm-radius-master"] = f"clamp(0px, var(--w3m-border-radius-master, {_px(theme.radius)}), 10px)"
    if theme.card_width != 360:
        found["--wm-modal-width"] = _px(theme.card_width)
    if theme.spacing != 1:
        found |= {f"--wm-spacing-{name}": _px(round(px * theme.spacing * 2) / 2) for name, px in _SPACINGS.items()}
    return found


def _qr_rules(theme: Theme) -> list[str]:
    if not theme.qr:
        return []
    color = f"var(--w3m-qr-color, {theme.qr})"
    return [
        _rule(_EVERYWHERE, {"--wm-qr-color": color}),
        _within_support(_EVERYWHERE, {"--wm-qr-color": f"oklch(from {color} min(l, 0.5) c h / 1)"}),
    ]


def _colors(palette: Palette) -> dict[str, object]:
    found: dict[str, object] = {}
    if NEUTRALS & palette.chosen:
        found |= _neutrals(palette)
    if palette.overlay:
        found["--wm-cover"] = palette.overlay
    grounds_moved = bool({"background", "surface"} & palette.chosen)
    if {"accent", "on_accent", "background", "surface"} & palette.chosen:
        found |= _accents(palette)
    for name in ("success", "error"):
        if grounds_moved or name in palette.chosen:
            found |= {
                f"--wm-{name}-100-base": getattr(palette, name),
                f"--wm-{name}-text": getattr(palette, f"{name}_text"),
                f"--wm-icon-box-{name}-base": getattr(palette, f"{name}_box"),
            }
    if grounds_moved or "warning" in palette.chosen:
        found["--wm-warning-text"] = palette.warning_text
    return found


def _neutrals(palette: Palette) -> dict[str, object]:
    background, surface, text, muted = palette.background, palette.surface, palette.text, palette.muted
    return {
        "--wm-modal-bg-base": background,
        "--wm-fg-100": text,
        "--wm-fg-150": muted.mix(text, 0.25),
        "--wm-fg-200": muted,
        "--wm-fg-275": muted,
        "--wm-bg-100": background,
        "--wm-bg-150": background.mix(surface, 0.6),
        "--wm-bg-175": background.mix(surface, 0.8),
        "--wm-bg-200": surface,
        "--wm-bg-250": surface.mix(text, 0.05),
        "--wm-bg-300": surface.mix(text, 0.1),
        "--wm-bg-325": background.mix(surface, 0.9),
        "--wm-alert-border": surface,
    }


def _accents(palette: Palette) -> dict[str, object]:
    """What a host's accent takes the place of: the first variable of each pair says nothing without one."""
    return {
        "--wm-accent-default": palette.accent,
        "--wm-icon-box-accent-base": palette.accent_box,
        "--wm-host-solid": "color-mix(in srgb, var(--w3m-accent) 85%, #000)",
        "--wm-accent-solid": f"var(--wm-host-solid, {palette.fill})",
        "--wm-on-accent": palette.on_accent,
        "--wm-host-text": "color-mix(in srgb, var(--w3m-accent) var(--wm-text-share), var(--wm-inverse))",
        "--wm-accent-text": f"var(--wm-host-text, {palette.accent_text})",
    }


def _relative_colors(palette: Palette) -> dict[str, object]:
    found: dict[str, object] = {}
    if {"accent", "on_accent", "background", "surface"} & palette.chosen:
        found |= {
            "--wm-host-solid": "color-mix(in srgb, rgb(from var(--w3m-accent) r g b / 1) 85%, #000)",
            "--wm-host-on-accent": f"color(from var(--wm-host-solid) srgb-linear{' var(--wm-white-or-black)' * 3})",
            "--wm-on-accent": f"var(--wm-host-on-accent, {palette.on_accent})",
            "--wm-host-text": "oklch(from color-mix(in srgb, var(--w3m-accent) var(--wm-text-share), var(--wm-inverse)) var(--wm-text-l) c h / 1)",
        }
    if "background" in palette.chosen:
        chroma = max(_CHROMA, palette.background.lightness_and_chroma[1])
        mixed = "color-mix(in srgb, var(--wm-mix) var(--wm-mix-strength), var(--wm-modal-bg-base))"
        found["--wm-modal-bg"] = f"oklch(from {mixed} var(--wm-ground-l) min(c, {ceil(chroma * 1000) / 1000}) h / 1)"
    return found


def _bounds(palette: Palette, mode: Mode) -> dict[str, object]:
    """How light a host's colours may be, so that they can be read on, and under, those of the theme."""
    if "background" not in palette.chosen and "surface" not in palette.chosen:
        return {}
    boxes = (palette.accent_box, palette.success_box, palette.error_box)
    grounds = (palette.background, palette.surface)
    if mode == "dark":
        text = max(0.7, _text_lightness(max(grounds, key=lambda one: one.luminance), lighter=True))
        return {
            "--wm-ground-l": f"min(l, {_up(palette.background.lightness_and_chroma[0])})",
            "--wm-box-l": f"min(l, {_up(max(box.lightness_and_chroma[0] for box in boxes))})",
            "--wm-text-l": f"max(l, {_up(text)})",
        }
    text = min(0.5, _text_lightness(min(grounds, key=lambda one: one.luminance), lighter=False))
    return {
        "--wm-ground-l": f"max(l, {_down(palette.background.lightness_and_chroma[0])})",
        "--wm-box-l": f"max(l, {_down(min(box.lightness_and_chroma[0] for box in boxes))})",
        "--wm-text-l": f"min(l, {_down(text)})",
    }


def _text_lightness(ground: Color, *, lighter: bool) -> float:
    """From which OKLCH lightness on a text of any hue can be read: luminance is its cube for greys, and up to 1.3 times off for others."""
    needed = 4.5 * (ground.luminance + 0.05) - 0.05 if lighter else (ground.luminance + 0.05) / 4.5 - 0.05
    return float(min(1.0, max(0.0, needed * (1.3 if lighter else 1 / 1.3))) ** (1 / 3))


def _up(value: float) -> float:
    return ceil(value * 1000) / 1000


def _down(value: float) -> float:
    return floor(value * 1000) / 1000
