"""Approval and swap as one batch (EIP-5792), where the wallet makes batches."""

from __future__ import annotations

import asyncio

import pytest

from tests.driver import Driver
from tests.features.send_stage import HASH, asked, view
from tests.features.swap_stage import (
    DOLLAR,
    ROUTER,
    UNI,
    SwapStage,
    act,
    at_preview,
    confirm,
    goes_on,
    preview,
    settles,
)
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import Deployment
from walletmodal.features.swap.preview import (
    ONE_AT_A_TIME,
)
from walletmodal.features.transactions.state import PendingState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)
STATUS = "wallet_getCallsStatus"


@pytest.fixture
def stage(deployed: Deployment) -> SwapStage:
    deployed.clock = MovableClock()
    return SwapStage().on(deployed)


BATCHES = {"0x1": {"atomic": {"status": "supported"}}}
BUNDLE = "0xb0"


async def test_a_wallet_that_makes_batches_is_asked_once(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.capabilities = BATCHES
    shown = await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    assert (shown.plan["batch"], shown.plan["approves"], shown.plan["steps"]) == (True, False, 2)
    await confirm(driver, deployed)
    (request,) = await asked(driver)
    (batch,) = request["params"]
    assert (request["method"], batch["atomicRequired"], batch["chainId"]) == ("wallet_sendCalls", True, "0x1")
    assert [call["to"] for call in batch["calls"]] == [DOLLAR.rpartition(":")[2], ROUTER]


async def test_the_transaction_of_a_batch_is_told_by_the_wallet(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.capabilities = BATCHES
    stage.calls = {"status": 200, "receipts": [{"transactionHash": HASH}]}
    await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    question = (await confirm(driver, deployed))._question
    (command,) = await driver.commands("wallet.request")
    await goes_on(deployed, driver.reply(command, value={"id": BUNDLE}), driver=driver)
    assert await view(driver) == "WalletSendResult"
    await act(driver, deployed, PendingState.poll)
    known = await deployed.requests.get(question)
    assert known is not None
    assert (known.kind, known.bundle, known.hash) == ("swap", BUNDLE, HASH)


async def test_a_wallet_is_asked_for_its_batch_once_however_often_is_polled(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.capabilities = BATCHES
    await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    await confirm(driver, deployed)
    (command,) = await driver.commands("wallet.request")
    first = asyncio.create_task(driver.reply(command, value={"id": BUNDLE}))
    async with patience():
        while [sent["params"]["method"] for sent in await driver.commands("wallet.request")] != [STATUS]:
            await asyncio.sleep(0.001)
    for _ in range(2):
        await driver.fire(PendingState.poll)
    (question,) = await driver.commands("wallet.request")
    await driver.reply(question, value={"status": 100})
    await first
    await driver.fire(PendingState.poll)
    assert await driver.commands("wallet.request") == []


async def test_a_batch_that_never_reached_the_network_is_over(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.capabilities, stage.calls = BATCHES, {"status": 400}
    await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    question = (await confirm(driver, deployed))._question
    (command,) = await driver.commands("wallet.request")
    await goes_on(deployed, driver.reply(command, value={"id": BUNDLE}), driver=driver)
    await act(driver, deployed, PendingState.poll)
    known = await deployed.requests.get(question)
    assert known is not None
    assert (known.status, known.settled) == ("dropped", True)


@pytest.mark.parametrize("code", [5750, 5760, 4200])
async def test_a_wallet_that_will_not_is_asked_for_the_approval(
    driver: Driver, deployed: Deployment, stage: SwapStage, code: int
) -> None:
    stage.capabilities = {"0x1": {"atomic": {"status": "ready"}}}
    await at_preview(driver, deployed, amount="100", source=DOLLAR, target=UNI)
    await confirm(driver, deployed)
    (command,) = await driver.commands("wallet.request")
    await goes_on(deployed, driver.reply(command, code=code, message="The account stays as it is."), driver=driver)
    await settles(driver, deployed)
    shown = await preview(driver)
    assert (shown.phase, shown.notice, shown.plan["approves"]) == ("ready", ONE_AT_A_TIME, True)


async def test_a_swap_that_needs_no_approval_is_no_batch(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.capabilities = BATCHES
    shown = await at_preview(driver, deployed, amount="2")
    assert (shown.plan["batch"], shown.plan["steps"]) == (False, 1)
