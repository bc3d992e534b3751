"""The style sheet of a theme: the tokens of `walletmodal/ui/tokens.css` that differ, and nothing for the default one.

Its selectors count for more than those of the tokens, wherever it is loaded. A host's `--w3m-` variables stay above it: what they name is
read first, and what follows from an accent is worked out in the browser only where a host gave one.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor
from pathlib import PurePosixPath
from typing import Final

from walletmodal.core.theming.palette import MODES, NEUTRALS, Mode, Palette
from walletmodal.core.theming.theme import Font, Theme

_SYSTEM_FONTS: Final = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif'
_SPACINGS: Final = {
    "--wm-spacing-4xs": 2,
    "--wm-spacing-3xs": 4,
    "--wm-spacing-xxs": 6,
    "--wm-spacing-2xs": 7,
    "--wm-spacing-xs": 8,
    "--wm-spacing-1xs": 10,
    "--wm-spacing-s": 12,
    "--wm-spacing-m": 14,
    "--wm-spacing-l": 16,
    "--wm-spacing-2l": 18,
    "--wm-spacing-xl": 20,
    "--wm-spacing-xxl": 24,
    "--wm-spacing-2xl": 32,
    "--wm-spacing-3xl": 40,
}
"""px, as in `tokens.css`."""
_EVERYWHERE: Final = ":root:root, :root [data-theme]"
_MODE: Final = {
    "dark": ':root:not([data-theme="light"]), :root [data-theme="dark"]',
    "light": ':root[data-theme="light"], :root [data-theme="light"]',
}
_RELATIVE: Final = "@supports (color: oklch(from red l 0 0))"
_HOST_TEXT: Final = "color-mix(in srgb, var(--w3m-accent) var(--wm-text-share), var(--wm-inverse))"
_CHROMA: Final = 0.04
"""The most that `tokens.css` leaves to a ground."""


def stylesheet(theme: Theme, fonts: str = "./") -> str:
    """The rules of a theme, "" where it changes nothing.

    Args:
        theme: what is asked for.
        fonts: where the files of its font are, as the style sheet names it.
    """
    rules = []
    if theme.font is not None and theme.font.file:
        rules.append(_font_faces(theme.font, fonts))
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


def _font_faces(font: Font, folder: str) -> str:
    least, most = font.weights
    faces = ""
    for file, characters in ((font.file, ""), *font.subsets):
        face: dict[str, object] = {
            "font-family": f'"{font.family}"',
            "src": f'url("{folder}{PurePosixPath(file).name}") format("woff2")',
            "font-weight": f"{least} {most}",
            "font-display": "swap" if font.fallback else "optional",
        }
        faces += _rule("@font-face", face | {"unicode-range": characters} if characters else face)
    if font.fallback is None:
        return faces
    scaled = {
        "font-family": f'"{font.family} fallback"',
        "src": ", ".join(f'local("{name}")' for name in font.fallback.local),
        "size-adjust": f"{font.fallback.size_adjust:g}%",
        "ascent-override": f"{font.fallback.ascent:g}%",
        "descent-override": f"{font.fallback.descent:g}%",
        "line-gap-override": "0%",
    }
    return faces + _rule("@font-face", scaled)


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
        found |= {name: _px(round(px * theme.spacing * 2) / 2) for name, px in _SPACINGS.items()}
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
    if grounds_moved or "success" in palette.chosen:
        found |= {
            "--wm-success-100-base": palette.success,
            "--wm-success-text": palette.success_text,
            "--wm-icon-box-success-base": palette.success_box,
        }
    if grounds_moved or "error" in palette.chosen:
        found |= {
            "--wm-error-100-base": palette.error,
            "--wm-error-text": palette.error_text,
            "--wm-icon-box-error-base": palette.error_box,
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
        "--wm-host-text": _HOST_TEXT,
        "--wm-accent-text": f"var(--wm-host-text, {palette.accent_text})",
    }


def _relative_colors(palette: Palette) -> dict[str, object]:
    found: dict[str, object] = {}
    if {"accent", "on_accent", "background", "surface"} & palette.chosen:
        found |= {
            "--wm-host-solid": "color-mix(in srgb, rgb(from var(--w3m-accent) r g b / 1) 85%, #000)",
            "--wm-host-on-accent": f"color(from var(--wm-host-solid) srgb-linear{' var(--wm-white-or-black)' * 3})",
            "--wm-on-accent": f"var(--wm-host-on-accent, {palette.on_accent})",
            "--wm-host-text": f"oklch(from {_HOST_TEXT} var(--wm-text-l) c h / 1)",
        }
    if "background" in palette.chosen:
        chroma = max(_CHROMA, palette.background.lightness_and_chroma[1])
        mixed = "color-mix(in srgb, var(--wm-mix) var(--wm-mix-strength), var(--wm-modal-bg-base))"
        found["--wm-modal-bg"] = f"oklch(from {mixed} var(--wm-ground-l) min(c, {ceil(chroma * 1000) / 1000}) h / 1)"
    return found


def _bounds(palette: Palette, mode: Mode) -> dict[str, object]:
    """How light or dark a host's colours may make grounds and texts: as far as the theme's own are."""
    if not {"background", "surface"} & palette.chosen:
        return {}
    grounds = (palette.background, palette.surface)
    texts = (palette.success_text, palette.error_text)
    if mode == "dark":
        text = _lightness(4.5 * (max(one.luminance for one in grounds) + 0.05) - 0.05, 1.3)
        box = _lightness((min(one.luminance for one in texts) + 0.05) / 4.5 - 0.05, 1 / 1.1)
        return {
            "--wm-ground-l": f"min(l, {_up(palette.background.lightness_and_chroma[0])})",
            "--wm-box-l": f"min(l, {_down(box)})",
            "--wm-text-l": f"max(l, {_up(max(0.7, text))})",
        }
    text = _lightness((min(one.luminance for one in grounds) + 0.05) / 4.5 - 0.05, 1 / 1.3)
    box = _lightness(4.5 * (max(one.luminance for one in texts) + 0.05) - 0.05, 1.1)
    return {
        "--wm-ground-l": f"max(l, {_down(palette.background.lightness_and_chroma[0])})",
        "--wm-box-l": f"max(l, {_up(box)})",
        "--wm-text-l": f"min(l, {_down(min(0.5, text))})",
    }


def _lightness(luminance: float, reserve: float) -> float:
    """The OKLCH lightness of a grey; `reserve`: how far the luminance of another hue of that lightness is off."""
    return float(min(1.0, max(0.0, luminance * reserve)) ** (1 / 3))


def _up(value: float) -> float:
    return ceil(value * 1000) / 1000


def _down(value: float) -> float:
    return floor(value * 1000) / 1000
