"""Approvals before a swap: what is asked first, and what goes on from it."""

from __future__ import annotations

import asyncio

import pytest

from tests.driver import Driver
from tests.features.send_stage import HASH, answers, asked, held, view
from tests.features.swap_stage import (
    DOLLAR,
    UNI,
    SwapStage,
    act,
    at_preview,
    confirm,
    goes_on,
    preview,
    settles,
    told_events,
)
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import Deployment
from walletmodal.features.swap.handlers import APPROVAL_DECLINED, APPROVAL_FAILED, DECLINED
from walletmodal.features.swap.state import OTHER_NETWORK, SwapState
from walletmodal.features.transactions.state import PendingState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> SwapStage:
    deployed.clock = MovableClock()
    return SwapStage().on(deployed)


async def test_a_token_is_approved_first_and_swapped_when_the_network_has_the_approval(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    shown = await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    assert shown.plan["approves"] is True
    await confirm(driver, deployed)
    (request,) = await asked(driver)
    assert request["params"][0]["to"] == DOLLAR.rpartition(":")[2]
    await answers(driver, value=HASH)
    waiting = await preview(driver)
    assert (waiting.phase, await view(driver)) == ("approving", "SwapPreview")
    known = await deployed.requests.get(waiting._question)
    assert known is not None
    assert (known.kind, known.status) == ("approval", "sent")
    await deployed.requests.change(known, status="confirmed", settled=True)
    stage.approved = True
    await act(driver, deployed, PendingState.poll)
    async with patience():
        while (await preview(driver)).phase != "ready":
            await asyncio.sleep(0.001)
    after = await preview(driver)
    assert (after.phase, after.plan["approves"], after.notice) == ("ready", False, "")


async def test_a_swap_that_is_declined_after_its_approval_is_offered_again(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    await confirm(driver, deployed)
    await answers(driver, value=HASH)
    known = await deployed.requests.get((await preview(driver))._question)
    assert known is not None
    await deployed.requests.change(known, status="confirmed", settled=True)
    stage.approved = True
    await act(driver, deployed, PendingState.poll)
    await settles(driver, deployed)
    await confirm(driver, deployed)
    await answers(driver, code=4001, message="User rejected the request.")
    shown = await preview(driver)
    assert (shown.phase, shown.error, shown.plan["approves"]) == ("ready", DECLINED, False)


async def test_an_approval_that_the_network_refuses_is_offered_again(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    await confirm(driver, deployed)
    await answers(driver, value=HASH)
    known = await deployed.requests.get((await preview(driver))._question)
    assert known is not None
    await deployed.requests.change(known, status="reverted", settled=True)
    await act(driver, deployed, PendingState.poll)
    await settles(driver, deployed)
    shown = await preview(driver)
    assert (shown.phase, shown.notice, shown.plan["approves"]) == ("ready", APPROVAL_FAILED, True)


async def test_another_network_has_another_form(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await at_preview(driver, deployed)
    await goes_on(deployed, driver.tell(sessions=held(chain="137")), driver=driver)
    await settles(driver, deployed)
    form = await driver.state(SwapState)
    assert (await view(driver), form.amount, form.notice) == ("Swap", "", OTHER_NETWORK)


async def test_an_approval_that_is_declined_swaps_nothing(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    await confirm(driver, deployed)
    await answers(driver, code=4001, message="User rejected the request.")
    shown = await preview(driver)
    assert (shown.phase, shown.error, (await told_events(driver))[-1]) == (
        "ready",
        APPROVAL_DECLINED,
        "SWAP_APPROVAL_ERROR",
    )
