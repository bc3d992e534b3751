"""Swaps whose network fee the deployment pays: approval and swap as one user operation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import logged_in
from tests.features.send_stage import USDC
from tests.features.sponsored_stage import SIGN, Preparing, paid, preparing, secure_site, signature
from tests.features.swap_stage import (
    COIN,
    DOLLAR,
    ROUTER,
    SwapStage,
    act,
    at_form,
    choose,
    confirm,
    goes_on,
    later,
    preview,
    settles,
)
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.operations import PaymasterRefusedError, SponsorshipError
from walletmodal.deployment import Deployment
from walletmodal.features.send.handlers import RESULT
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.handlers import WALLET_FAILED
from walletmodal.features.swap.preview import SwapPreviewState
from walletmodal.features.swap.state import SwapState

__all__ = ["paid", "preparing", "secure_site"]

pytestmark = [pytest.mark.usefixtures("paid"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


@pytest.fixture
def stage(preparing: Preparing, deployed: Deployment) -> SwapStage:
    deployed.clock = MovableClock()
    offered = SwapStage(account={"type": "smartAccount", "status": "ready", "foreign": ""})
    return offered.on(deployed)


async def filled_in(driver: Driver, deployed: Deployment) -> SwapState:
    """The owner of the embedded wallet has entered a swap of a token for the coin."""
    await at_form(driver, deployed, eip155=logged_in())
    await choose(driver, deployed, "source", DOLLAR)
    await choose(driver, deployed, "target", COIN)
    await act(driver, deployed, SwapState.type_amount("100"))
    await settles(driver, deployed)
    return await driver.state(SwapState)


async def at_preview(driver: Driver, deployed: Deployment) -> SwapPreviewState:
    """The preview of that swap."""
    await filled_in(driver, deployed)
    await act(driver, deployed, SwapPreviewState.open)
    await act(driver, deployed, SwapPreviewState.on_shown)
    await settles(driver, deployed)
    return await preview(driver)


async def question(driver: Driver) -> dict[str, Any]:
    """What the wallet is asked to sign or send."""
    (found,) = await driver.commands("wallet.request")
    return found


async def answer(driver: Driver, deployed: Deployment, command: dict[str, Any], **reply: Any) -> None:
    """The frame answers, and all that follows from it."""
    await goes_on(deployed, driver.reply(command, **reply), driver=driver)


async def test_approval_and_swap_are_one_operation_that_somebody_pays_for(
    driver: Driver, deployed: Deployment, stage: SwapStage, preparing: Preparing
) -> None:
    found = await at_preview(driver, deployed)
    assert (found.plan["payer"], found.plan["fee"], found.plan["batch"]) == ("Paid by Acme", "", True)
    await confirm(driver, deployed)
    asked = (await question(driver))["params"]
    assert (asked["method"], asked["hint"]["lines"]) == (SIGN, ["Paid by Acme"])
    assert [call.to for call in preparing.asked[-1].calls] == [USDC, ROUTER]


async def test_a_swap_without_an_approval_is_paid_for_too(
    driver: Driver, deployed: Deployment, stage: SwapStage, preparing: Preparing
) -> None:
    stage.approved = True
    assert (await at_preview(driver, deployed)).plan["payer"] == "Paid by Acme"
    assert [call.to for call in preparing.asked[-1].calls] == [ROUTER]


async def test_who_has_no_coin_for_the_fee_swaps_all_the_same(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.penniless = True
    assert (await filled_in(driver, deployed)).label == "Review swap"
    assert (await at_preview(driver, deployed)).plan["payer"] == "Paid by Acme"


async def test_max_keeps_no_coin_for_a_fee_that_is_paid(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await at_form(driver, deployed, eip155=logged_in())
    await act(driver, deployed, SwapState.use_max)
    await settles(driver, deployed)
    found = await driver.state(SwapState)
    assert (found.source, found.amount) == (COIN, "10")


async def test_a_signed_swap_is_shown_with_what_it_is_to_bring(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_preview(driver, deployed)
    await confirm(driver, deployed)
    command = await question(driver)
    await answer(driver, deployed, command, value=signature(command["params"]))
    assert (await driver.state(ShellState)).view == RESULT


async def test_the_payer_is_not_asked_with_every_look_at_the_price(
    driver: Driver, deployed: Deployment, stage: SwapStage, preparing: Preparing
) -> None:
    await at_preview(driver, deployed)
    later(deployed)
    await act(driver, deployed, SwapPreviewState.refresh)
    await settles(driver, deployed)
    assert (len(preparing.asked), (await preview(driver)).plan["payer"]) == (1, "Paid by Acme")


async def test_where_nobody_pays_the_visitor_sees_why_and_pays(
    driver: Driver, deployed: Deployment, stage: SwapStage, preparing: Preparing
) -> None:
    preparing.refusal = SponsorshipError("the limit of the day is reached")
    found = await at_preview(driver, deployed)
    assert (found.plan["payer"], found.plan["unpaid"]) == ("", SponsorshipError.text)
    await confirm(driver, deployed)
    assert (await question(driver))["params"]["method"] == "eth_sendTransaction"


async def test_where_nobody_pays_and_there_is_no_coin_both_is_said(
    driver: Driver, deployed: Deployment, stage: SwapStage, preparing: Preparing
) -> None:
    stage.penniless, preparing.refusal = True, SponsorshipError()
    found = await at_preview(driver, deployed)
    assert (found.phase, found.error.startswith(SponsorshipError.text)) == ("failed", True)


async def test_a_promise_that_is_not_kept_leads_to_a_preview_that_says_so(
    driver: Driver, deployed: Deployment, stage: SwapStage, preparing: Preparing
) -> None:
    await at_preview(driver, deployed)
    preparing.refusal = PaymasterRefusedError("expired")
    await confirm(driver, deployed)
    await settles(driver, deployed)
    found = await preview(driver)
    assert (found.phase, found.notice, found.plan["payer"]) == ("ready", PaymasterRefusedError.text, "")


async def test_a_frame_that_does_not_sign_leaves_the_accounts_own_transactions(
    driver: Driver, deployed: Deployment, stage: SwapStage, preparing: Preparing
) -> None:
    await at_preview(driver, deployed)
    await confirm(driver, deployed)
    await answer(driver, deployed, await question(driver), code=4200, message="not here")
    await settles(driver, deployed)
    found = await preview(driver)
    assert (found.phase, found.error, found.plan["payer"]) == ("ready", WALLET_FAILED, "")
