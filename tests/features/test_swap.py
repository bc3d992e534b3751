"""The form of a swap, its preview, the way to the wallet, and what comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from decimal import Decimal

import pytest

from tests.driver import ADDRESS, Driver
from tests.features.send_stage import HASH, answers, asked, held, view
from tests.features.swap_stage import (
    COIN,
    DOLLAR,
    UNI,
    SwapStage,
    act,
    at_form,
    at_preview,
    choose,
    confirm,
    goes_on,
    quoted,
    settles,
    worse,
)
from tests.patience import patience
from walletmodal.config import settings
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import SocketClosedError
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.swaps.verdict import LESS
from walletmodal.deployment import Deployment
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.handlers import APPROVAL_DECLINED, DECLINED
from walletmodal.features.swap.picker import SwapPickState
from walletmodal.features.swap.preview import CHANGED, NOT_CHECKED, OTHER_ACCOUNT, SwapPreviewState
from walletmodal.features.swap.state import HIGH_SLIPPAGE_NOTE, LACKS_FEE, WRONG_SLIPPAGE, SwapState
from walletmodal.features.transactions.state import PendingState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


@pytest.fixture
def stage(deployed: Deployment) -> SwapStage:
    deployed.clock = MovableClock()
    return SwapStage().on(deployed)


@pytest.fixture
def with_service(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A deployment that has a service to swap with, as its settings say."""
    monkeypatch.setenv("BLOCKCHAIN_URL", "http://localhost:1/blockchain")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


async def told_events(driver: Driver) -> list[str]:
    return [item["event"] for item in driver.told()]


async def returns(heir: Driver, driver: Driver, deployed: Deployment) -> None:
    """The socket of the tab is back under its new token."""
    heir.follow(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await goes_on(deployed, heir.load(sessions=held()))


def later(deployed: Deployment) -> None:
    """So long that a preview is to be made anew."""
    assert isinstance(deployed.clock, MovableClock)
    deployed.clock.advance(10)


async def preview(driver: Driver) -> SwapPreviewState:
    return await driver.state(SwapPreviewState)


# The form


async def test_the_form_begins_with_the_networks_coin(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    form = await at_form(driver, deployed)
    assert (form.source, form.source_symbol, form.balance, form.target, form.label, form.phase) == (
        COIN,
        "ETH",
        "10",
        "",
        "Select token",
        "known",
    )
    assert "OPEN_SWAP" in await told_events(driver)


async def test_what_it_brings_is_shown_with_its_terms(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    form = await quoted(driver, deployed, amount="2")
    assert (form.received, form.rate, form.least, form.used_slippage, form.label) == (
        "5000",
        "1 ETH = 2,500 USDC",
        "4,950 USDC",
        "1",
        "Review swap",
    )
    assert (stage.quotes[-1].amount, stage.quotes[-1].source, stage.quotes[-1].target) == (2 * 10**18, COIN, DOLLAR)


async def test_a_quote_is_asked_for_once_the_visitor_has_stopped_typing(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await quoted(driver, deployed, amount="2")
    asked_before = len(stage.quotes)

    async def types() -> None:
        await asyncio.gather(*(driver.fire(SwapState.type_amount(typed)) for typed in ("2.", "2.5", "2.55")))

    await goes_on(deployed, types())
    await settles(driver, deployed)
    assert [order.amount for order in stage.quotes[asked_before:]] == [255 * 10**16]


@pytest.mark.parametrize(
    ("amount", "label", "hint"),
    [
        ("", "Enter amount", ""),
        ("0", "Enter amount", ""),
        ("1,000,000", "Enter amount", "Type digits only, with a point before the decimals."),
        ("1e3", "Enter amount", "Type digits only, with a point before the decimals."),
        ("10.1", "Insufficient balance", ""),
        ("10", "Insufficient balance", LACKS_FEE),
        ("0.0000000000000000001", "Enter amount", "This token has no more than 18 decimals."),
    ],
)
async def test_an_amount_that_cannot_be_swapped_is_not_reviewed(
    driver: Driver, deployed: Deployment, stage: SwapStage, amount: str, label: str, hint: str
) -> None:
    form = await quoted(driver, deployed, amount=amount)
    assert (form.label, form.hint) == (label, hint)
    await act(driver, deployed, SwapPreviewState.open)
    assert await view(driver) == "Swap"


async def test_max_leaves_the_fee(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await quoted(driver, deployed)
    await act(driver, deployed, SwapState.use_max)
    await settles(driver, deployed)
    form = await driver.state(SwapState)
    assert (form.amount, form.label) == ("9.999979", "Review swap")


async def test_the_sides_can_be_switched(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await quoted(driver, deployed, amount="0.1")
    await act(driver, deployed, SwapState.switch_sides)
    await settles(driver, deployed)
    form = await driver.state(SwapState)
    assert (form.source, form.target, form.amount) == (DOLLAR, COIN, "250")


async def test_the_provider_says_why_there_is_no_quote(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    await quoted(driver, deployed)
    stage.failure = ServiceError("blockchain", status=400, body={"message": "insufficient liquidity"})
    await act(driver, deployed, SwapState.type_amount("3"))
    await settles(driver, deployed)
    form = await driver.state(SwapState)
    assert (form.error, form.received, form.label) == ("insufficient liquidity", "", "Swap")
    stage.failure = None
    await act(driver, deployed, SwapState.retry)
    await settles(driver, deployed)
    assert (await driver.state(SwapState)).label == "Review swap"


async def test_without_the_service_the_form_says_so_and_tries_again(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.failure = ServiceError("blockchain", status=503)
    assert (await at_form(driver, deployed)).phase == "unavailable"
    stage.failure = None
    await act(driver, deployed, SwapState.retry)
    await settles(driver, deployed)
    assert (await driver.state(SwapState)).phase == "known"


@pytest.mark.parametrize(
    ("typed", "used", "note"),
    [("2", "2", ""), ("3.5", "3.5", HIGH_SLIPPAGE_NOTE), ("51", "1", WRONG_SLIPPAGE), ("x", "1", WRONG_SLIPPAGE)],
)
async def test_the_visitors_own_slippage_counts_where_it_is_one(
    driver: Driver, deployed: Deployment, stage: SwapStage, typed: str, used: str, note: str
) -> None:
    await quoted(driver, deployed)
    await act(driver, deployed, SwapState.type_slippage(typed))
    form = await driver.state(SwapState)
    assert (form.used_slippage, form.slippage_note) == (used, note)


async def test_the_automatic_slippage_follows_the_price_impact(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    stage.impact = Decimal("1.25")
    await quoted(driver, deployed)
    await act(driver, deployed, SwapState.choose_slippage("auto"))
    assert (await driver.state(SwapState)).used_slippage == "1.3"


async def test_a_network_without_swaps_offers_those_that_have_them(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await driver.load(sessions=held(chain="11155111"))
    await driver.call("open")
    await act(driver, deployed, SwapState.open_form)
    await act(driver, deployed, SwapState.on_shown)
    await settles(driver, deployed)
    assert (await driver.state(SwapState)).phase == "unsupported"


async def test_the_list_has_the_accounts_tokens_first_and_finds_by_name_or_address(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_form(driver, deployed)
    await act(driver, deployed, SwapPickState.open_list("target"))
    await act(driver, deployed, SwapPickState.on_shown)
    async with patience():
        while (await driver.state(SwapPickState)).phase == "loading":
            await asyncio.sleep(0.001)
    listed = await driver.state(SwapPickState)
    assert [row[0] for row in listed.mine] == [COIN, DOLLAR]
    assert [row[0] for row in listed.others] == [UNI]
    await act(driver, deployed, SwapPickState.set_search(UNI.rpartition(":")[2]))
    async with patience():
        while (await driver.state(SwapPickState)).mine:
            await asyncio.sleep(0.001)
    assert [row[0] for row in (await driver.state(SwapPickState)).others] == [UNI]


async def test_what_is_on_the_other_side_cannot_be_chosen(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await at_form(driver, deployed)
    await act(driver, deployed, SwapPickState.open_list("target"))
    await act(driver, deployed, SwapPickState.choose(COIN))
    assert ((await driver.state(SwapState)).target, await view(driver)) == ("", "SwapSelectToken")


async def test_a_host_fills_it_in_and_is_named_until_the_visitor_changes_it(
    driver: Driver, deployed: Deployment, stage: SwapStage, with_service: None
) -> None:
    await driver.load(sessions=held())
    given = {"fromToken": "usdc", "toToken": "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984", "amount": "12.5", "what": 1}
    await goes_on(deployed, driver.call("open", view="Swap", arguments=given))
    await act(driver, deployed, SwapState.on_shown)
    await settles(driver, deployed)
    form = await driver.state(SwapState)
    assert (form.source, form.target.lower(), form.amount) == (DOLLAR, UNI.lower(), "12.5")
    assert form.host
    told = [command["params"]["message"] for command in await driver.commands("host.warn")]
    assert [sentence for sentence in told if "Swap" in sentence] == [
        'open({view: "Swap"}): there is no argument `what`; it is left out.'
    ]
    await act(driver, deployed, SwapState.type_amount("13"))
    assert (await driver.state(SwapState)).host == ""


# The preview


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


# Approvals


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


# A lost session


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


async def test_what_was_entered_survives_a_lost_session(
    driver: Driver, heir: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await quoted(driver, deployed, amount="2")
    await act(driver, deployed, SwapState.choose_slippage("0.5"))
    await act(driver, deployed, ShellState.push("WhatIsANetwork"))
    await returns(heir, driver, deployed)
    form = await heir.state(SwapState)
    assert (form.source, form.target, form.amount, form.slippage) == (COIN, DOLLAR, "2", "0.5")


async def test_the_closed_modal_forgets_what_was_entered(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await quoted(driver, deployed, amount="2")
    await act(driver, deployed, ShellState.close)
    assert (await driver.state(SwapState)).amount == ""


async def test_choosing_another_source_clears_the_amount(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await quoted(driver, deployed, amount="2")
    await choose(driver, deployed, "source", UNI)
    form = await driver.state(SwapState)
    assert (form.source, form.amount, form.received) == (UNI, "", "")
