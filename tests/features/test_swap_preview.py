"""The preview of a swap, and the way to the wallet."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest

from tests.driver import ADDRESS, Driver
from tests.features.send_stage import HASH, answers, asked, held, view
from tests.features.swap_stage import (
    DOLLAR,
    ROUTER,
    UNI,
    SwapStage,
    act,
    at_preview,
    confirm,
    goes_on,
    later,
    preview,
    settles,
    token,
    told_events,
    worse,
)
from tests.patience import patience
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import SocketClosedError
from walletmodal.core.swaps.verdict import LESS
from walletmodal.core.text.texts import SOMETHING_WRONG
from walletmodal.deployment import Deployment
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.handlers import DECLINED, WALLET_FAILED
from walletmodal.features.swap.preview import (
    CHANGED,
    NOT_CHECKED,
    OTHER_ACCOUNT,
    SwapPreviewState,
)
from walletmodal.features.swap.state import SwapState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.state import PendingState
from walletmodal.services.swaps import OTHER_DECIMALS

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


@pytest.fixture
def stage(deployed: Deployment) -> SwapStage:
    deployed.clock = MovableClock()
    return SwapStage().on(deployed)


async def test_the_preview_shows_what_will_be_signed(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    shown = await at_preview(driver, deployed, amount="2")
    plan = shown.plan
    assert (shown.phase, plan["amount"], plan["received"], plan["least"], plan["simulated"], plan["approves"]) == (
        "ready",
        "2",
        "5,000",
        "4,950 USDC",
        "5,000 USDC",
        False,
    )
    assert "INITIATE_SWAP" in await told_events(driver)


async def test_a_token_that_is_listed_with_other_decimals_is_not_swapped(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    """A hundredth of what is shown would arrive, and a simulation counts base units."""
    stage.decimals = 8
    shown = await at_preview(driver, deployed, amount="2")
    assert (shown.phase, shown.error) == ("failed", OTHER_DECIMALS)


async def test_the_fee_is_told_in_the_coin_of_the_network_also_where_that_cannot_be_swapped(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.tokens_listed = stage.tokens_listed[1:]
    shown = await at_preview(driver, deployed, amount="20", source=DOLLAR, target=UNI)
    assert (shown.phase, shown.plan["fee"]) == ("ready", "0.000021 ETH")


async def test_confirming_asks_the_wallet_for_just_that(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await at_preview(driver, deployed, amount="2")
    assert (await confirm(driver, deployed)).phase == "asking"
    (request,) = await asked(driver)
    transaction = request["params"][0]
    assert (request["method"], transaction["from"], transaction["data"], transaction["value"]) == (
        "eth_sendTransaction",
        ADDRESS,
        "0x12345678",
        hex(2 * 10**18),
    )


async def test_who_goes_back_while_it_is_checked_is_not_asked_by_the_wallet(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    seen = (await at_preview(driver, deployed, amount="2")).seen
    stage.held = asyncio.Event()
    clicked = asyncio.create_task(driver.fire(SwapPreviewState.confirm(seen)))
    async with patience():
        while (await preview(driver)).phase != "checking":
            await asyncio.sleep(0)
    await act(driver, deployed, SwapPreviewState.cancel)
    stage.held.set()
    await clicked
    assert (await view(driver), await asked(driver)) == ("Swap", [])


async def test_a_swap_that_is_sent_is_shown_with_what_it_is_to_bring(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed, amount="2")
    await confirm(driver, deployed)
    await answers(driver, value=HASH)
    result = (await driver.state(PendingState)).result
    assert (await view(driver), result["title"], result["amount"], result["received"], result["hash"]) == (
        "WalletSendResult",
        "Swap",
        "2 ETH",
        "at least 4,950 USDC",
        HASH,
    )
    assert (await told_events(driver))[-1] == "SWAP_SUCCESS"
    assert (await driver.state(SwapState)).amount == ""


async def test_a_wallet_that_declines_leads_back_to_the_preview(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed)
    await confirm(driver, deployed)
    await answers(driver, code=4001, message="User rejected the request.")
    shown = await preview(driver)
    assert (shown.phase, shown.error, (await told_events(driver))[-1]) == ("ready", DECLINED, "SWAP_ERROR")


async def test_that_a_wallet_failed_is_said_once(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await at_preview(driver, deployed)
    await confirm(driver, deployed)
    await answers(driver, code=-32000, message="nonce too low")
    assert ((await preview(driver)).error, (await driver.state(ToastState)).message) == (WALLET_FAILED, "")


@pytest.mark.parametrize("gone", [ShellState.push("WhatIsANetwork"), ShellState.close])
async def test_that_a_wallet_failed_is_said_where_the_preview_is_not_seen(
    driver: Driver, deployed: Deployment, stage: SwapStage, gone: Any
) -> None:
    await at_preview(driver, deployed)
    await confirm(driver, deployed)
    await act(driver, deployed, gone)
    await answers(driver, code=-32000, message="nonce too low")
    assert (await driver.state(ToastState)).message == SOMETHING_WRONG


async def test_a_fault_of_the_simulation_is_not_offered(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    stage.fault = LESS
    shown = await at_preview(driver, deployed)
    assert (shown.phase, shown.plan["failure"]) == ("blocked", LESS)
    assert (await confirm(driver, deployed)).phase == "blocked"
    assert await asked(driver) == []


async def test_a_high_price_impact_must_be_accepted(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    stage.impact = Decimal("10.01")
    shown = await at_preview(driver, deployed)
    assert (shown.plan["impact_marked"], shown.plan["accepts"]) == (True, True)
    await confirm(driver, deployed)
    assert await asked(driver) == []
    await act(driver, deployed, SwapPreviewState.accept(True, shown.seen))
    await confirm(driver, deployed)
    assert len(await asked(driver)) == 1


async def test_a_price_that_nobody_knows_must_be_accepted(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.impact = None
    unpriced = token("eip155:1:0x" + "00" * 19 + "a1", "ODD", 18)
    stage.tokens_listed, stage.price = (*stage.tokens_listed, unpriced), None
    shown = await at_preview(driver, deployed, amount="2", target=unpriced.address)
    assert (shown.plan["impact_unknown"], shown.plan["accepts"]) == (True, True)
    await confirm(driver, deployed)
    assert await asked(driver) == []


async def test_where_nothing_was_simulated_the_preview_says_so(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.simulates = False
    shown = await at_preview(driver, deployed)
    assert (shown.phase, shown.plan["simulated"]) == ("ready", "")


async def test_a_quote_that_is_too_old_is_shown_anew(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await at_preview(driver, deployed)
    assert isinstance(deployed.clock, MovableClock)
    deployed.clock.advance(31)
    shown = await confirm(driver, deployed)
    assert (shown.phase, shown.notice, await asked(driver)) == ("ready", CHANGED, [])


async def test_what_moved_against_the_visitor_is_shown_anew(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    before = (await at_preview(driver, deployed)).seen
    stage.check_fault = LESS
    worse(stage, 5)
    shown = await confirm(driver, deployed)
    assert (shown.notice, shown.plan["received"], await asked(driver)) == (CHANGED, "4,750", [])
    assert shown.seen != before


async def test_a_click_on_an_older_preview_does_not_count(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    older = (await at_preview(driver, deployed)).seen
    worse(stage, 5)
    later(deployed)
    await act(driver, deployed, SwapPreviewState.refresh)
    async with patience():
        while (await preview(driver)).seen == older:
            await asyncio.sleep(0.001)
    await act(driver, deployed, SwapPreviewState.confirm(older))
    shown = await preview(driver)
    assert (shown.phase, shown.notice, await asked(driver)) == ("ready", CHANGED, [])


async def test_a_preview_that_is_prepared_alike_again_is_the_same(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    before = (await at_preview(driver, deployed)).seen
    orders = len(stage.orders)
    await act(driver, deployed, SwapPreviewState.refresh)
    assert len(stage.orders) == orders, "it is fresh"
    later(deployed)
    await act(driver, deployed, SwapPreviewState.refresh)
    async with patience():
        while len(stage.orders) == orders:
            await asyncio.sleep(0.001)
    await settles(driver, deployed)
    assert (await preview(driver)).seen == before


async def test_a_contract_whose_address_only_looks_alike_is_another_preview(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    shown = await at_preview(driver, deployed)
    seen = shown.seen
    stage.router = normal_address("eip155", ROUTER[:8].lower() + "9" * 28 + ROUTER[-6:].lower())
    later(deployed)
    await act(driver, deployed, SwapPreviewState.refresh)
    async with patience():
        while (await preview(driver)).seen == seen:
            await asyncio.sleep(0.001)
    assert (await preview(driver)).plan["contract"] == stage.router


async def test_another_account_sees_a_fresh_preview(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await at_preview(driver, deployed)
    await goes_on(deployed, driver.tell(sessions=held(OTHER)))
    await settles(driver, deployed)
    shown = await preview(driver)
    assert (shown.notice, shown.phase in ("ready", "failed", "loading")) == (OTHER_ACCOUNT, True)


async def test_where_the_network_cannot_be_asked_nothing_is_sent(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed)
    stage.failure = SocketClosedError(url="")
    shown = await confirm(driver, deployed)
    assert (shown.phase, shown.error, await asked(driver)) == ("ready", NOT_CHECKED, [])


async def test_a_swap_that_is_through_says_what_it_has_brought(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed, amount="2")
    question = (await confirm(driver, deployed))._question
    await answers(driver, value=HASH)
    await act(driver, deployed, ShellState.push("Account"))
    known = await deployed.requests.get(question)
    assert known is not None
    await act(driver, deployed, PendingState.poll)
    await deployed.requests.change(known, status="confirmed", settled=True, gained=4_990_000_000)
    await act(driver, deployed, PendingState.poll)
    assert (await driver.state(ToastState)).message == "Swapped ETH to 4,990.000 USDC"


async def test_the_result_takes_the_place_of_the_toast(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await at_preview(driver, deployed, amount="2")
    question = (await confirm(driver, deployed))._question
    await answers(driver, value=HASH)
    before = (await driver.state(ToastState)).message
    known = await deployed.requests.get(question)
    assert known is not None
    await deployed.requests.change(known, status="confirmed", settled=True, gained=4_990_000_000)
    await act(driver, deployed, PendingState.poll)
    assert (before, (await driver.state(ToastState)).message) == ("Swapping ETH to 5,000.000 USDC", "")
