"""The host's theme variables reach what they name, live."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gallery.stage import Stage
from walletmodal.features.gallery.entries import BY_ID

_STYLE = "([selector, property]) => getComputedStyle(document.querySelector(selector)).getPropertyValue(property)"
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
        ("--w3m-accent", "#ff0000", ".wm-button", "background-color", "color(srgb 0.88 0 0)"),
        ("--w3m-color-mix-strength", "100%", ".wm-card", "background-color", "color(srgb 1 1 1)"),
        ("--w3m-qr-color", "#123456", ".wm-card", "--wm-qr-color", "#123456"),
        ("--w3m-z-index", "7", ".wm-card", "--wm-z-index", "7"),
    ],
)
def test_a_variable_reaches_what_it_names(
    shown: Stage, variable: str, value: str, selector: str, property_: str, expected: str
) -> None:
    shown.page.evaluate(_SET, [variable, value])
    assert shown.page.evaluate(_STYLE, [selector, property_]) == expected


def test_the_mixed_colour_is_the_hosts(shown: Stage) -> None:
    shown.page.evaluate(_SET, ["--w3m-color-mix", "#00ff00"])
    shown.page.evaluate(_SET, ["--w3m-color-mix-strength", "100%"])
    assert shown.page.evaluate(_STYLE, [".wm-card", "background-color"]) == "color(srgb 0 1 0)"


def test_text_on_a_light_accent_is_black(shown: Stage) -> None:
    shown.page.evaluate(_SET, ["--w3m-accent", "#ffe600"])
    assert shown.page.evaluate(_STYLE, [".wm-button", "color"]) == "oklch(0 0 0)"
