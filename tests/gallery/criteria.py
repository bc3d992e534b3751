"""The criteria of WCAG 2.2 that a machine can look at, beyond what axe does; `docs/accessibility.md` says how each criterion is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Frame, Page, ViewportSize

_SCRIPT: Final = Path(__file__).with_suffix(".js").read_text()
_AS_IT_COMES: Final = {
    "1.3.5": "purposes",
    "1.4.11 of edges": "edges",
    "1.4.11 of glyphs": "glyphs",
    "2.3.3": "moving",
    "2.5.8": "targets",
    "3.3.1": "errors",
    "4.1.3": "announced",
}
"""Names of the functions in criteria.js."""
_AT_400_PERCENT: Final[ViewportSize] = {"width": 320, "height": 256}
"""What is left of a window of 1280 by 1024 px."""
_SPACED: Final = """(rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}"""
_SPACING: Final = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-block-end: 2em !important; }"""
_LONG: Final = 25
"""Characters of a name that the field beside it leaves room for, at the least."""
_MIN_RING: Final = 2
"""px, of an outline with 3:1."""


def findings(page: Page | Frame) -> dict[str, list[str]]:
    """What does not conform in the view that is shown, or in a card of the secure site, by criterion."""
    found = findings_at_once(page)
    cut = set(_ask(page, "clipped"))
    found["1.4.12"] = [part for part in _spaced(page) if part not in cut and not _is_long(part)]
    found["1.4.10"] = [part for part in _reflowed(page) if part not in cut and not _is_long(part)]
    found["1.4.4"] = [part for part in cut if not part.startswith("ellipsis")]
    return {number: parts for number, parts in found.items() if parts}


def findings_at_once(page: Page | Frame) -> dict[str, list[str]]:
    """As `findings`, in the size and with the spacing in which it is shown."""
    _bring_script(page)
    found = {number: _ask(page, name) for number, name in _AS_IT_COMES.items()}
    found["2.1.1, 2.4.7 and 2.4.11"] = keyboard(page)
    return {number: parts for number, parts in found.items() if parts}


def keyboard(page: Page | Frame) -> list[str]:
    """What Tab does not come to, and what does not show that it has the focus."""
    _bring_script(page)
    found = []
    keys = _window_of(page).keyboard
    round_of_tab = page.evaluate("() => wcag.begin()")
    for _ in range(round_of_tab["stops"] + 1):
        keys.press("Tab")
        at = page.evaluate("() => wcag.focused()")
        if not at["inside"]:
            found += [f"outside: {at['name']}"] if round_of_tab["modal"] else []
            continue
        if not at["open"]:
            found.append(f"covered: {at['name']}")
        if at["thick"] < _MIN_RING:
            found.append(f"no ring: {at['name']}")
    return [*found, *(f"not reached: {part}" for part in _ask(page, "missed"))]


def _is_long(part: str) -> bool:
    """Whether it is a name of somebody else's that has no end: it is cut after several lines, with an ellipsis."""
    return part.startswith("ellipsis") and len(part.split('"', 1)[1]) > _LONG


def _window_of(page: Page | Frame) -> Page:
    return page.page if isinstance(page, Frame) else page


def _spaced(page: Page | Frame) -> list[str]:
    page.evaluate(_SPACED, _SPACING)
    page.evaluate("() => wcag.settled()")
    found = _ask(page, "clipped") + _ask(page, "overlapping")
    page.evaluate(_SPACED, "")
    return found


def _reflowed(page: Page | Frame) -> list[str]:
    window, wide = _window_of(page), page.evaluate("innerWidth")
    usual = window.viewport_size
    assert usual is not None
    window.set_viewport_size(_AT_400_PERCENT)
    # A frame hears of it later than its page.
    page.wait_for_function("wide => innerWidth <= wide", arg=_AT_400_PERCENT["width"])
    page.evaluate("() => wcag.settled()")
    found = [part for name in ("sideways", "clipped", "overlapping", "reachable") for part in _ask(page, name)]
    window.set_viewport_size(usual)
    page.wait_for_function("wide => innerWidth === wide", arg=wide)
    return found


def _ask(page: Page | Frame, name: str) -> list[str]:
    return list(page.evaluate(f"() => wcag.{name}()"))


def _bring_script(page: Page | Frame) -> None:
    if not page.evaluate("() => 'wcag' in window"):
        page.evaluate(_SCRIPT)
