"""Chromium once, with the storage partitioning that visitors have; a new visitor for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from scripts.build import build_secure
from scripts.chromium import CHROMIUM_FLAGS
from tests.browser.conftest import chromium_path
from tests.patience import PATIENCE_MS
from tests.secure.browser.site_double import SiteDouble
from tests.secure.browser.stage import Stage, serve

Visiting = Callable[..., Stage]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    """Playwright's driver; the page is built before it starts."""
    build_secure()
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def chromium(driver: Playwright) -> Iterator[Browser]:
    """Chromium with partitioned storage."""
    launched = driver.chromium.launch(executable_path=chromium_path(), args=[*CHROMIUM_FLAGS])
    yield launched
    launched.close()


@pytest.fixture(scope="package")
def denying_chromium(driver: Playwright) -> Iterator[Browser]:
    """Chromium that denies storage to pages within other sites, as Playwright's own settings have it."""
    flags = [flag for flag in CHROMIUM_FLAGS if not flag.startswith("--disable-features")]
    # The shell without a window has no such setting.
    launched = driver.chromium.launch(executable_path=chromium_path(("chromium", "chromium-browser")), args=flags)
    yield launched
    launched.close()


@pytest.fixture
def site() -> SiteDouble:
    """The secure site's server."""
    return SiteDouble()


@pytest.fixture
def context(chromium: Browser, site: SiteDouble) -> Iterator[BrowserContext]:
    """A fresh browser profile in which the three origins answer."""
    with chromium.new_context(viewport={"width": 800, "height": 700}) as made:
        made.set_default_timeout(PATIENCE_MS)
        serve(made, site)
        yield made


@pytest.fixture
def stage(context: BrowserContext, site: SiteDouble) -> Stage:
    """A visitor's page."""
    return Stage(context, site)
