"""What of sending outlasts a lost session: a worker that died, a socket that came back under a new token."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from reflex.istate.manager import StateManager

from tests.driver import OTHER, Driver
from tests.features.send_stage import (
    HASH,
    RECEIVER,
    Stage,
    asked,
    at_form,
    at_review,
    confirm,
    fill,
    held,
    settles,
    tick,
    world,
)
from walletmodal.deployment import Deployment
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import SendState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.transactions.state import PendingState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


@pytest_asyncio.fixture
async def heir(manager: StateManager, driver: Driver) -> AsyncIterator[Driver]:
    """The same tab after its session was lost."""
    after = Driver(manager, token="visitor-again")
    async with after.processor:
        yield after


async def returns(heir: Driver, driver: Driver, **sessions: Any) -> None:
    """The socket of the tab is back under its new token."""
    heir.follow(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.load(sessions=sessions or held())
    await settles(heir)


async def test_what_was_entered_returns_and_is_judged_again(driver: Driver, heir: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver)
    await returns(heir, driver)
    form = await heir.state(SendState)
    assert ((await heir.state(ShellState)).view, form.symbol, form.amount, form.receiver, form.label) == (
        "WalletSend",
        "ETH",
        "1",
        RECEIVER,
        "Preview Send",
    )


async def test_a_preview_is_made_afresh(driver: Driver, heir: Driver, stage: Stage) -> None:
    await at_review(driver)
    await returns(heir, driver)
    shown = await heir.state(ReviewState)
    assert (shown.phase, shown.plan["address"], len(stage.built)) == ("ready", RECEIVER, 2)


async def test_a_preview_that_nobody_prepares_any_more_is_prepared_for_the_next_socket(
    driver: Driver, stage: Stage
) -> None:
    await at_review(driver)
    async with driver.changing(ReviewState) as shown:
        shown.plan, shown.phase = {}, "loading"
    await driver.reconnect(sessions=held())
    await settles(driver)
    shown = await driver.state(ReviewState)
    assert (shown.phase, shown.plan["address"]) == ("ready", RECEIVER)


async def test_what_was_confirmed_and_nobody_checks_any_more_is_checked_for_the_next_socket(
    driver: Driver, stage: Stage
) -> None:
    await at_review(driver)
    async with driver.changing(ReviewState) as shown:
        shown.phase = "checking"
    await driver.reconnect(sessions=held())
    await settles(driver)
    assert ((await driver.state(ReviewState)).phase, len(await asked(driver))) == ("asking", 1)


async def test_an_accepted_warning_does_not_return(driver: Driver, heir: Driver, stage: Stage) -> None:
    await at_review(driver)
    await tick(driver)
    await returns(heir, driver)
    assert (await heir.state(ReviewState)).accepted is False


async def test_what_the_wallet_has_is_still_waited_for(driver: Driver, heir: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await returns(heir, driver)
    shown = await heir.state(ReviewState)
    assert (shown.phase, shown.plan["address"], len(await asked(heir))) == ("asking", RECEIVER, 1)


async def test_its_answer_leads_to_the_result(driver: Driver, heir: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await returns(heir, driver)
    (command,) = await heir.commands("wallet.request")
    await heir.reply(command, value=HASH)
    await settles(heir)
    followed = (await heir.state(PendingState)).result["id"]
    assert ((await heir.state(ShellState)).view, followed) == ("WalletSendResult", command["id"])


async def test_its_result_is_shown_where_the_session_was_lost_before_the_browser_had_its_secret(
    driver: Driver, heir: Driver, stage: Stage
) -> None:
    await at_review(driver)
    await confirm(driver)
    await returns(heir, driver)
    (command,) = await heir.commands("wallet.request")
    await heir.reply(command, value=HASH)
    await settles(heir)
    await heir.fire(PendingState.poll)
    assert (await heir.state(PendingState)).get_value("result")["hash"] == HASH


async def test_what_becomes_of_it_is_asked_again_even_if_the_first_look_ends_with_its_server(
    driver: Driver, heir: Driver, stage: Stage
) -> None:
    await at_review(driver)
    await confirm(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.fire(ResumeState.restore)
    assert (await heir.state(PendingState)).every > 0


async def test_what_a_host_has_filled_in_is_still_known_as_such(driver: Driver, heir: Driver, stage: Stage) -> None:
    await driver.load(sessions=held())
    await driver.call("open", view="WalletSend", arguments={"token": "USDC", "to": RECEIVER})
    await driver.fire(SendState.on_shown)
    await settles(driver)
    await driver.fire(SendState.type_amount("1"))
    await driver.fire(ReviewState.open)
    await returns(heir, driver)
    await heir.fire(SendState.type_amount("2"))
    form = await heir.state(SendState)
    assert (form.receiver, bool(form.host)) == (RECEIVER, True)


async def test_a_refusal_leads_to_a_preview_that_can_be_confirmed(driver: Driver, heir: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await returns(heir, driver)
    (command,) = await heir.commands("wallet.request")
    await heir.reply(command, code=4001, message="User rejected the request.")
    await settles(heir)
    shown = await heir.state(ReviewState)
    assert ((await heir.state(ShellState)).view, shown.phase, shown.error != "") == ("WalletSendPreview", "ready", True)


async def test_another_account_that_returns_gets_a_preview_of_its_own(
    driver: Driver, heir: Driver, stage: Stage
) -> None:
    await at_review(driver)
    await returns(heir, driver, **held(OTHER))
    assert ((await heir.state(ReviewState)).phase, stage.built[-1][0]) == ("ready", OTHER)
