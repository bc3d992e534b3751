"""The gallery fills a session with sample data only where the deployment wants that."""

from __future__ import annotations

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from walletmodal.core.theming.presets import MIDNIGHT
from walletmodal.features.gallery.state import GalleryState
from walletmodal.features.gallery.theme_draft import draft_theme, draft_values
from walletmodal.features.shell.state import ShellState


@pytest.fixture(autouse=True)
def fresh_settings(configure: Configure) -> None:
    configure(WALLETMODAL_GALLERY=None)


@pytest.fixture
def gallery_on(fresh_settings: None, configure: Configure) -> None:
    configure(WALLETMODAL_GALLERY="1")


async def test_without_the_setting_nothing_is_shown(driver: Driver) -> None:
    await driver.fire(GalleryState.show())
    assert (await driver.state(GalleryState)).shown == {}


@pytest.mark.usefixtures("gallery_on")
async def test_without_an_entry_the_index_is_shown(driver: Driver) -> None:
    await driver.fire(GalleryState.show())
    gallery = await driver.state(GalleryState)
    assert (gallery.shown, gallery.entry) == ({"page": "index"}, "")


@pytest.mark.usefixtures("gallery_on")
async def test_the_index_leaves_the_session_as_it_is(driver: Driver) -> None:
    await driver.fire(GalleryState.show())
    assert (await driver.state(ShellState)).open is False


async def test_without_the_setting_no_theme_is_edited(driver: Driver) -> None:
    await driver.fire(GalleryState.start_from("midnight"))
    await driver.fire(GalleryState.edit("dark.accent", "#1d4ed8"))
    await driver.fire(GalleryState.look_at("account-full"))
    gallery = await driver.state(GalleryState)
    assert (gallery.shown, gallery.entry) == ({}, "")


@pytest.mark.usefixtures("gallery_on")
async def test_what_is_written_into_a_field_is_in_the_theme(driver: Driver) -> None:
    await driver.fire(GalleryState.start_from("midnight"))
    await driver.fire(GalleryState.edit("dark.accent", "#1d4ed8"))
    draft = (await driver.state(GalleryState)).shown
    assert "--wm-accent-default: #1d4ed8;" in draft["css"]
    assert 'accent="#1d4ed8",' in draft["python"]


@pytest.mark.usefixtures("gallery_on")
async def test_a_theme_that_cannot_be_used_is_told_and_the_last_one_stays(driver: Driver) -> None:
    await driver.fire(GalleryState.start_from("midnight"))
    before = (await driver.state(GalleryState)).shown["css"]
    await driver.fire(GalleryState.edit("dark.text", "#333333"))
    draft = (await driver.state(GalleryState)).shown
    assert draft["css"] == before
    assert draft["problem"].startswith("dark: text #333333 on background #0b1226 has")


@pytest.mark.usefixtures("gallery_on")
@pytest.mark.parametrize(
    ("name", "value"), [("__class__", "x"), ("css", "x" * 65), ("radius", {"a": 1}), ({"a": 1}, "x")]
)
async def test_what_is_no_field_is_left_alone(driver: Driver, name: str, value: str) -> None:
    await driver.fire(GalleryState.start_from("default"))
    await driver.fire(GalleryState.edit(name, value))
    assert (await driver.state(GalleryState)).shown["css"] == ""


def test_a_theme_goes_through_the_form() -> None:
    assert draft_theme(draft_values(MIDNIGHT)) == MIDNIGHT
