"""The list of sign-ins in the account's settings."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, Driver, session
from tests.features.test_sign_in import OPTIONAL, REQUIRED, arrive, held, sign, view
from tests.patience import patience
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.deployment import Deployment
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.listing import SignInsState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


async def looks(driver: Driver) -> None:
    """Signed in on two networks, with the list open."""
    await arrive(driver)
    await sign(driver)
    await driver.tell(sessions={"eip155": session(ADDRESS, "137")})
    await sign(driver)
    await driver.call("open")
    await driver.fire(SignInsState.open_list)


async def networks(driver: Driver) -> list[tuple[str, bool]]:
    """What the list shows: network, and whether it is the one in use."""
    return [(row["network"], row["mine"]) for row in (await driver.state(SignInsState)).get_value("rows")]


async def test_it_shows_this_browsers_sign_ins_the_latest_first(driver: Driver) -> None:
    await looks(driver)
    assert await view(driver) == "SignIns"
    assert await networks(driver) == [("Polygon", True), ("Ethereum", False)]


async def test_one_can_be_ended(driver: Driver, deployed: Deployment) -> None:
    await looks(driver)
    ethereum = next(one for one in await held(deployed) if one.chain == "eip155:1")
    await driver.fire(SignInsState.end(ethereum.id))
    assert [one.chain for one in await held(deployed)] == ["eip155:137"]
    assert await networks(driver) == [("Polygon", True)]


async def test_ending_the_one_in_use_leaves_the_host_without_a_token(driver: Driver, deployed: Deployment) -> None:
    await looks(driver)
    polygon = next(one for one in await held(deployed) if one.chain == "eip155:137")
    await driver.fire(SignInsState.end(polygon.id))
    await driver.call("getSession")
    assert (await driver.answer("call-getSession"))["value"] is None


async def test_all_can_be_ended(driver: Driver, deployed: Deployment) -> None:
    await looks(driver)
    await driver.fire(SignInsState.end_all)
    assert (await held(deployed), await networks(driver)) == ([], [])
    assert (await driver.state(SignInState))._session == ""


async def test_what_was_read_before_an_end_is_not_shown_after_it(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await looks(driver)
    known, told, read = asyncio.Event(), asyncio.Event(), deployed.sign_ins.held

    async def told_late(*whose: str) -> list[SignInSession]:
        found = await read(*whose)
        known.set()
        await told.wait()
        return found

    monkeypatch.setattr(deployed.sign_ins, "held", told_late)
    async with patience():
        overtaken = asyncio.create_task(driver.fire(SignInsState.load))
        await known.wait()
        monkeypatch.setattr(deployed.sign_ins, "held", read)
        await driver.fire(SignInsState.end_all)
        told.set()
        await overtaken
    assert await networks(driver) == []


async def test_closing_forgets_the_rows(driver: Driver) -> None:
    await looks(driver)
    await driver.fire(ShellState.close)
    assert await networks(driver) == []


async def test_without_sign_ins_there_is_no_list(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.fire(SignInsState.open_list)
    assert await view(driver) == "Account"


async def test_a_database_that_cannot_be_read_is_told(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await looks(driver)

    async def broken(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(deployed.sign_ins, "held", broken)
    await driver.fire(SignInsState.load)
    assert (await driver.state(SignInsState)).phase == "failed"
    monkeypatch.setattr(deployed.sign_ins, "sign_out", broken)
    await driver.fire(SignInsState.end_all)
    assert (await driver.state(ToastState)).variant == "error"


async def test_a_list_that_is_opened_before_the_browser_is_known_waits(driver: Driver) -> None:
    await driver.connect(options=REQUIRED)
    await driver.call("open")
    await driver.fire(SignInsState.open_list)
    assert (await driver.state(SignInsState)).phase == "loading"


async def looks_signed_out(driver: Driver, options: dict[str, Any] = OPTIONAL) -> None:
    """Signed in and out again, with the list open."""
    await arrive(driver, options)
    await sign(driver)
    await driver.call("open")
    await driver.fire(SignInsState.open_list)
    await driver.fire(SignInsState.end_all)


async def test_who_has_signed_out_may_sign_in_again_and_comes_back_to_the_list(driver: Driver) -> None:
    await looks_signed_out(driver)
    await driver.fire(SignInsState.sign_in)
    assert await view(driver) == "SIWXSignMessage"
    await sign(driver)
    await driver.fire(SignInsState.load)
    assert (await view(driver), await networks(driver)) == ("SignIns", [("Ethereum", True)])
    assert (await driver.state(SignInsState)).current is True


@pytest.mark.parametrize("way_back", [SignInState.cancel, ShellState.back])
async def test_who_thinks_better_of_it_comes_back_to_the_list(driver: Driver, way_back: Any) -> None:
    await looks_signed_out(driver)
    await driver.fire(SignInsState.sign_in)
    await driver.fire(way_back)
    assert (await view(driver), (await driver.state(ShellState)).open) == ("SignIns", True)


async def test_a_refused_signature_leaves_the_question_where_it_was(driver: Driver) -> None:
    await looks_signed_out(driver)
    await driver.fire(SignInsState.sign_in)
    await driver.fire(SignInState.sign)
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, code=4001, message="no")
    shell = await driver.state(ShellState)
    assert [entry[0] for entry in shell._stack][-2:] == ["SignIns", "SIWXSignMessage"]


async def test_a_required_sign_in_has_no_way_back(driver: Driver) -> None:
    await looks_signed_out(driver, REQUIRED)
    await driver.fire(SignInsState.sign_in)
    await driver.fire(ShellState.back)
    assert await view(driver) == "SIWXSignMessage"


async def test_an_account_that_is_not_among_them_is_told(driver: Driver, deployed: Deployment) -> None:
    await looks(driver)
    polygon = next(one for one in await held(deployed) if one.chain == "eip155:137")
    await driver.fire(SignInsState.end(polygon.id))
    assert (await networks(driver), (await driver.state(SignInsState)).current) == ([("Ethereum", False)], False)


async def test_only_the_list_leads_to_it(driver: Driver) -> None:
    await looks_signed_out(driver)
    await driver.fire(ShellState.back)
    before = await view(driver)
    await driver.fire(SignInsState.sign_in)
    assert await view(driver) == before
