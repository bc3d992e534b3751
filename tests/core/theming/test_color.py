"""Contrast as WCAG has it, and the least change that reaches it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.errors import ThemeError
from walletmodal.core.theming.color import BLACK, WHITE, Color, contrast, least_contrast, move_until_readable

_COLORS = st.builds(Color, *3 * (st.integers(0, 255),))


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000", "#fff", 21), ("#777777", "#ffffff", 4.48), ("#767676", "#ffffff", 4.54), ("#f00", "#00f", 2.15)],
)
def test_contrasts_are_those_of_other_tools(one: str, other: str, ratio: float) -> None:
    assert contrast(Color.parse(one, "a"), Color.parse(other, "b")) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize("text", ["red", "#12", "#12345", "#1234567", "#ggg", "rgb(0 0 0)", "", "#fff;", 7, None])
def test_what_is_no_colour_is_named(text: str) -> None:
    with pytest.raises(ThemeError, match=r"dark\.accent: .* is no colour of the form #rgb or #rrggbb"):
        Color.parse(text, "dark.accent")


def test_lightness_and_chroma_are_those_of_css() -> None:
    # The red of CSS Color 4's example: oklch(62.8% 0.2577 29.23).
    assert Color.parse("#f00", "red").lightness_and_chroma == pytest.approx((0.628, 0.2577), abs=0.0005)


@given(_COLORS, _COLORS)
def test_black_or_white_can_always_be_reached(color: Color, ground: Color) -> None:
    toward = max((BLACK, WHITE), key=lambda one: contrast(one, ground))
    moved = move_until_readable(color, toward, (ground,))
    assert least_contrast(moved, (ground,)) >= 4.5


def test_what_can_be_read_stays_as_it_is() -> None:
    blue = Color.parse("#1d4ed8", "accent")
    assert move_until_readable(blue, BLACK, (WHITE,)) == blue
