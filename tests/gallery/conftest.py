"""The gallery runs once; each look has one page, which goes from entry to entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.gallery.examination import Examiner
from tests.gallery.looks import OF_EACH_VIEW
from tests.gallery.stage import LANGUAGES, LOOKS, Stage, chromium, gallery_server, stage

_EACH_VIEW_ONCE = frozenset((LOOKS[1], entry_id) for entry_id in OF_EACH_VIEW.values())
"""In the light look, whose page is loaded once."""


@pytest.fixture(scope="package")
def gallery_browser() -> Iterator[Browser]:
    """The one browser of the gallery: Playwright runs once in a process."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def stages(tmp_path_factory: pytest.TempPathFactory, gallery_browser: Browser) -> Iterator[dict[str, Stage]]:
    """A page for each look, by the look's name."""
    with gallery_server(tmp_path_factory.mktemp("gallery")) as url:
        yield {look.name: stage(gallery_browser, look, url) for look in (*LOOKS, *LANGUAGES)}


@pytest.fixture(scope="package")
def examiner(stages: dict[str, Stage]) -> Examiner:
    """Looks at each entry once for all tests."""
    return Examiner(stages)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a browser; those are slow that look at more than each view once."""
    here = Path(__file__).parent
    for item in items:
        if not item.path.is_relative_to(here) or "stages" not in getattr(item, "fixturenames", ()):
            continue
        item.add_marker(pytest.mark.browser)
        looked_at: dict[str, Any] = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        if {"look", "entry"} <= looked_at.keys() and (looked_at["look"], looked_at["entry"].id) not in _EACH_VIEW_ONCE:
            item.add_marker(pytest.mark.slow)
