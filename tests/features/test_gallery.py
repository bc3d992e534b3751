"""The gallery fills a session with sample data only where the deployment wants that."""

from __future__ import annotations

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from walletmodal.features.gallery.state import GalleryState
from walletmodal.features.shell.state import ShellState


@pytest.fixture(autouse=True)
def fresh_settings(configure: Configure) -> None:
    configure(WALLETMODAL_GALLERY=None)


@pytest.fixture
def gallery_on(fresh_settings: None, configure: Configure) -> None:
    configure(WALLETMODAL_GALLERY="1")


async def test_without_the_setting_nothing_is_shown(driver: Driver) -> None:
    await driver.fire(GalleryState.show())
    assert (await driver.state(GalleryState)).asked is False


@pytest.mark.usefixtures("gallery_on")
async def test_without_an_entry_the_index_is_shown(driver: Driver) -> None:
    await driver.fire(GalleryState.show())
    gallery = await driver.state(GalleryState)
    assert (gallery.asked, gallery.entry) == (True, "")


@pytest.mark.usefixtures("gallery_on")
async def test_the_index_leaves_the_session_as_it_is(driver: Driver) -> None:
    await driver.fire(GalleryState.show())
    assert (await driver.state(ShellState)).open is False
