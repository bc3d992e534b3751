"""The marks of wallets: initials of the well-known, abstract figures of the others, on a coloured ground. No vendor's logo."""

import colorsys
import html
import math
from collections.abc import Callable
from typing import Final

from walletmodal.sandbox.directory.chance import Chance

SIZE: Final = 96
_MIDDLE: Final = SIZE / 2

Figure = Callable[[Chance, str], str]


def wallet_mark(wallet_id: str, colour: str | None = None, name: str = "") -> str:
    """Draw a wallet's mark as an SVG document.

    Args:
        wallet_id: what it follows from; two ids give two pictures.
        colour: the ground's colour, `#rrggbb`; one that follows from the id when absent.
        name: of a wallet that people look for: its initials are drawn, by which it is found among many.
    """
    chance = Chance(f"mark {wallet_id}")
    first, second = _grounds(chance, colour)
    ink = "#ffffff" if _luminance(first) < 0.62 else "#10131f"
    figure = _initials(name, ink) if name else chance.one_of(_FIGURES)(chance, ink)
    turn = chance.between(0, 359)
    x, y = 0.5 + 0.5 * math.cos(math.radians(turn)), 0.5 + 0.5 * math.sin(math.radians(turn))
    return svg(
        f'<defs><linearGradient id="g" x1="{x:.2f}" y1="{y:.2f}" x2="{1 - x:.2f}" y2="{1 - y:.2f}">'
        f'<stop stop-color="{first}"/><stop offset="1" stop-color="{second}"/></linearGradient></defs>'
        f'<path fill="url(#g)" d="M0 0h{SIZE}v{SIZE}H0z"/>{figure}'
    )


def svg(content: str, size: int = SIZE) -> str:
    """An SVG document of a square picture."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}">{content}</svg>'


def shade(colour: str, lightness: float) -> str:
    """A colour `#rrggbb` made lighter (above 1) or darker (below 1)."""
    hue, light, saturation = colorsys.rgb_to_hls(*_channels(colour))
    return _hexadecimal(hue, min(0.94, max(0.08, light * lightness)), saturation)


def initials(name: str) -> str:
    """Two letters of a name: its capitals, else its first ones. That it is a wallet goes without saying."""
    name = name.removesuffix(" Wallet")
    capitals = [letter for letter in name if letter.isupper() or letter.isdigit()]
    return "".join(capitals[:2]) if len(capitals) > 1 else name[:2]


def _initials(name: str, ink: str) -> str:
    return (
        f'<text x="48" y="49" fill="{ink}" font-family="system-ui,sans-serif" font-size="40" font-weight="700" '
        f'text-anchor="middle" dominant-baseline="central" letter-spacing="-1">{html.escape(initials(name))}</text>'
    )


def _grounds(chance: Chance, colour: str | None) -> tuple[str, str]:
    if colour is not None:
        return colour, shade(colour, 0.72 if _luminance(colour) > 0.25 else 1.6)
    hue = chance.below(360) / 360
    drift = chance.one_of((-0.11, -0.07, 0.06, 0.1, 0.14))
    saturation = chance.between(52, 82) / 100
    light = chance.between(42, 58) / 100
    return _hexadecimal(hue, light, saturation), _hexadecimal((hue + drift) % 1, light * 0.74, saturation)


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = _channels(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _hexadecimal(hue: float, light: float, saturation: float) -> str:
    channels = colorsys.hls_to_rgb(hue, light, saturation)
    return "#" + "".join(f"{round(one * 255):02x}" for one in channels)


def _at(radius: float, degrees: float) -> str:
    radians = math.radians(degrees)
    return f"{_MIDDLE + radius * math.cos(radians):.1f} {_MIDDLE + radius * math.sin(radians):.1f}"


def _petals(chance: Chance, ink: str) -> str:
    count, start = chance.between(4, 8), chance.between(0, 44)
    wide = round(70 / count)
    petals = (
        f'<ellipse cx="48" cy="30" rx="{wide}" ry="17" transform="rotate({start + turn * 360 / count:.1f} 48 48)"/>'
        for turn in range(count)
    )
    return f'<g fill="{ink}" fill-opacity=".62">{"".join(petals)}</g><circle cx="48" cy="48" r="6" fill="{ink}"/>'


def _orbits(chance: Chance, ink: str) -> str:
    count, turn = chance.between(2, 3), chance.between(0, 179)
    rings = (
        f'<ellipse cx="48" cy="48" rx="31" ry="{chance.between(10, 14)}" transform="rotate({turn + step * 180 / count:.1f} 48 48)"/>'
        for step in range(count)
    )
    lines = f'<g fill="none" stroke="{ink}" stroke-width="4.500" stroke-opacity=".85">{"".join(rings)}</g>'
    return f'{lines}<circle cx="48" cy="48" r="{chance.between(6, 9)}" fill="{ink}"/>'


def _waves(chance: Chance, ink: str) -> str:
    high, count = chance.between(8, 15), chance.between(2, 4)
    gap = 44 / count
    lines = (
        f'<path d="M14 {26 + gap * (step + 0.5):.1f}q17-{2 * high} 34 0t34 0" stroke-opacity="{1 - step * 0.2:.1f}"/>'
        for step in range(count)
    )
    drawn = f'<g fill="none" stroke="{ink}" stroke-width="7" stroke-linecap="round">{"".join(lines)}</g>'
    return f'<g transform="rotate({chance.one_of((0, 0, 45, 90, -45))} 48 48)">{drawn}</g>'


def _facets(chance: Chance, ink: str) -> str:
    sides, start = chance.between(3, 8), chance.between(0, 359)
    corners = [_at(31, start + side * 360 / sides) for side in range(sides)]
    faces = (
        f'<path d="M48 48L{corners[side]}L{corners[(side + 1) % sides]}z" '
        f'fill-opacity="{0.35 + 0.6 * ((side * 2 + 1) % sides) / sides:.2f}"/>'
        for side in range(sides)
    )
    return f'<g fill="{ink}">{"".join(faces)}</g>'


def _star(chance: Chance, ink: str) -> str:
    points, inner, start = chance.between(4, 9), chance.between(9, 17), chance.between(0, 89)
    corners = [_at(33 if step % 2 == 0 else inner, start + step * 180 / points) for step in range(points * 2)]
    hole = f'<circle cx="48" cy="48" r="{inner * 0.45:.1f}" fill="#000" fill-opacity=".18"/>'
    return (
        f'<path fill="{ink}" stroke="{ink}" stroke-width="4" stroke-linejoin="round" d="M{"L".join(corners)}z"/>{hole}'
    )


def _tiles(chance: Chance, ink: str) -> str:
    half = [chance.between(1, 7) for _ in range(4)]
    drawn = []
    for row, bits in enumerate(half):
        for column in range(4):
            if bits >> min(column, 3 - column) & 1:
                strength = 0.95 if bits >> 2 & 1 else 0.6
                drawn.append(
                    f'<rect x="{19 + column * 15}" y="{19 + row * 15}" width="13" height="13" rx="4" fill-opacity="{strength}"/>'
                )
    return f'<g fill="{ink}">{"".join(drawn)}</g>'


def _moon(chance: Chance, ink: str) -> str:
    turn, deep = chance.between(0, 359), chance.between(13, 20)
    star = _at(24, turn + 180)
    x, y = star.split()
    crescent = f"M48 18a30 30 0 1 1-.1 0zM48 18a{deep + 4} {deep + 4} 0 1 0 26 15A30 30 0 0 0 48 18z"
    return (
        f'<g transform="rotate({turn} 48 48)"><path fill="{ink}" fill-rule="evenodd" d="{crescent}"/></g>'
        f'<circle cx="{x}" cy="{y}" r="4" fill="{ink}" fill-opacity=".8"/>'
    )


def _peaks(chance: Chance, ink: str) -> str:
    high, low, far = chance.between(20, 32), chance.between(36, 46), chance.between(52, 70)
    sun = f'<circle cx="{chance.between(20, 32)}" cy="28" r="{chance.between(6, 9)}" fill="{ink}" fill-opacity=".8"/>'
    return (
        f'<path fill="{ink}" fill-opacity=".55" d="M{far - 30} 74L{far} {low}l26 {74 - low}z"/>'
        f'<path fill="{ink}" d="M12 74L{far - 20} {high}L{far + 12} 74z"/>{sun}'
    )


def _links(chance: Chance, ink: str) -> str:
    count, far, start = chance.between(3, 5), chance.between(12, 16), chance.between(0, 119)
    rings = []
    for step in range(count):
        x, y = _at(far, start + step * 360 / count).split()
        rings.append(f'<circle cx="{x}" cy="{y}" r="{31 - far}"/>')
    return f'<g fill="none" stroke="{ink}" stroke-width="5.500" stroke-opacity=".88">{"".join(rings)}</g>'


def _chevrons(chance: Chance, ink: str) -> str:
    count, turn, deep = chance.between(2, 4), chance.one_of((0, 90, 180, 270)), chance.between(12, 20)
    gap = 36 / count
    lines = (
        f'<path d="M24 {30 + deep + gap * step:.1f}L48 {30 + gap * step:.1f}l24 {deep}" stroke-opacity="{1 - step * 0.22:.2f}"/>'
        for step in range(count)
    )
    drawn = "".join(lines)
    return (
        f'<g transform="rotate({turn} 48 48)" fill="none" stroke="{ink}" stroke-width="8" stroke-linecap="round" '
        f'stroke-linejoin="round">{drawn}</g>'
    )


def _clasp(chance: Chance, ink: str) -> str:
    flap, clasp = chance.between(26, 34), chance.between(44, 56)
    corner = chance.between(6, 14)
    return (
        f'<rect x="18" y="{flap + 4}" width="60" height="{74 - flap}" rx="{corner}" fill="{ink}"/>'
        f'<path d="M26 {flap}h40" stroke="{ink}" stroke-width="5" stroke-linecap="round" stroke-opacity=".7"/>'
        f'<circle cx="{chance.between(58, 66)}" cy="{clasp}" r="{chance.between(5, 8)}" fill="url(#g)"/>'
    )


def _leaves(chance: Chance, ink: str) -> str:
    count, start, wide = chance.between(2, 4), chance.between(0, 359), chance.between(14, 24)
    leaves = (
        f'<path d="M48 50q-{wide}-16 0-36q{wide} 20 0 36z" transform="rotate({start + step * 360 / count:.1f} 48 48)" '
        f'fill-opacity="{1 - 0.55 * (step % 2):.2f}"/>'
        for step in range(count)
    )
    return f'<g fill="{ink}">{"".join(leaves)}</g>'


_FIGURES: Final[tuple[Figure, ...]] = (
    _petals,
    _orbits,
    _waves,
    _facets,
    _star,
    _tiles,
    _moon,
    _peaks,
    _links,
    _chevrons,
    _clasp,
    _leaves,
)
