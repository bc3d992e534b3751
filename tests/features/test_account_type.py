"""The kind of the embedded wallet's account: what its frame says, the owner's choice, and the end of a smart account."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import connected, secure_site, sessions
from walletmodal.core.constants import FRAME_TIMEOUT_MILLISECONDS
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.approve.state import VIEW
from walletmodal.features.embedded.account_type import ENDING, AccountTypeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

CONTRACT = "0x1111111111111111111111111111111111111111"


async def asked(driver: Driver, method: str = "walletmodal_accountType") -> dict[str, Any] | None:
    """The question for the frame, None where there is none."""
    found = [one for one in await driver.commands("wallet.request") if one["params"]["method"] == method]
    return found[0] if found else None


async def exchange(driver: Driver, event: Any, value: Any = None, *, code: int = 0) -> list[Any]:
    """Fires an event that asks the frame, which answers; returns with what it was asked."""
    await driver.fire(event)
    question = await asked(driver)
    assert question is not None
    await driver.reply(question, value=value, code=code, message="no" if code else "")
    params: list[Any] = question["params"]["params"]
    return params


def told(kind: str = "smartAccount", status: str = "ready", foreign: str = "") -> dict[str, str]:
    return {"type": kind, "status": status, "foreign": foreign}


async def shown(driver: Driver) -> tuple[str, str, str]:
    found = await driver.state(AccountTypeState)
    return found.status, found.kind, found.foreign


async def test_the_settings_show_what_the_frame_says(driver: Driver) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, told("eoa", "ready", CONTRACT))
    assert await shown(driver) == ("ready", "eoa", "0x11...111111")
    assert (await driver.account()).kind == "eoa"


async def test_the_hosts_default_goes_along(driver: Driver) -> None:
    await connected(driver, options={"defaultAccountTypes": {"eip155": "eoa"}})
    assert await exchange(driver, AccountTypeState.load, told("eoa")) == [{"default": "eoa"}]


async def test_the_other_kind_is_used_where_the_frame_takes_it(driver: Driver) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, told())
    assert await exchange(driver, AccountTypeState.switch, told("eoa")) == [{"default": "smartAccount", "type": "eoa"}]
    assert (await driver.account()).kind == "eoa"
    [switched] = [one for one in driver.told() if "SET_PREFERRED_ACCOUNT_TYPE" in str(one)]
    assert "'accountType': 'eoa'" in str(switched)


async def test_a_frame_that_refuses_leaves_the_kind_and_says_so(driver: Driver) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, told())
    await exchange(driver, AccountTypeState.switch, code=-32603)
    assert await shown(driver) == ("ready", "smartAccount", "")
    assert (await driver.state(ToastState)).variant == "error"


@pytest.mark.parametrize(
    "value", [None, {}, {"type": "safe", "status": "ready"}, told(foreign="0x12"), told(status="?")]
)
async def test_an_answer_that_makes_no_sense_offers_nothing(driver: Driver, value: Any) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, value)
    assert await shown(driver) == ("", "smartAccount", "")
    assert (await driver.state(AccountTypeState)).failed


async def test_a_frame_that_could_not_say_it_is_asked_again(driver: Driver) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, code=-32603)
    await exchange(driver, AccountTypeState.retry, told())
    found = await driver.state(AccountTypeState)
    assert (found.status, found.failed, found.busy) == ("ready", False, False)


async def test_the_frame_may_take_as_long_as_it_needs_to_load(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(AccountTypeState.load)
    question = await asked(driver)
    assert question is not None
    assert question["params"]["timeout"] == FRAME_TIMEOUT_MILLISECONDS


async def test_what_is_looked_at_meanwhile_does_not_end_a_switch(driver: Driver) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, told())
    await driver.fire(AccountTypeState.switch)
    await driver.fire(AccountTypeState.load)
    question = await asked(driver)
    assert question is not None
    assert (question["params"]["params"][0]["type"], (await driver.state(AccountTypeState)).busy) == ("eoa", True)


async def test_a_new_page_waits_for_no_switch_of_the_one_before(driver: Driver) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, told())
    await driver.fire(AccountTypeState.switch)
    await driver.reload(sessions=sessions())
    assert not (await driver.state(AccountTypeState)).busy


async def test_nobody_is_asked_about_another_wallet(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(AccountTypeState.load)
    await driver.fire(AccountTypeState.switch)
    await driver.fire(AccountTypeState.end)
    assert (await asked(driver), await shown(driver)) == (None, ("", "smartAccount", ""))


async def test_the_end_of_a_smart_account_is_approved_in_the_frame(driver: Driver) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, told(status="supported"))
    await driver.call("open")
    await driver.fire(AccountTypeState.end)
    question = await asked(driver, "walletmodal_revokeDelegation")
    assert (await driver.state(ShellState)).view == VIEW
    assert question is not None
    await driver.reply(question, value=f"0x{'ab' * 32}")
    assert (await driver.state(ToastState)).message == ENDING


@pytest.mark.parametrize("status", ["ready", "unsupported"])
async def test_an_ordinary_account_has_no_end(driver: Driver, status: str) -> None:
    await connected(driver)
    await exchange(driver, AccountTypeState.load, told(status=status))
    await driver.fire(AccountTypeState.end)
    assert await asked(driver, "walletmodal_revokeDelegation") is None


async def test_the_accounts_name_leads_to_both_kinds(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(AddressesState.open_profile)
    assert (await driver.state(ShellState)).view == "Profile"
