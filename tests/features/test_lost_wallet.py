"""A wallet that no device opens any more: where it would be recovered its deletion can be asked for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import answer as answer_login
from tests.features.embedded_stage import asked as asked_of_login
from tests.features.embedded_stage import connecting, secure_site
from walletmodal.features.embedded.lost_wallet import REQUESTED, LostWalletState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await driver.state(LostWalletState)).get_value("question"))


async def answer(driver: Driver, value: Any = None, *, message: str = "", code: int = 0) -> None:
    error = {"code": code, "message": message, "reason": ""} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": error is None, "value": value, "error": error}
    await driver.fire(LostWalletState.on_answer(outcome))


async def lost(driver: Driver, **fields: Any) -> None:
    """The view of recovery, where nothing opens the wallet."""
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await answer_login(driver, {"ways": [], **fields})


async def test_the_frame_is_asked_for_the_deletion(driver: Driver) -> None:
    await lost(driver)
    await driver.fire(LostWalletState.delete)
    assert (await asked(driver))["type"] == "ACCOUNT_DELETE"


async def test_once_it_is_asked_for_the_view_says_when_it_is_due(driver: Driver) -> None:
    await lost(driver)
    await driver.fire(LostWalletState.delete)
    await answer(driver, {"deletesAt": 1_900_000_000_000})
    assert (await driver.state(ToastState)).message == REQUESTED
    assert (await asked_of_login(driver))["type"] == "RECOVERY_WAYS"
    await answer_login(driver, {"ways": [], "deletesAt": 1_900_000_000_000})
    assert "17 Mar 2030" in (await driver.state(EmbeddedState)).deletion


@pytest.mark.parametrize(("code", "message", "shown"), [(4001, "User rejected", ""), (0, "Try again", "Try again")])
async def test_what_was_not_asked_for_is_said(driver: Driver, code: int, message: str, shown: str) -> None:
    await lost(driver)
    await driver.fire(LostWalletState.delete)
    await answer(driver, message=message, code=code)
    assert ((await driver.state(LostWalletState)).error, await asked(driver)) == (shown, {})


async def test_where_nobody_recovers_a_wallet_nothing_is_asked(driver: Driver) -> None:
    await driver.fire(LostWalletState.delete)
    assert await asked(driver) == {}


async def test_while_the_wallet_is_recovered_nothing_is_asked(driver: Driver) -> None:
    await lost(driver, ways=["code"])
    await driver.fire(EmbeddedState.recover("code"))
    await driver.fire(LostWalletState.delete)
    assert await asked(driver) == {}


async def test_an_answer_that_nobody_waits_for_changes_nothing(driver: Driver) -> None:
    await lost(driver)
    await driver.fire(LostWalletState.on_answer({"id": "x", "ok": True, "value": {}}))
    assert (await driver.state(ToastState)).message != REQUESTED
