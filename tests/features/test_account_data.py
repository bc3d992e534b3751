"""The visitor's data in the modal: what the frame is asked, and every answer that it can give."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import connected, secure_site
from walletmodal.features.embedded.account_data import AccountDataState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


async def own(driver: Driver) -> Any:
    return await driver.state(AccountDataState)


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await own(driver)).get_value("question"))


async def answer(driver: Driver, *, message: str = "", code: int = 0) -> None:
    error = {"code": code, "message": message, "reason": ""} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": error is None, "value": {}, "error": error}
    await driver.fire(AccountDataState.on_answer(outcome))


async def deleting(driver: Driver) -> None:
    """The frame is asked to delete the wallet."""
    await connected(driver)
    await driver.call("open", call_id="data", view="AccountData")
    await driver.fire(AccountDataState.ask("ACCOUNT_DELETE"))


async def test_the_frame_is_asked_to_delete(driver: Driver) -> None:
    await deleting(driver)
    assert (await asked(driver))["type"] == "ACCOUNT_DELETE"


async def test_a_deleted_wallet_is_told_of(driver: Driver) -> None:
    await deleting(driver)
    await answer(driver)
    assert (await asked(driver), (await driver.state(ToastState)).message) == ({}, "Wallet deleted")


async def test_who_cancels_sees_no_error(driver: Driver) -> None:
    await deleting(driver)
    await answer(driver, message="User rejected", code=4001)
    assert (await asked(driver), (await own(driver)).error) == ({}, "")


async def test_what_went_wrong_is_said(driver: Driver) -> None:
    await deleting(driver)
    await answer(driver, message="The wallet service cannot be reached. Please try again")
    assert (await own(driver)).error == "The wallet service cannot be reached. Please try again"


@pytest.mark.parametrize("kind", ["SIGN_OUT", "", None, 7, ["ACCOUNT_DELETE"]])
async def test_nothing_else_is_asked(driver: Driver, kind: Any) -> None:
    await connected(driver)
    await driver.call("open", call_id="data", view="AccountData")
    await driver.fire(AccountDataState.ask(kind))
    assert await asked(driver) == {}


async def test_nothing_is_asked_where_the_view_is_not_seen(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(AccountDataState.ask("ACCOUNT_DELETE"))
    assert await asked(driver) == {}


async def test_an_answer_to_nothing_is_left_alone(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(AccountDataState.on_answer({"id": "x", "ok": True}))
    assert await asked(driver) == {}
