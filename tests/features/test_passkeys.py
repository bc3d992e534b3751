"""Passkeys in the modal: their list, another one, the end of one, and every answer that the secure site's frame can give."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import connected, secure_site
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

DAY = 86_400_000
FIRST = {
    "id": "a" * 64,
    "name": "Chrome on Windows",
    "site": "https://shop.example",
    "createdAt": DAY,
    "lastUsedAt": DAY,
}
SECOND = {"id": "b" * 64, "name": "Safari on iOS", "site": "", "createdAt": 2 * DAY, "lastUsedAt": 9 * DAY}


async def own(driver: Driver) -> Any:
    return await driver.state(PasskeysState)


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await own(driver)).get_value("question"))


async def answer(driver: Driver, value: Any = None, *, message: str = "", code: int = 0) -> None:
    error = {"code": code, "message": message, "reason": ""} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": error is None, "value": value, "error": error}
    await driver.fire(PasskeysState.on_answer(outcome))


async def listed(driver: Driver, *passkeys: dict[str, Any]) -> None:
    """The list is shown."""
    await connected(driver)
    await driver.call("open", call_id="list", view="Passkeys")
    await driver.fire(PasskeysState.load)
    assert (await asked(driver))["type"] == "PASSKEY_LIST"
    await answer(driver, {"passkeys": list(passkeys)})


async def test_the_list_tells_when_and_where_each_was_made(driver: Driver) -> None:
    await listed(driver, SECOND, FIRST)
    assert (await own(driver)).get_value("rows") == [
        {"id": "b" * 64, "name": "Safari on iOS", "site": "", "seen": "Last used 10 Jan 1970"},
        {"id": "a" * 64, "name": "Chrome on Windows", "site": "shop.example", "seen": "Added 2 Jan 1970"},
    ]


async def test_a_new_passkey_is_the_frames_and_comes_onto_the_list(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(PasskeysState.add)
    assert ((await asked(driver))["type"], (await own(driver)).phase) == ("PASSKEY_ADD", "adding")
    await answer(driver, {"passkeys": [FIRST]})
    assert ((await own(driver)).phase, len((await own(driver)).get_value("rows"))) == ("shown", 1)
    assert (await driver.state(ToastState)).message == "Passkey added"


@pytest.mark.parametrize(("code", "message", "shown"), [(4001, "User rejected", ""), (0, "Too many", "Too many")])
async def test_a_passkey_that_is_not_made_changes_nothing(driver: Driver, code: int, message: str, shown: str) -> None:
    await listed(driver, FIRST)
    await driver.fire(PasskeysState.add)
    await answer(driver, message=message, code=code)
    state = await own(driver)
    assert (state.phase, state.error, len(state.get_value("rows"))) == ("shown", shown, 1)


async def test_the_frame_has_the_end_of_a_passkey_approved(driver: Driver) -> None:
    await listed(driver, SECOND, FIRST)
    await driver.fire(PasskeysState.remove(FIRST["id"]))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("PASSKEY_REMOVE", {"id": FIRST["id"]})
    assert (await own(driver)).phase == "removing"
    await answer(driver, {"passkeys": [SECOND]})
    assert [row["id"] for row in (await own(driver)).get_value("rows")] == [SECOND["id"]]
    assert (await driver.state(ToastState)).message == "Passkey removed"


@pytest.mark.parametrize(
    "value", [None, {}, {"passkeys": [1]}, {"passkeys": [FIRST, FIRST]}, {"passkeys": [FIRST] * 21}]
)
async def test_a_list_that_makes_no_sense_is_not_shown(driver: Driver, value: Any) -> None:
    await connected(driver)
    await driver.call("open", call_id="list", view="Passkeys")
    await driver.fire(PasskeysState.load)
    await answer(driver, value)
    assert ((await own(driver)).phase, (await own(driver)).get_value("rows")) == ("failed", [])


async def test_what_is_not_seen_is_not_asked(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(PasskeysState.load)
    await driver.fire(PasskeysState.add)
    assert await asked(driver) == {}


async def test_closing_forgets_the_list_and_the_question(driver: Driver) -> None:
    await listed(driver, FIRST)
    await driver.fire(PasskeysState.add)
    await driver.fire(ShellState.close)
    assert (await asked(driver), (await own(driver)).get_value("rows")) == ({}, [])


@pytest.mark.parametrize("passkey", ["c" * 64, "", None, [FIRST["id"]]])
async def test_a_passkey_that_is_not_listed_cannot_be_removed(driver: Driver, passkey: Any) -> None:
    await listed(driver, FIRST)
    await driver.fire(PasskeysState.remove(passkey))
    assert await asked(driver) == {}


async def test_a_passkey_stays_that_the_visitor_does_not_approve_to_remove(driver: Driver) -> None:
    await listed(driver, FIRST)
    await driver.fire(PasskeysState.remove(FIRST["id"]))
    await answer(driver, message="User rejected", code=4001)
    state = await own(driver)
    assert (state.phase, state.error, len(state.get_value("rows"))) == ("shown", "", 1)
