"""Swaps that outlast a lost session."""

from __future__ import annotations

import asyncio

import pytest

from tests.driver import Driver
from tests.features.send_stage import HASH, answers, held, view
from tests.features.swap_stage import (
    COIN,
    DOLLAR,
    UNI,
    SwapStage,
    act,
    at_preview,
    confirm,
    preview,
    quoted,
    returns,
    settles,
)
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import Deployment
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.preview import (
    SwapPreviewState,
)
from walletmodal.features.swap.state import SwapState
from walletmodal.features.transactions.state import PendingState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> SwapStage:
    deployed.clock = MovableClock()
    return SwapStage().on(deployed)


async def test_what_was_entered_returns(driver: Driver, heir: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await quoted(driver, deployed, amount="2")
    await act(driver, deployed, SwapState.choose_slippage("3"))
    await returns(heir, driver, deployed)
    form = await heir.state(SwapState)
    assert (await view(heir), form.amount, form.source, form.target, form.slippage) == ("Swap", "2", COIN, DOLLAR, "3")


async def test_a_swap_that_the_wallet_has_survives_a_lost_session(
    driver: Driver, heir: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed, amount="2")
    await confirm(driver, deployed)
    await returns(heir, driver, deployed)
    shown = await heir.state(SwapPreviewState)
    assert (shown.phase, shown.plan["received"], await view(heir)) == ("asking", "5,000", "SwapPreview")
    await answers(heir, value=HASH)
    assert await view(heir) == "WalletSendResult"


async def test_a_swap_is_offered_after_a_session_that_was_lost_while_the_network_had_the_approval(
    driver: Driver, heir: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    await confirm(driver, deployed)
    await answers(driver, value=HASH)
    known = await deployed.requests.get((await preview(driver))._question)
    assert known is not None
    await deployed.requests.change(known, status="confirmed", settled=True)
    stage.approved, stage.lists = True, asyncio.Event()
    await heir.store(PendingState, "browser_id", (await driver.state(PendingState)).browser_id)
    returning = asyncio.create_task(returns(heir, driver, deployed))
    # That the approval is through is known before the tokens are.
    async with patience():
        while (await heir.state(SwapPreviewState)).phase == "approving" or not (await heir.state(ShellState)).open:
            await asyncio.sleep(0.001)
    stage.lists.set()
    await returning
    await settles(heir, deployed)
    shown = await heir.state(SwapPreviewState)
    assert (shown.phase, shown.plan.get("approves"), shown.error) == ("ready", False, "")


@pytest.mark.parametrize(("phase", "then"), [("loading", "ready"), ("checking", "asking")])
async def test_what_nobody_does_any_more_for_a_preview_is_done_for_the_next_socket(
    driver: Driver, deployed: Deployment, stage: SwapStage, phase: str, then: str
) -> None:
    await at_preview(driver, deployed, amount="2")
    async with driver.changing(SwapPreviewState) as shown:
        shown.phase = phase
    await driver.reconnect(sessions=held())
    await settles(driver, deployed)
    assert (await driver.state(SwapPreviewState)).phase == then


async def test_what_was_entered_survives_a_lost_session(
    driver: Driver, heir: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await quoted(driver, deployed, amount="2")
    await act(driver, deployed, SwapState.choose_slippage("0.5"))
    await act(driver, deployed, ShellState.push("WhatIsANetwork"))
    await returns(heir, driver, deployed)
    form = await heir.state(SwapState)
    assert (form.source, form.target, form.amount, form.slippage) == (COIN, DOLLAR, "2", "0.5")
