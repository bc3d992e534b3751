"""Devices in the modal: their list, the end of one, and every answer that the secure site's frame can give."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ORIGIN, Driver
from tests.features.embedded_stage import connected, secure_site
from walletmodal.features.embedded.devices import DevicesState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

DAY = 86_400_000
HERE = {
    "id": "a" * 64,
    "name": "Chrome on Windows",
    "site": "https://shop.example",
    "createdAt": DAY,
    "lastSeenAt": DAY,
}
LOST = {"id": "b" * 64, "name": "Safari on iOS", "site": "", "createdAt": 2 * DAY, "lastSeenAt": 9 * DAY}
FREE = {"held": "", "releasable": False}
HELD = {**LOST, "heldUntil": 20 * DAY + 3_600_000}
BOTH = {"devices": [{**HERE, "current": True}, {**LOST, "current": False}]}


async def own(driver: Driver) -> Any:
    return await driver.state(DevicesState)


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await own(driver)).get_value("question"))


async def answer(driver: Driver, value: Any = None, *, message: str = "", code: int = 0) -> None:
    error = {"code": code, "message": message, "reason": ""} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": error is None, "value": value, "error": error}
    await driver.fire(DevicesState.on_answer(outcome))


async def listed(driver: Driver, value: Any = BOTH) -> None:
    """The list is shown."""
    await connected(driver)
    await driver.call("open", call_id="list", view="Devices")
    await driver.fire(DevicesState.load)
    assert (await asked(driver))["type"] == "DEVICE_LIST"
    await answer(driver, value)


async def test_the_list_tells_which_is_in_use(driver: Driver) -> None:
    await listed(driver)
    assert (await own(driver)).get_value("rows") == [
        {"id": "a" * 64, "name": "Chrome on Windows", "site": "shop.example", "seen": "In use now", **FREE},
        {"id": "b" * 64, "name": "Safari on iOS", "site": "", "seen": "Last used 10 Jan 1970", **FREE},
    ]


async def test_the_frame_is_asked_to_remove_a_device(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(DevicesState.remove(LOST["id"]))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("DEVICE_REVOKE", {"id": LOST["id"]})
    await answer(driver, {"devices": [{**HERE, "current": True}]})
    assert [row["id"] for row in (await own(driver)).get_value("rows")] == [HERE["id"]]
    assert (await driver.state(ToastState)).message == "Device removed"


@pytest.mark.parametrize(
    ("code", "message", "shown"), [(4001, "User rejected", ""), (0, "Not this one", "Not this one")]
)
async def test_a_device_that_stays_is_still_listed(driver: Driver, code: int, message: str, shown: str) -> None:
    await listed(driver)
    await driver.fire(DevicesState.remove(LOST["id"]))
    await answer(driver, message=message, code=code)
    state = await own(driver)
    assert (state.phase, state.error, len(state.get_value("rows"))) == ("shown", shown, 2)


@pytest.mark.parametrize("device", ["c" * 64, "", None, 7, {"id": "a" * 64}])
async def test_only_what_is_listed_can_be_removed(driver: Driver, device: Any) -> None:
    await listed(driver)
    await driver.fire(DevicesState.remove(device))
    assert await asked(driver) == {}


@pytest.mark.parametrize(
    "value", [None, {}, {"devices": [1]}, {"devices": [HERE, HERE]}, {"devices": [{**HERE, "lastSeenAt": "x"}]}]
)
async def test_a_list_that_makes_no_sense_is_not_shown(driver: Driver, value: Any) -> None:
    await listed(driver, value)
    assert ((await own(driver)).phase, (await own(driver)).get_value("rows")) == ("failed", [])


async def test_what_is_not_seen_is_not_asked(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(DevicesState.load)
    assert await asked(driver) == {}


WINDOW = {"id": "d" * 64, "name": "Chrome on Windows", "site": "", "createdAt": DAY, "lastSeenAt": DAY, "window": True}
KEPT = {"devices": [{**HERE, "current": True}, WINDOW]}


async def test_the_frame_is_asked_to_keep_the_wallet_for_other_sites(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(DevicesState.remember)
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("DEVICE_REMEMBER", {"site": ORIGIN})
    assert (await own(driver)).phase == "asking"
    await answer(driver, KEPT)
    state = await own(driver)
    assert [row["site"] for row in state.get_value("rows")] == ["shop.example", "For other sites in this browser"]
    assert (state.phase, state.offered) == ("shown", False)
    assert (await driver.state(ToastState)).message == "Ready for other sites"


@pytest.mark.parametrize(
    ("others", "offered"),
    [([], True), ([{**WINDOW, "name": "Safari on iOS"}], True), ([WINDOW], False), ([{**WINDOW, "window": 1}], True)],
)
async def test_a_browser_that_keeps_the_wallet_is_not_offered_to(
    driver: Driver, others: list[dict[str, Any]], offered: bool
) -> None:
    await listed(driver, {"devices": [{**HERE, "current": True}, *others]})
    assert (await own(driver)).offered is offered
    await driver.fire(DevicesState.remember)
    assert bool(await asked(driver)) is offered


async def test_a_wallet_that_is_not_kept_changes_nothing(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(DevicesState.remember)
    await answer(driver, message="Your browser does not let this site keep anything.")
    state = await own(driver)
    assert (state.phase, state.offered, len(state.get_value("rows"))) == ("shown", True, 2)
    assert state.error == "Your browser does not let this site keep anything."


async def waiting(driver: Driver, *, here: bool = False) -> list[dict[str, Any]]:
    """The list with a device whose transfers wait; `here`: those of this one do as well."""
    own_row = {**HERE, "current": True, "heldUntil": 20 * DAY if here else None}
    await listed(driver, {"devices": [own_row, {**HELD, "current": False}]})
    return list((await own(driver)).get_value("rows"))


async def test_the_list_tells_whose_transfers_wait_and_until_when(driver: Driver) -> None:
    rows = await waiting(driver)
    assert [(row["held"], row["releasable"]) for row in rows] == [
        ("", False),
        ("21 Jan 1970, 01:00 UTC", True),
    ]


async def test_the_frame_is_asked_to_let_a_device_move_funds(driver: Driver) -> None:
    await waiting(driver)
    await driver.fire(DevicesState.release(LOST["id"]))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("DEVICE_RELEASE", {"id": LOST["id"]})
    assert (await own(driver)).phase == "asking"
    await answer(driver, BOTH)
    assert [row["held"] for row in (await own(driver)).get_value("rows")] == ["", ""]
    assert (await driver.state(ToastState)).message == "The device can move funds now"


async def test_a_device_whose_own_transfers_wait_lets_none(driver: Driver) -> None:
    assert [row["releasable"] for row in await waiting(driver, here=True)] == [False, False]
    await driver.fire(DevicesState.release(LOST["id"]))
    assert await asked(driver) == {}


@pytest.mark.parametrize("device", [HERE["id"], "c" * 64, None, 7])
async def test_only_who_waits_can_be_let_move_funds(driver: Driver, device: Any) -> None:
    await waiting(driver)
    await driver.fire(DevicesState.release(device))
    assert await asked(driver) == {}
