"""The gallery runs once; each look has one page, which goes from entry to entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gallery.examination import Examiner
from tests.gallery.stage import LOOKS, Stage, chromium, gallery_server, stage


@pytest.fixture(scope="package")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Stage]]:
    """A page for each look, by the look's name."""
    with gallery_server(tmp_path_factory.mktemp("gallery")) as url, chromium() as browser:
        yield {look.name: stage(browser, look, url) for look in LOOKS}


@pytest.fixture(scope="package")
def examiner(stages: dict[str, Stage]) -> Examiner:
    """Looks at each entry once for all tests."""
    return Examiner(stages)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a browser."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and "stages" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
