"""Recovery of the embedded wallet where this device has no key of it: its ways, and every answer that the frame can give to them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ORIGIN, Driver
from tests.features.embedded_stage import (
    answer,
    asked,
    connecting,
    mailed,
    place,
    secure_site,
    sessions,
)
from walletmodal.core.text.texts import SOMETHING_WRONG
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


async def recovering(driver: Driver, *ways: str) -> None:
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    assert (await asked(driver))["type"] == "RECOVERY_WAYS"
    await answer(driver, {"ways": list(ways or ("code",))})


async def test_a_wallet_without_a_key_here_leads_to_its_recovery(driver: Driver) -> None:
    await recovering(driver)
    shell = await driver.state(ShellState)
    assert ([view for view, _ in shell._stack], shell.open) == (["Connect", "RecoverWallet"], True)


async def test_a_recovery_by_code_is_the_frames(driver: Driver) -> None:
    await recovering(driver)
    await driver.fire(EmbeddedState.recover("code"))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("RECOVERY", {"way": "code", "site": ORIGIN})


async def test_a_passkey_is_the_first_way_where_there_is_one(driver: Driver) -> None:
    await recovering(driver, "passkey", "code")
    assert (await driver.state(EmbeddedState)).get_value("ways") == ["passkey", "code"]
    await driver.fire(EmbeddedState.recover("passkey"))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("RECOVERY", {"way": "passkey", "site": ORIGIN})


async def test_the_window_of_this_browser_comes_after_a_passkey(driver: Driver) -> None:
    await recovering(driver, "code", "window", "password", "passkey")
    assert (await driver.state(EmbeddedState)).get_value("ways") == ["passkey", "window", "password", "code"]
    await driver.fire(EmbeddedState.recover("window"))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("RECOVERY", {"way": "window", "site": ORIGIN})


async def test_a_way_that_the_wallet_does_not_have_is_not_gone(driver: Driver) -> None:
    await recovering(driver, "passkey", "mail pigeon")
    assert (await driver.state(EmbeddedState)).get_value("ways") == ["passkey"]
    await driver.fire(EmbeddedState.recover("code"))
    assert await asked(driver) == {}


async def test_a_wallet_that_has_no_way_is_told_so(driver: Driver) -> None:
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await answer(driver, {"ways": []})
    assert (await driver.state(EmbeddedState)).phase == "none"
    await driver.fire(EmbeddedState.recover("code"))
    assert await asked(driver) == {}


@pytest.mark.parametrize(("value", "message"), [(None, "The wallet service cannot be reached"), ({"ways": 7}, "")])
async def test_where_the_ways_are_not_told_none_is_offered_and_they_are_asked_for_again(
    driver: Driver, value: Any, message: str
) -> None:
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await answer(driver, value, message=message)
    own = await driver.state(EmbeddedState)
    assert (own.get_value("ways"), own.error) == ([], message or SOMETHING_WRONG)
    await driver.fire(EmbeddedState.retry)
    assert (await asked(driver))["type"] == "RECOVERY_WAYS"
    await answer(driver, {"ways": ["password"], "escrow": True})
    assert (await driver.state(EmbeddedState)).get_value("ways") == ["password"]


async def test_what_was_recovered_connects(driver: Driver) -> None:
    await recovering(driver)
    await driver.fire(EmbeddedState.recover("code"))
    await answer(driver, {})
    (command,) = await driver.commands("wallet.connect")
    await driver.tell(sessions=sessions())
    await driver.reply(command, value={"sessions": sessions()})
    assert ((await place(driver))[0], (await driver.account()).status) == (False, "connected")


async def test_a_recovery_that_is_cancelled_can_be_begun_again(driver: Driver) -> None:
    await recovering(driver)
    await driver.fire(EmbeddedState.recover("code"))
    await answer(driver, message="User rejected the request", code=4001)
    own = await driver.state(EmbeddedState)
    assert (own.phase, own.error) == ("idle", "")


async def test_a_recovery_that_fails_says_why(driver: Driver) -> None:
    await recovering(driver)
    await driver.fire(EmbeddedState.recover("code"))
    await answer(driver, message="Too many tries", reason="too_many_tries")
    assert (await driver.state(EmbeddedState)).error == "Too many tries"


async def test_a_recovery_that_nobody_needs_is_not_begun(driver: Driver) -> None:
    await mailed(driver)
    await driver.fire(EmbeddedState.recover("code"))
    assert await asked(driver) == {}


async def test_a_lost_session_goes_on_with_the_ways_to_the_wallet(driver: Driver, heir: Driver) -> None:
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.reload_frame()
    assert ((await place(heir))[1], (await asked(heir))["type"]) == ("RecoverWallet", "RECOVERY_WAYS")
    await answer(heir, {"ways": ["passkey"]})
    own = await heir.state(EmbeddedState)
    assert (own.phase, own.get_value("ways")) == ("idle", ["passkey"])


async def test_a_lost_session_keeps_all_ways_and_what_was_said_of_them(driver: Driver, heir: Driver) -> None:
    ways = ["passkey", "window", "password", "code"]
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await answer(driver, {"ways": ways, "holdHours": 24, "deletesAt": 1_900_000_000_000})
    before = await driver.state(EmbeddedState)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.reload_frame()
    own = await heir.state(EmbeddedState)
    assert (own.get_value("ways"), own.hold, own.deletion) == (ways, before.hold, before.deletion)
    assert "" not in (own.hold, own.deletion)
