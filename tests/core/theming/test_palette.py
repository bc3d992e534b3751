"""Whatever a team chooses, texts can be read, or the theme is refused by name."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import walletmodal.ui
from walletmodal.core.errors import ThemeError
from walletmodal.core.theming.palette import DEFAULTS, Colors, Mode, Palette
from walletmodal.core.theming.presets import CONTRAST, PRESETS
from walletmodal.core.theming.theme import FallbackFont, Font, Shadow, Theme

_HEX = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
_TOKENS = (Path(walletmodal.ui.__file__ or "").parent / "tokens.css").read_text("utf-8")
_TOKEN_OF = {
    "background": "modal-bg-base",
    "surface": "bg-200",
    "text": "fg-100",
    "muted": "fg-200",
    "success": "success-100-base",
    "error": "error-100-base",
    "warning": "warning-text",
}


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_the_defaults_are_those_of_the_tokens(mode: Mode) -> None:
    block = re.findall(rf'\[data-theme="{mode}"\] \{{(.*?)\n\}}', _TOKENS, re.DOTALL)[0]
    found = {name: re.findall(rf"--wm-{token}: (\S+);", block)[0] for name, token in _TOKEN_OF.items()}
    assert {name: "#ffffff" if color == "#fff" else color for name, color in found.items()} == {
        name: color for name, color in DEFAULTS[mode].items() if name != "accent"
    }
    assert "--wm-accent-default: hsl(230deg 100% 67%);" in _TOKENS
    assert DEFAULTS[mode]["accent"] == "#5773ff"


@pytest.mark.parametrize("name", PRESETS)
def test_every_text_of_a_preset_can_be_read(name: str) -> None:
    poor = [pair for palette in PRESETS[name].palettes().values() for pair in palette.pairs() if pair[2] < 4.5]
    assert poor == []


def test_every_text_of_the_preset_for_contrast_has_seven_to_one() -> None:
    assert min(pair[2] for palette in CONTRAST.palettes().values() for pair in palette.pairs()) >= 7


@given(st.sampled_from(["dark", "light"]), _HEX, _HEX, _HEX, _HEX)
def test_what_is_not_refused_can_be_read(mode: Mode, accent: str, background: str, error: str, success: str) -> None:
    with suppress(ThemeError):
        palette = Palette.of(Colors(accent=accent, background=background, error=error, success=success), mode)
        assert [pair for pair in palette.pairs() if pair[2] < 4.5] == []


@given(st.sampled_from(["dark", "light"]), _HEX)
def test_no_accent_is_refused(mode: Mode, accent: str) -> None:
    assert [pair for pair in Palette.of(Colors(accent=accent), mode).pairs() if pair[2] < 4.5] == []


@given(_HEX, _HEX)
def test_a_button_moves_away_from_the_text_that_was_chosen_for_it(accent: str, on_accent: str) -> None:
    palette = Palette.of(Colors(accent=accent, on_accent=on_accent), "dark")
    pairs = {text: ratio for text, _, ratio in palette.pairs()}
    assert str(palette.on_accent) == on_accent
    # A grey in the middle has 4.5:1 with nothing in every state.
    assert pairs["on_accent"] >= 4.5 or palette.fill in {(0, 0, 0), (255, 255, 255)}


@pytest.mark.parametrize(
    ("accent", "text", "fill"),
    [
        ("#1d4ed8", "#ffffff", "#1d4ed8"),
        ("#e64980", "#ffffff", "#cd4172"),
        ("#ffd400", "#000000", "#ffd400"),
    ],
    ids=["kept", "darker for white", "black text"],
)
def test_the_accent_or_its_text_is_moved(accent: str, text: str, fill: str) -> None:
    palette = Palette.of(Colors(accent=accent), "light")
    assert (str(palette.on_accent), str(palette.fill)) == (text, fill)


@pytest.mark.parametrize(
    ("mode", "colors", "message"),
    [
        ("dark", Colors(background="#222222", text="#777777"), "dark: text #777777 on background #222222 has 3.55:1"),
        ("light", Colors(muted="#aaaaaa"), "light: muted #aaaaaa on background #ffffff has 2.32:1, below 4.5:1"),
        ("light", Colors(surface="#666666"), "light: text #141414 on surface #666666 has"),
        ("dark", Colors(background="#888888"), "dark: white on background #888888 has 3.54:1, below 7.5:1"),
        ("light", Colors(background="#000000"), "light: black on background #000000 has 1.00:1, below 7.5:1"),
        ("dark", Colors(overlay="blue"), "dark.overlay: 'blue' is no colour"),
    ],
)
def test_the_pair_that_cannot_be_read_is_named(mode: Mode, colors: Colors, message: str) -> None:
    with pytest.raises(ThemeError, match=re.escape(message)):
        Palette.of(colors, mode)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"font_size": 20}, "font_size: 20 is no number from 8 to 14"),
        ({"radius": -1}, "radius: -1 is no number from 0 to 10"),
        ({"radius": True}, "radius: True is no number"),
        ({"spacing": float("nan")}, "spacing: nan is no number"),
        ({"card_width": "360"}, "card_width: '360' is no number"),
        ({"qr": "#ffee00"}, "qr: #ffee00 on white has 1.20:1, below 4.5:1"),
        ({"css": "own.scss"}, "css: 'own.scss' is no .css file"),
    ],
)
def test_a_size_out_of_bounds_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ThemeError, match=re.escape(message)):
        Theme(**options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Font(family='A"; } *'), "font.family"),
        (lambda: Font(family="A", file="a.ttf"), "font.file: 'a.ttf' is no .woff2 file"),
        (
            lambda: Font(family="A", file="a.woff2", subsets=(("b.ttf", "U+400"),)),
            "font.file: 'b.ttf' is no .woff2 file",
        ),
        (lambda: Font(family="A", file="a.woff2", subsets=(("b.woff2", "U+0; }"),)), "font.subsets: 'U+0; }' names no"),
        (lambda: Font(family="A", subsets=(("b.woff2", "U+400"),)), "font.subsets: there is no font.file"),
        (lambda: Font(family="A", weights=(900, 100)), "font.weights: 900 is no number from 1 to 100"),
        (lambda: FallbackFont(local=('x"',), size_adjust=100, ascent=90, descent=20), "fallback.local"),
        (lambda: Shadow(color="black"), "shadow.color: 'black' is no colour"),
        (lambda: Shadow(blur=500), "shadow.blur: 500 is no number from 0 to 128"),
    ],
)
def test_a_part_that_cannot_be_used_is_named(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ThemeError, match=re.escape(message)):
        make()
