"""Export in the modal: opened from the settings, shown by the frame alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import connected, place, secure_site, told
from walletmodal.features.embedded.export import ExportState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await driver.state(ExportState)).get_value("question"))


async def at_export(driver: Driver) -> None:
    """The view is shown."""
    await connected(driver)
    await driver.call("open", call_id="settings", view="AccountSettings")
    await driver.fire(ExportState.open_view)
    assert await place(driver) == (True, "UpgradeEmailWallet")


async def answer(driver: Driver, *, message: str = "", code: int = 0) -> None:
    error = {"code": code, "message": message, "reason": ""} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": error is None, "value": {"phrase": "stolen"}, "error": error}
    await driver.fire(ExportState.on_answer(outcome))


async def test_the_settings_lead_to_it_and_the_host_is_told(driver: Driver) -> None:
    await at_export(driver)
    assert told(driver, "EMAIL_UPGRADE_FROM_MODAL") == [{}]


async def test_the_frame_shows_the_keys_and_nothing_of_them_is_kept(driver: Driver) -> None:
    await at_export(driver)
    await driver.fire(ExportState.begin)
    assert ((await asked(driver))["type"], (await asked(driver))["payload"]) == ("EXPORT", {})
    await answer(driver)
    assert await asked(driver) == {}
    assert await place(driver) == (True, "UpgradeEmailWallet")


@pytest.mark.parametrize(("code", "message", "shown"), [(4001, "User rejected", ""), (0, "Frozen", "Frozen")])
async def test_an_export_that_fails_says_why_and_one_that_is_cancelled_nothing(
    driver: Driver, code: int, message: str, shown: str
) -> None:
    await at_export(driver)
    await driver.fire(ExportState.begin)
    await answer(driver, message=message, code=code)
    assert (await driver.state(ToastState)).message == shown


async def test_it_is_not_begun_where_it_is_not_seen(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(ExportState.begin)
    await driver.fire(ExportState.open_view)
    assert (await asked(driver), told(driver, "EMAIL_UPGRADE_FROM_MODAL")) == ({}, [])


async def test_closing_takes_it_back(driver: Driver) -> None:
    await at_export(driver)
    await driver.fire(ExportState.begin)
    await driver.fire(ShellState.close)
    assert await asked(driver) == {}
