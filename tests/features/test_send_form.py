"""The form of a transfer: what is entered, what it comes to, and what a client cannot make of it."""

from __future__ import annotations

import asyncio
from unittest.mock import AsyncMock

import pytest

from tests.driver import ADDRESS, OTHER, Driver, left_behind
from tests.features.namespaces import SOL, SOLANA, told
from tests.features.send_stage import (
    ETHER,
    RECEIVER,
    SOL_RECEIVER,
    USDC_KEY,
    Stage,
    at_form,
    at_review,
    balance,
    fill,
    form,
    held,
    pick,
    settles,
    world,
)
from walletmodal.core.chains.addresses import truncate
from walletmodal.core.clock import MovableClock
from walletmodal.core.text.texts import BALANCE_UNAVAILABLE
from walletmodal.core.transfers.receiver_checks import Receiver
from walletmodal.deployment import Deployment
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import CONFUSABLE, LOOKUP_FAILED, NOBODY, SendState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


async def test_the_accounts_button_opens_an_empty_form_and_says_so(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    told_last = (await driver.news())[-1]
    assert ((await driver.state(ShellState)).view, (await form(driver)).label, told_last["event"]) == (
        "WalletSend",
        "Select Token",
        "OPEN_SEND",
    )


async def test_nobody_who_is_not_connected_opens_it(driver: Driver, stage: Stage) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(SendState.open_form)
    assert (await driver.state(ShellState)).view == "Connect"


async def test_a_picked_token_shows_what_there_is_of_it(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await pick(driver, USDC_KEY)
    shown = await form(driver)
    assert ((await driver.state(ShellState)).view, shown.symbol, shown.balance, shown.label) == (
        "WalletSend",
        "USDC",
        "1,250.5",
        "Add Amount",
    )


async def test_picking_clears_the_amount(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver)
    await pick(driver, USDC_KEY)
    shown = await form(driver)
    assert (shown.amount, shown.receiver) == ("", RECEIVER)


@pytest.mark.parametrize(
    ("amount", "label", "worth"),
    [
        ("", "Add Amount", ""),
        ("0", "Add Amount", ""),
        ("1.5", "Preview Send", "$3,750.00"),
        ("1,5", "Preview Send", "$3,750.00"),
        ("0.000000000000000001", "Preview Send", "< $0.01"),
        ("10", "Insufficient Gas Funds", "$25,000.00"),
        ("10.000000000000000001", "Insufficient Funds", "$25,000.00"),
        ("1e21", "Incorrect Value", "Incorrect value"),
        ("-1", "Incorrect Value", "Incorrect value"),
        ("1,000", "Incorrect Value", "Incorrect value"),
        ("0." + "0" * 40 + "1", "Incorrect Value", "Incorrect value"),
    ],
)
async def test_what_an_amount_comes_to(driver: Driver, stage: Stage, amount: str, label: str, worth: str) -> None:
    await at_form(driver)
    await fill(driver, amount=amount)
    shown = await form(driver)
    assert (shown.amount, shown.label, shown.worth) == (amount, label, worth)


async def test_the_fee_of_a_token_is_paid_of_the_coin(driver: Driver, stage: Stage) -> None:
    stage.tokens[ETHER] = (balance(ETHER, "ETH", "0.00001"), balance(USDC_KEY, "USDC", "5", 6))
    await at_form(driver)
    await fill(driver, USDC_KEY)
    assert (await form(driver)).label == "Insufficient Gas Funds"


async def test_max_leaves_the_fee_of_the_coin_over(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver, amount="")
    await driver.fire(SendState.use_max)
    shown = await form(driver)
    assert (shown.amount, shown.label) == ("9.999979", "Preview Send")


async def test_max_of_a_token_is_all_of_it(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await pick(driver, USDC_KEY)
    await driver.fire(SendState.use_max)
    assert (await form(driver)).amount == "1250.5"


async def test_max_of_less_than_the_fee_is_nothing(driver: Driver, stage: Stage) -> None:
    stage.tokens[ETHER] = (balance(ETHER, "ETH", "0.000001"),)
    await at_form(driver)
    await fill(driver, amount="")
    await driver.fire(SendState.use_max)
    shown = await form(driver)
    assert (shown.amount, shown.label) == ("0", "Add Amount")


@pytest.mark.parametrize(
    ("receiver", "label"),
    [
        ("", "Add Address"),
        ("  ", "Add Address"),
        (RECEIVER, "Preview Send"),
        (RECEIVER.lower(), "Preview Send"),
        (RECEIVER[2:], "Preview Send"),
        (f"  {RECEIVER}\n", "Preview Send"),
        (f"ethereum:{RECEIVER}", "Preview Send"),
        # A checksum that does not fit is a warning of the preview.
        (RECEIVER.replace("d8dA", "D8dA"), "Preview Send"),
        (RECEIVER[:-1], "Invalid Address"),
        (SOL_RECEIVER, "Invalid Address"),
        ("hello", "Invalid Address"),
        (RECEIVER[:20] + "\u202e" + RECEIVER[21:], "Invalid Address"),
    ],
)
async def test_what_a_receiver_comes_to(driver: Driver, stage: Stage, receiver: str, label: str) -> None:
    await at_form(driver)
    await fill(driver, receiver=receiver)
    assert (await form(driver)).label == label


async def test_an_address_of_another_kind_of_network_is_said_to_be_one(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver, receiver=SOL_RECEIVER)
    shown = await form(driver)
    assert (shown.warning, "Solana" in shown.note) == ("namespace", True)


async def test_an_address_that_was_given_for_another_kind_of_network_is_refused(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver, receiver=f"{SOLANA}:{RECEIVER}")
    shown = await form(driver)
    assert (shown.label, shown.warning, "Solana" in shown.note) == ("Invalid Address", "namespace", True)


async def test_what_was_wrong_with_a_receiver_goes_with_it(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver, receiver=SOL_RECEIVER)
    await driver.fire(SendState.type_receiver(RECEIVER))
    shown = await form(driver)
    assert (shown.label, shown.warning, shown.note) == ("Preview Send", "", "")


@pytest.fixture
def clock(deployed: Deployment) -> MovableClock:
    deployed.clock = MovableClock()
    return deployed.clock


async def types(driver: Driver, clock: MovableClock, text: str) -> None:
    """A name is typed, and half a second passes."""
    typing = asyncio.ensure_future(driver.fire(SendState.type_receiver(text)))
    await clock.asleep()
    clock.advance(0.5)
    await typing


async def test_a_name_is_looked_up_after_the_last_letter(driver: Driver, stage: Stage, clock: MovableClock) -> None:
    await at_form(driver)
    await fill(driver, receiver="")
    await types(driver, clock, "Vitalik.eth")
    shown = await form(driver)
    assert (shown.label, shown.receiver_name, shown.receiver_address, shown.resolving, stage.examined) == (
        "Preview Send",
        "vitalik.eth",
        truncate(RECEIVER),
        False,
        ["Vitalik.eth"],
    )


async def test_a_name_whose_look_up_died_with_its_process_is_looked_up_where_the_page_goes_on(
    driver: Driver, stage: Stage, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_form(driver)
    await fill(driver, receiver="")
    with monkeypatch.context() as dying:
        dying.setattr(stage, "examine", AsyncMock(side_effect=ZeroDivisionError))
        await left_behind(driver, types(driver, clock, "vitalik.eth"))
    returning = asyncio.ensure_future(driver.reconnect(sessions=held()))
    await clock.asleep()
    clock.advance(0.5)
    await returning
    shown = await form(driver)
    assert (shown.label, shown.resolving, stage.examined) == ("Preview Send", False, ["vitalik.eth"])


async def test_a_name_of_nobody_is_no_address(driver: Driver, stage: Stage, clock: MovableClock) -> None:
    await at_form(driver)
    await fill(driver, receiver="")
    await types(driver, clock, "nobody.eth")
    shown = await form(driver)
    assert (shown.label, shown.note, shown.retries) == ("Invalid Address", NOBODY, False)


async def test_a_name_of_letters_that_only_look_alike_is_warned_of(
    driver: Driver, stage: Stage, clock: MovableClock
) -> None:
    stage.receiver = Receiver(warnings=("confusable",))
    await at_form(driver)
    await fill(driver, receiver="")
    await types(driver, clock, "vit\u0430lik.eth")
    shown = await form(driver)
    assert (shown.label, shown.warning, shown.note) == ("Invalid Address", "confusable", CONFUSABLE)


async def test_a_name_that_cannot_be_looked_up_can_be_tried_again(
    driver: Driver, stage: Stage, clock: MovableClock
) -> None:
    stage.names = {}
    stage.receiver = Receiver(unchecked=("name",))
    await at_form(driver)
    await fill(driver, receiver="")
    await types(driver, clock, "vitalik.eth")
    shown = await form(driver)
    assert (shown.note, shown.retries) == (LOOKUP_FAILED, True)


@pytest.mark.parametrize("text", ["bitcoin:vitalik.eth", "solana:vitalik.eth", RECEIVER, ""])
async def test_what_is_no_name_here_is_not_looked_up_whoever_says_so(
    driver: Driver, stage: Stage, clock: MovableClock, text: str
) -> None:
    await at_form(driver)
    await fill(driver, receiver=text)
    label = (await form(driver)).label
    await driver.fire(SendState.resolve_name)
    shown = await form(driver)
    assert (stage.examined, shown.receiver_name, shown.label, shown.resolving) == ([], "", label, False)


async def test_of_many_who_look_a_name_up_at_once_one_does(driver: Driver, stage: Stage, clock: MovableClock) -> None:
    await at_form(driver)
    await fill(driver, receiver="")
    typing = asyncio.ensure_future(driver.fire(SendState.type_receiver("vitalik.eth")))
    await clock.asleep()
    again = [asyncio.ensure_future(driver.fire(SendState.resolve_name)) for _ in range(3)]
    await clock.asleep(4)
    clock.advance(0.5)
    await asyncio.gather(typing, *again)
    assert (stage.examined, (await form(driver)).label) == (["vitalik.eth"], "Preview Send")


async def test_what_is_pasted_is_cleaned(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver, receiver="")
    await driver.fire(SendState.paste(f"  ethereum:{RECEIVER}@1?value=1 "))
    shown = await form(driver)
    assert (shown.receiver, shown.label) == (RECEIVER, "Preview Send")


async def test_balances_that_cannot_be_read_are_said_to_be_so(driver: Driver, stage: Stage) -> None:
    stage.lost = True
    await at_form(driver)
    assert ((await form(driver)).phase, (await driver.state(ToastState)).message) == (
        "unavailable",
        BALANCE_UNAVAILABLE,
    )


async def test_another_network_has_other_tokens(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver)
    await driver.tell(sessions=held(chain="137"))
    await driver.fire(SendState.open_form)
    await driver.fire(SendState.on_shown)
    shown = await form(driver)
    assert (shown.token, shown.amount, shown.receiver, shown.label) == ("", "", RECEIVER, "Select Token")


async def test_another_account_has_its_own_balance(driver: Driver, stage: Stage) -> None:
    stage.tokens[f"{ETHER}:{OTHER}"] = (balance(ETHER, "ETH", "0.5"),)
    await at_form(driver)
    await fill(driver)
    await driver.tell(sessions=held(OTHER))
    await settles(driver)
    shown = await form(driver)
    assert (shown.balance, shown.amount, shown.label) == ("0.5", "1", "Insufficient Funds")


@pytest.mark.usefixtures("every_chain")
async def test_solana_sends_too(driver: Driver, stage: Stage) -> None:
    stage.gas, stage.price = 5_000, 1
    await at_form(driver, solana=told(SOLANA, SOL))
    await fill(driver, SOLANA, receiver=SOL_RECEIVER)
    shown = await form(driver)
    assert (shown.symbol, shown.label) == ("SOL", "Preview Send")


async def test_what_was_entered_outlasts_the_modals_closing(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver)
    await driver.fire(ShellState.close)
    await driver.call("open")
    await driver.fire(SendState.open_form)
    await driver.fire(SendState.on_shown)
    shown = await form(driver)
    assert (shown.amount, shown.receiver, shown.label) == ("1", RECEIVER, "Preview Send")


async def test_a_form_that_is_not_complete_leads_nowhere(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await fill(driver, receiver="")
    await driver.fire(ReviewState.open)
    assert ((await driver.state(ShellState)).view, stage.built) == ("WalletSend", [])


async def test_a_complete_one_leads_to_the_preview(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    assert ((await driver.state(ShellState)).view, stage.built[0][0]) == ("WalletSendPreview", ADDRESS)
