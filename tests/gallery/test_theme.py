"""The host's theme variables reach what they name, live."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gallery.stage import Stage
from walletmodal.core.theming.color import contrast
from walletmodal.core.theming.presets import PRESETS
from walletmodal.features.gallery.entries import BY_ID

_STYLE = "([selector, property]) => getComputedStyle(document.querySelector(selector)).getPropertyValue(property)"
_CUT = """() => {
  const card = document.querySelector(".wm-card").getBoundingClientRect();
  return [...document.querySelectorAll(".wm-number, .wm-total, .wm-amount, .wm-account-end *, .wm-tab")]
    .filter((part) => part.getClientRects().length && !part.closest(".wm-hidden"))
    .filter((part) => {
      const box = part.getBoundingClientRect();
      const around = part.closest(".wm-token-small, .wm-choice-value, .wm-choice-detail, button, a, .wm-worth")?.getBoundingClientRect() ?? card;
      return part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline" || box.right > around.right + 1 || box.left < around.left - 1;
    })
    .map((part) => part.className + ": " + part.textContent);
}"""
_SET = "([name, value]) => document.documentElement.style.setProperty(name, value)"


@pytest.fixture
def shown(stages: dict[str, Stage]) -> Iterator[Stage]:
    """The entry with the main button, and the root as it was afterwards."""
    stage = stages["dark"]
    stage.show(BY_ID["what-is-a-network"])
    yield stage
    stage.page.evaluate("() => document.documentElement.removeAttribute('style')")


@pytest.mark.parametrize(
    ("variable", "value", "selector", "property_", "expected"),
    [
        ("--w3m-font-family", "Georgia", ".wm-card", "font-family", "Georgia"),
        ("--w3m-font-size-master", "12px", ".wm-heading", "font-size", "19.2px"),
        ("--w3m-border-radius-master", "0px", ".wm-button", "border-radius", "0px"),
        ("--w3m-border-radius-master", "1px", ".wm-card", "border-top-left-radius", "9px"),
        ("--w3m-accent", "#ff0000", ".wm-button", "background-color", "color(srgb 0.85 0 0)"),
        ("--w3m-font-size-master", "0px", ".wm-heading", "font-size", "12.8px"),
        ("--w3m-font-size-master", "90px", ".wm-heading", "font-size", "22.4px"),
        ("--w3m-border-radius-master", "90px", ".wm-button", "border-radius", "70px"),
    ],
)
def test_a_variable_reaches_what_it_names(
    shown: Stage, variable: str, value: str, selector: str, property_: str, expected: str
) -> None:
    shown.page.evaluate(_SET, [variable, value])
    assert shown.page.evaluate(_STYLE, [selector, property_]) == expected


_COLOURED = ("midnight", "paper", "rounded", "contrast")
"""The presets with colours of their own."""
_HOSTILE = (
    "#000",
    "#fff",
    "#ffe600",
    "#f00",
    "#0f0",
    "#00f",
    "#808080",
    "#5773ff",
    "transparent",
    "rgb(255 255 255 / 2%)",
)
_PAIRS = (
    *((f"fg-{shade}", "modal-bg") for shade in (100, 150, 200, 275)),
    ("accent-text", "modal-bg"),
    ("on-accent", "accent-solid"),
    ("error-text", "icon-box-error"),
    ("success-text", "icon-box-success"),
)
_CONTRASTS = """(pairs) => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const probe = document.querySelector(".wm-card").appendChild(document.createElement("i"));
  const luminance = (token) => {
    probe.style.color = `var(--wm-${token})`;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((c) => (c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const found = pairs.map(([text, ground]) => [luminance(text), luminance(ground)]);
  probe.remove();
  return found.map(([one, other]) => Math.max(one, other) / Math.min(one, other));
}"""


@pytest.mark.parametrize("look", ["dark", "light"])
@pytest.mark.parametrize("variable", ["--w3m-accent", "--w3m-color-mix"])
@pytest.mark.parametrize("themed", ["what-is-a-network", *(f"theme-{name}-send" for name in _COLOURED)])
def test_no_colour_of_a_host_makes_texts_unreadable(
    stages: dict[str, Stage], look: str, variable: str, themed: str
) -> None:
    page = stages[look].page
    stages[look].show(BY_ID[themed])
    page.evaluate(_SET, ["--w3m-color-mix-strength", "100%"])
    poor = []
    for colour in _HOSTILE:
        page.evaluate(_SET, [variable, colour])
        contrasts = page.evaluate(_CONTRASTS, _PAIRS)
        poor += [(colour, pair, round(ratio, 2)) for pair, ratio in zip(_PAIRS, contrasts, strict=True) if ratio < 4.45]
    page.evaluate("() => document.documentElement.removeAttribute('style')")
    assert poor == []


@pytest.mark.parametrize("entry", ["account-full", "account-disconnecting", "send-tokens", "send-ready"])
def test_numbers_and_buttons_are_whole_in_a_wide_and_large_font(stages: dict[str, Stage], entry: str) -> None:
    page = stages["light"].page
    stages["light"].show(BY_ID[entry])
    page.evaluate(_SET, ["--w3m-font-family", "DejaVu Sans"])
    page.evaluate(_SET, ["--w3m-font-size-master", "13px"])
    cut = page.evaluate(_CUT)
    page.evaluate("() => document.documentElement.removeAttribute('style')")
    assert cut == []


@pytest.mark.parametrize("look", ["dark", "light"])
@pytest.mark.parametrize("preset", _COLOURED)
def test_a_theme_has_the_contrasts_that_it_was_computed_with(stages: dict[str, Stage], look: str, preset: str) -> None:
    stages[look].show(BY_ID[f"theme-{preset}-send"])
    palette = PRESETS[preset].palettes()[look]  # type: ignore[index]  # the name of a mode
    pairs = {"fg-100": palette.text, "fg-200": palette.muted, "accent-text": palette.accent_text}
    shown = stages[look].page.evaluate(_CONTRASTS, [(text, "modal-bg") for text in pairs])
    computed = [contrast(color, palette.background) for color in pairs.values()]
    assert shown == [pytest.approx(ratio, rel=0.02) for ratio in computed]


def test_four_tabs_are_whole_in_a_wide_font(stages: dict[str, Stage]) -> None:
    page = stages["light"].page
    stages["light"].show(BY_ID["pairing-tabs"])
    page.evaluate(_SET, ["--w3m-font-family", "DejaVu Sans"])
    cut = page.evaluate(_CUT)
    page.evaluate("() => document.documentElement.removeAttribute('style')")
    assert cut == []
