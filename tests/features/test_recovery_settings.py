"""Who can recover the embedded wallet: what the modal shows of it, and what the frame is asked to change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import connected, secure_site
from walletmodal.core.text.texts import SOMETHING_WRONG
from walletmodal.features.embedded.recovery import RecoveryState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


async def own(driver: Driver) -> Any:
    return await driver.state(RecoveryState)


async def asked(driver: Driver) -> str:
    return str((await own(driver)).get_value("question").get("type", ""))


async def answer(driver: Driver, value: Any = None, *, message: str = "", code: int = 0) -> None:
    error = {"code": code, "message": message, "reason": ""} if message else None
    question = (await own(driver)).get_value("question")
    outcome = {"id": question["id"], "ok": error is None, "value": value, "error": error}
    await driver.fire(RecoveryState.on_answer(outcome))


async def shown(driver: Driver, *ways: str, escrow: bool = True, **could: bool) -> None:
    await connected(driver)
    await driver.call("open", call_id="recovery", view="RecoverySettings")
    await driver.fire(RecoveryState.load)
    assert await asked(driver) == "RECOVERY_WAYS"
    await answer(driver, {"ways": list(ways), "escrow": escrow, **could})


@pytest.mark.parametrize(
    ("ways", "told"),
    [
        ([], "Nothing but the devices that you use opens your wallet"),
        (["code"], "A code by email opens your wallet on a new device."),
        (["code", "password"], "Your recovery password or a code by email opens"),
        (["password", "passkey", "code", "magic"], "A passkey, your recovery password or a code by email opens"),
    ],
)
async def test_the_ways_are_told(driver: Driver, ways: list[str], told: str) -> None:
    await shown(driver, *ways)
    assert (await own(driver)).get_value("known")["told"].startswith(told)


@pytest.mark.parametrize(("could", "offered"), [({"password": False}, False), ({"password": True}, True), ({}, True)])
async def test_a_password_is_offered_where_it_could_be_a_way(
    driver: Driver, could: dict[str, bool], offered: bool
) -> None:
    await shown(driver, "passkey", **could)
    assert (await own(driver)).get_value("known")["password"] is offered


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("PASSWORD_SET", "Recovery password saved"),
        ("PASSWORD_REMOVE", "Recovery password removed"),
        ("ESCROW_OFF", "Recovery by code is off"),
        ("ESCROW_ON", "Recovery by code is on"),
    ],
)
async def test_a_change_is_the_frames_and_the_ways_are_asked_for_anew(driver: Driver, kind: str, said: str) -> None:
    await shown(driver, "code")
    await driver.fire(RecoveryState.change(kind))
    assert await asked(driver) == kind
    await answer(driver, {})
    assert ((await driver.state(ToastState)).message, await asked(driver)) == (said, "RECOVERY_WAYS")
    await answer(driver, {"ways": ["password"], "escrow": True})
    assert (await own(driver)).get_value("known")["ways"] == ["password"]


@pytest.mark.parametrize(("code", "error"), [(4001, ""), (0, "Too many wrong codes")])
async def test_what_is_not_changed_says_why(driver: Driver, code: int, error: str) -> None:
    await shown(driver, "code")
    await driver.fire(RecoveryState.change("PASSWORD_SET"))
    await answer(driver, message="Too many wrong codes", code=code)
    state = await own(driver)
    assert (state.error, state.get_value("known")["ways"], await asked(driver)) == (error, ["code"], "")


@pytest.mark.parametrize("kind", ["", "SIGN_OUT", "RPC_REQUEST", None, 7, ["ESCROW_OFF"]])
async def test_nothing_else_is_asked(driver: Driver, kind: Any) -> None:
    await shown(driver, "code")
    await driver.fire(RecoveryState.change(kind))
    assert await asked(driver) == ""


async def test_what_is_not_seen_is_not_asked(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(RecoveryState.load)
    await driver.fire(RecoveryState.change("ESCROW_OFF"))
    assert await asked(driver) == ""


@pytest.mark.parametrize("value", [None, {}, {"ways": "code"}])
async def test_ways_that_make_no_sense_are_not_shown(driver: Driver, value: Any) -> None:
    await connected(driver)
    await driver.call("open", call_id="recovery", view="RecoverySettings")
    await driver.fire(RecoveryState.load)
    await answer(driver, value)
    assert ((await own(driver)).get_value("known"), (await own(driver)).error) == ({}, SOMETHING_WRONG)


async def test_closing_forgets_them(driver: Driver) -> None:
    await shown(driver, "code")
    await driver.fire(RecoveryState.change("ESCROW_OFF"))
    await driver.fire(ShellState.close)
    assert ((await own(driver)).get_value("known"), await asked(driver)) == ({}, "")
