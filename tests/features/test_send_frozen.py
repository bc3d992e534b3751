"""What the visitor saw is what gets signed, or nothing is: whatever changes between the preview and the wallet."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.send_stage import (
    RECEIVER,
    Stage,
    asked,
    at_review,
    confirm,
    fill,
    held,
    review,
    send_click,
    settles,
    view,
    world,
)
from tests.patience import patience
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.errors.receivers import ReceiverChangedError, ReceiverUncheckedError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.text.texts import RECEIVER_CHANGED
from walletmodal.deployment import Deployment
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.send.review import CHANGED, NOT_CHECKED, OTHER_ACCOUNT, ReviewState
from walletmodal.features.send.state import OTHER_NETWORK, SendState
from walletmodal.features.shell.state import ShellState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


async def test_another_tabs_nonce_is_not_used_again(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.nonce = 8
    await confirm(driver)
    (request,) = await asked(driver)
    assert request["params"][0]["nonce"] == "0x8"


async def changed(driver: Driver) -> tuple[list[Any], str, str]:
    """What was asked, and how the preview stands after a confirmation."""
    await confirm(driver)
    shown = await review(driver)
    return await asked(driver), shown.phase, shown.notice


def elsewhere(_sender: str, transfer: Any) -> list[dict[str, str]]:
    return [{**Stage()._request(ADDRESS, transfer, 21_000 * 10**9), "to": OTHER}]


@pytest.mark.parametrize(
    "change",
    [
        {"price": 2 * 10**9},
        {"gas": 50_000},
        {"builds": elsewhere},
    ],
)
async def test_what_would_be_signed_otherwise_is_looked_at_again(
    driver: Driver, stage: Stage, change: dict[str, Any]
) -> None:
    await at_review(driver)
    for name, value in change.items():
        setattr(stage, name, value)
    assert await changed(driver) == ([], "ready", CHANGED)


async def test_a_fee_that_rises_a_little_is_the_one_that_was_shown(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.price = 12 * 10**8
    await confirm(driver)
    (request,) = await asked(driver)
    assert int(request["params"][0]["maxFeePerGas"], 16) == 10**9


async def test_a_name_that_leads_elsewhere_now_is_not_sent_to(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.changed = ReceiverChangedError(OTHER)
    assert await changed(driver) == ([], "ready", RECEIVER_CHANGED)


async def test_a_token_with_other_decimals_now_is_not_sent(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.failure = SendError("The token has other decimals now.")
    assert (await changed(driver))[:2] == ([], "failed")


@pytest.mark.parametrize("error", [HttpRequestError(url="http://node"), ReceiverUncheckedError("down")])
async def test_what_cannot_be_checked_is_not_sent(driver: Driver, stage: Stage, error: Any) -> None:
    await at_review(driver)
    if isinstance(error, ReceiverUncheckedError):
        stage.changed = error
    else:
        stage.failure = error
    await confirm(driver)
    shown = await review(driver)
    assert (await asked(driver), shown.phase, shown.error) == ([], "ready", NOT_CHECKED)


async def test_another_account_of_the_wallet_means_a_fresh_preview(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.tell(sessions=held(OTHER))
    await settles(driver)
    shown = await review(driver)
    assert (shown.phase, shown.notice, stage.built[-1][0]) == ("ready", OTHER_ACCOUNT, OTHER)


async def test_an_account_chosen_elsewhere_is_never_signed_for_with_the_old_preview(
    driver: Driver, stage: Stage
) -> None:
    await driver.load(sessions=held(ADDRESS, OTHER))
    await driver.call("open")
    await driver.fire(SendState.open_form)
    await driver.fire(SendState.on_shown)
    await fill(driver)
    await driver.fire(ReviewState.open)
    await settles(driver)
    async with driver.changing(ShellState) as shell:
        shell._push("SwitchAddress")
    await driver.fire(AddressesState.choose(OTHER))
    async with driver.changing(ShellState) as shell:
        shell._push("WalletSendPreview")
    await confirm(driver)
    assert await asked(driver) == []


async def test_another_network_leads_back_to_the_form(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.tell(sessions=held(chain="137"))
    await settles(driver)
    await confirm(driver)
    form = await driver.state(SendState)
    assert (await asked(driver), await view(driver) in ("WalletSend", "Account"), form.token) == ([], True, "")


async def test_a_preview_that_is_seen_on_another_network_says_why_it_is_gone(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    async with driver.changing(ShellState) as shell:
        shell._push("Networks")
    await driver.tell(sessions=held(chain="137"))
    await settles(driver)
    await driver.fire(ReviewState.on_shown)
    await settles(driver)
    form = await driver.state(SendState)
    assert (await view(driver), form.notice) == ("WalletSend", OTHER_NETWORK)


async def test_a_switch_while_all_is_checked_again_stops_it(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.held = asyncio.Event()
    confirming = asyncio.ensure_future(confirm(driver))
    async with patience():
        while len(stage.built) < 2:
            await asyncio.sleep(0)
    telling = asyncio.ensure_future(driver.tell(sessions=held(OTHER)))
    async with patience():
        while (await driver.account()).address != OTHER:
            await asyncio.sleep(0)
    stage.held.set()
    await asyncio.gather(confirming, telling)
    await settles(driver)
    assert await asked(driver) == []


async def test_closing_the_modal_while_all_is_checked_again_stops_it(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.held = asyncio.Event()
    confirming = asyncio.ensure_future(confirm(driver))
    async with patience():
        while len(stage.built) < 2:
            await asyncio.sleep(0)
    await driver.fire(ShellState.close)
    stage.held.set()
    await confirming
    await settles(driver)
    assert await asked(driver) == []


async def test_a_form_that_changes_behind_the_preview_is_not_what_is_signed(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.fire(SendState.type_amount("9"))
    await driver.fire(SendState.type_receiver(OTHER))
    await confirm(driver)
    (request,) = await asked(driver)
    assert (request["params"][0]["to"], request["params"][0]["value"]) == (RECEIVER, hex(10**18))


async def test_a_page_that_loads_anew_signs_nothing_of_before(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.reload(sessions=held())
    await confirm(driver)
    form = await driver.state(SendState)
    assert (await asked(driver), form.amount) == ([], "1")


async def test_who_goes_back_while_it_is_checked_is_not_asked_by_the_wallet(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.held = asyncio.Event()
    clicked = asyncio.create_task(driver.fire(await send_click(driver)))
    async with patience():
        while (await driver.state(ReviewState)).phase != "checking":
            await asyncio.sleep(0)
    await driver.fire(ReviewState.cancel)
    stage.held.set()
    await clicked
    assert ((await driver.state(ShellState)).view, await asked(driver)) == ("WalletSend", [])
