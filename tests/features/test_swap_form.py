"""The form of a swap: tokens, amount, quote, slippage, and what a host fills in."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from unittest.mock import AsyncMock

import pytest

from tests.driver import Driver, left_behind
from tests.features.conftest import Configure
from tests.features.send_stage import held, view
from tests.features.swap_stage import (
    COIN,
    DOLLAR,
    UNI,
    SwapStage,
    act,
    at_form,
    choose,
    goes_on,
    quoted,
    settles,
    token,
)
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.swaps.answers import SwapToken
from walletmodal.deployment import Deployment
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap import state as swap_state
from walletmodal.features.swap.picker import SwapPickState
from walletmodal.features.swap.preview import SwapPreviewState
from walletmodal.features.swap.slippage import HIGH_SLIPPAGE_NOTE, WRONG_SLIPPAGE
from walletmodal.features.swap.state import LACKS_FEE, SwapState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


@pytest.fixture
def stage(deployed: Deployment) -> SwapStage:
    deployed.clock = MovableClock()
    return SwapStage().on(deployed)


@pytest.fixture
def with_service(configure: Configure) -> None:
    """A deployment that has a service to swap with, as its settings say."""
    configure(BLOCKCHAIN_URL="http://localhost:1/blockchain")


async def told_events(driver: Driver) -> list[str]:
    return [item["event"] for item in driver.told()]


async def preview(driver: Driver) -> SwapPreviewState:
    return await driver.state(SwapPreviewState)


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


async def test_a_quote_that_died_with_its_process_is_asked_by_the_one_that_has_the_page(
    driver: Driver, deployed: Deployment, stage: SwapStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await quoted(driver, deployed)
    with monkeypatch.context() as dying:
        dying.setattr(stage, "quote", AsyncMock(side_effect=ZeroDivisionError))
        await left_behind(driver, act(driver, deployed, SwapState.type_amount("3")))
    asked_before = len(stage.quotes)
    await goes_on(deployed, driver.reconnect(sessions=held()))
    assert ((await driver.state(SwapState)).quoting, len(stage.quotes)) == (True, asked_before)
    monkeypatch.setattr(swap_state, "PROCESS", "another")
    await goes_on(deployed, driver.reconnect(sessions=held()))
    await settles(driver, deployed)
    assert (await driver.state(SwapState)).received == "7500"


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


TINY, HUGE = "eip155:1:0x" + "00" * 19 + "a1", "eip155:1:0x" + "00" * 19 + "a2"


@pytest.mark.parametrize(("decimals", "received"), [(0, "312500000000000000000"), (30, "0.0000000003125")])
async def test_any_number_of_decimals_is_shown_exactly(
    driver: Driver, deployed: Deployment, stage: SwapStage, decimals: int, received: str
) -> None:
    stage.tokens_listed = (*stage.tokens_listed, token(TINY, "ODD", decimals))
    form = await quoted(driver, deployed, amount="2500", source=DOLLAR, target=TINY)
    assert (form.received, form.label) == (received, "Insufficient balance")


async def test_names_of_strangers_are_made_safe(driver: Driver, deployed: Deployment, stage: SwapStage) -> None:
    hostile = SwapToken(name="\u202eevil\n" + "x" * 500, symbol="<b>\u200bUSDC</b>" * 9, address=TINY, decimals=6)
    stage.tokens_listed = (*stage.tokens_listed, hostile)
    await at_form(driver, deployed)
    await act(driver, deployed, SwapPickState.open_list("target"))
    await act(driver, deployed, SwapPickState.on_shown)
    async with patience():
        while (await driver.state(SwapPickState)).phase == "loading":
            await asyncio.sleep(0.001)
    (row,) = [row for row in (await driver.state(SwapPickState)).others if row[0] == TINY]
    assert all(text.isprintable() for text in row)
    assert (len(row[1]) <= 40, len(row[2]) <= 12) == (True, True)


async def test_a_symbol_that_two_tokens_have_fills_in_neither(
    driver: Driver, deployed: Deployment, stage: SwapStage, with_service: None
) -> None:
    stage.tokens_listed = (*stage.tokens_listed, token(TINY, "DUP", 6), token(HUGE, "DUP", 6))
    await driver.load(sessions=held())
    await goes_on(deployed, driver.call("open", view="Swap", arguments={"toToken": "DUP"}))
    await act(driver, deployed, SwapState.on_shown)
    await settles(driver, deployed)
    told = [command["params"]["message"] for command in await driver.commands("host.warn")]
    assert (await driver.state(SwapState)).target == ""
    assert any('"DUP"' in sentence for sentence in told)


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


async def test_a_choice_empties_the_field_of_the_visitors_own_slippage(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await quoted(driver, deployed)
    await act(driver, deployed, SwapState.type_slippage("7"))
    drawn = (await driver.state(SwapState)).filled
    await act(driver, deployed, SwapState.choose_slippage("0.5"))
    form = await driver.state(SwapState)
    # The field is the browser's own until it is drawn anew.
    assert (form.own_slippage, form.used_slippage, form.filled > drawn) == ("", "0.5", True)


async def test_a_network_without_swaps_offers_those_that_have_them(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await driver.load(sessions=held(chain="11155111"))
    await driver.call("open")
    await act(driver, deployed, SwapState.open_form)
    await act(driver, deployed, SwapState.on_shown)
    await settles(driver, deployed)
    assert (await driver.state(SwapState)).phase == "unsupported"


async def test_a_network_that_has_swaps_leads_back_to_the_form(
    driver: Driver, deployed: Deployment, stage: SwapStage
) -> None:
    await driver.load(sessions=held(chain="11155111"))
    await driver.call("open")
    await act(driver, deployed, SwapState.open_form)
    await act(driver, deployed, SwapState.on_shown)
    await act(driver, deployed, NetworksState.choose("eip155:1"))
    (asked,) = await driver.commands("wallet.request")
    await goes_on(deployed, driver.tell(sessions=held()))
    await goes_on(deployed, driver.reply(asked))
    await settles(driver, deployed)
    assert (await view(driver), (await driver.state(SwapState)).phase) == ("Swap", "known")


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
    await act(driver, deployed, SwapState.switch_sides)
    await settles(driver, deployed)
    # What came from the host as the target is given now.
    await choose(driver, deployed, "target", COIN)
    assert (await driver.state(SwapState)).host, "the other token is still the host's"
    await choose(driver, deployed, "source", DOLLAR)
    assert (await driver.state(SwapState)).host == ""


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
