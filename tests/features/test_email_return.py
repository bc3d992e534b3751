"""A mail that is still waited for: how a login by email goes on after a reload, a closed modal or a lost session."""

from __future__ import annotations

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import (
    EMAIL,
    answer,
    clock,
    code,
    mailed,
    place,
    secure_site,
)
from walletmodal.core.clock import MovableClock
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

__all__ = ["clock", "secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


@pytest.mark.parametrize("leave", ["reload", "close"])
async def test_a_mail_that_is_still_waited_for_is_gone_on_with(driver: Driver, leave: str) -> None:
    await mailed(driver)
    if leave == "reload":
        await driver.reload()
    else:
        await driver.fire(ShellState.close)
    await driver.call("open", call_id="again")
    assert await place(driver) == (True, "EmailVerifyOtp")
    await driver.fire(ShellState.back)
    assert await place(driver) == (True, "Connect")


async def test_a_card_in_the_pages_flow_goes_on_with_a_mail_at_once(driver: Driver) -> None:
    await mailed(driver)
    await driver.reload(options={"enableEmbedded": True})
    assert (await driver.state(ShellState)).view == "EmailVerifyOtp"
    await driver.fire(ShellState.back)
    await driver.tell()
    assert (await driver.state(ShellState)).view == "Connect"


async def test_who_has_gone_back_begins_anew(driver: Driver) -> None:
    await mailed(driver)
    await driver.fire(ShellState.back)
    await driver.fire(ShellState.close)
    await driver.call("open", call_id="again")
    assert await place(driver) == (True, "Connect")


async def test_a_mail_that_is_too_old_is_not_gone_on_with(driver: Driver, clock: MovableClock) -> None:
    await mailed(driver)
    await driver.fire(ShellState.close)
    clock.advance(20 * 60)
    await driver.call("open", call_id="again")
    assert await place(driver) == (True, "Connect")


async def test_a_lost_session_goes_on_at_the_code(driver: Driver, heir: Driver) -> None:
    await mailed(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.reload_frame()
    own = await heir.state(EmbeddedState)
    assert (await place(heir), own.email, own.words) == ((True, "EmailVerifyOtp"), EMAIL, "amber fjord")
    await code(heir)
    assert len(await heir.commands("wallet.connect")) == 1


async def test_a_code_for_which_nothing_is_kept_leads_back_to_the_address(driver: Driver) -> None:
    await mailed(driver)
    await driver.reload()
    await driver.call("open", call_id="again")
    await driver.fire(EmbeddedState.on_code({"ok": False, "message": "This login is over", "reason": "attempt"}))
    assert await place(driver) == (True, "Connect")
    assert (await driver.state(ToastState)).message == "This login is over"
    await driver.fire(ShellState.close)
    await driver.call("open", call_id="third")
    assert await place(driver) == (True, "Connect")


async def test_a_mail_that_cannot_be_sent_again_leads_back_to_the_address(driver: Driver, clock: MovableClock) -> None:
    await mailed(driver)
    clock.advance(30)
    await driver.fire(EmbeddedState.resend)
    await answer(driver, message="This login is over", reason="attempt")
    assert (await place(driver), (await driver.state(ToastState)).message) == ((True, "Connect"), "This login is over")
