"""Every entry meets the criteria of WCAG 2.2 AA that can be looked at without a person, and a barrier that is there is found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page

from tests.gallery.criteria import findings, keyboard
from tests.gallery.looks import OF_EACH_VIEW, id_of
from tests.gallery.stage import LOOKS, Stage, stage
from walletmodal.features.gallery.entries import BY_ID, ENTRIES, Entry

_CARD: Final = """<style>:focus-visible {{ outline: 2px solid #000 }} input {{ height: 30px; border: 0; box-shadow: 0 0 0 1px #555 }}</style>
<div class="wm-card" role="region" style="--wm-error-100: #f11; --wm-error-text: #f00; color: #111; background: #fff">
<div class="wm-body"><div class="wm-body-inner">{}</div></div></div>"""
PLANTED: Final = {
    "1.3.5": '<input type="email">',
    "1.4.4": '<p style="width: 20px; overflow: hidden; white-space: nowrap">a long sentence</p>',
    "1.4.10": '<p style="width: 600px">a long sentence</p>',
    "1.4.11 of edges": '<input style="box-shadow: 0 0 0 1px #ddd">',
    "1.4.11 of glyphs": '<svg><path d="M0 0h9v9z" fill="#ddd" /></svg>',
    "1.4.12": '<p style="width: 110px; overflow: hidden; white-space: nowrap">a long sentence</p>',
    "2.1.1, 2.4.7 and 2.4.11": '<button style="height: 30px; outline: none">a button</button>',
    "2.3.3": "<style>@keyframes turn { to { rotate: 1turn } }</style><p style='animation: turn 1s infinite'>turns</p>",
    "2.5.8": '<button style="width: 18px; height: 18px; padding: 0">a</button><button style="height: 30px">b</button>',
    "3.3.1": '<input aria-invalid="true">',
    "4.1.3": '<p style="color: #f00">It failed</p>',
}
"""One barrier for each criterion."""
_EACH_VIEW = tuple(BY_ID[entry] for entry in OF_EACH_VIEW.values())


@pytest.fixture(scope="module")
def forced(stages: dict[str, Stage]) -> Iterator[Stage]:
    """A page in which the system's colours are forced."""
    browser = stages["dark"].page.context.browser
    assert browser is not None
    made = stage(browser, LOOKS[0], stages["dark"].url, forced_colors="active")
    yield made
    made.page.context.close()


@pytest.fixture(scope="module")
def empty(stages: dict[str, Stage]) -> Iterator[Page]:
    """A page without a view."""
    page = stages["light"].page.context.new_page()
    yield page
    page.close()


@pytest.mark.parametrize(("criterion", "barrier"), PLANTED.items())
def test_a_barrier_is_found(criterion: str, barrier: str, empty: Page) -> None:
    empty.set_content(_CARD.format(barrier))
    assert list(findings(empty)) == [criterion]


def test_nothing_is_found_where_nothing_is(empty: Page) -> None:
    empty.set_content(_CARD.format(""))
    assert findings(empty) == {}


@pytest.mark.parametrize("entry", ENTRIES, ids=id_of)
def test_an_entry_meets_the_criteria(entry: Entry, stages: dict[str, Stage]) -> None:
    assert findings(stages["light"].bring(entry)) == {}


@pytest.mark.parametrize("entry", _EACH_VIEW, ids=id_of)
def test_a_view_meets_the_criteria_in_the_dark(entry: Entry, stages: dict[str, Stage]) -> None:
    assert findings(stages["dark"].bring(entry)) == {}


@pytest.mark.parametrize("entry", _EACH_VIEW, ids=id_of)
def test_the_focus_is_seen_where_colours_are_forced(entry: Entry, forced: Stage) -> None:
    assert keyboard(forced.bring(entry)) == []
