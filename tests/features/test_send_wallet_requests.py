"""The way to the wallet, and what its answers lead to."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, Driver
from tests.features.namespaces import SOL, SOLANA, told
from tests.features.send_stage import (
    ETHER,
    HASH,
    RECEIVER,
    SOL_RECEIVER,
    USDC,
    USDC_KEY,
    Stage,
    answers,
    asked,
    at_form,
    at_review,
    confirm,
    fill,
    review,
    send_click,
    settles,
    view,
    world,
)
from walletmodal.core.text.texts import FAILED_TO_SEND_TRANSACTION, SOMETHING_WRONG, TRANSACTION_STARTED
from walletmodal.deployment import Deployment
from walletmodal.features.account.holdings import token_icon
from walletmodal.features.send.handlers import DECLINED, WALLET_FAILED
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import SendState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.state import PendingState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


async def told_events(driver: Driver) -> list[str]:
    return [item["event"] for item in driver.told()]


async def test_confirming_asks_the_wallet_for_just_that(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    (request,) = await asked(driver)
    transaction = request["params"][0]
    assert (
        (await review(driver)).phase,
        request["method"],
        request["chain"],
        transaction["from"],
        transaction["to"],
        transaction["value"],
    ) == ("asking", "eth_sendTransaction", ETHER, ADDRESS, RECEIVER, hex(10**18))


async def test_a_token_is_sent_through_its_contract(driver: Driver, stage: Stage) -> None:
    await at_review(driver, key=USDC_KEY, amount="2.5")
    await confirm(driver)
    (request,) = await asked(driver)
    assert (request["params"][0]["to"], request["params"][0]["value"]) == (USDC, "0x0")


async def test_it_is_told_when_the_wallet_is_asked(driver: Driver, stage: Stage) -> None:
    await at_review(driver, key=USDC_KEY, amount="2.5")
    await confirm(driver)
    assert driver.told()[-1] == {
        "number": driver.told()[-1]["number"],
        "event": "SEND_INITIATED",
        "properties": {"isSmartAccount": False, "network": ETHER, "token": USDC_KEY, "amount": 2.5},
    }


async def test_a_sent_transfer_is_shown_and_the_form_emptied(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await answers(driver, value=HASH)
    form, shell = await driver.state(SendState), await driver.state(ShellState)
    assert (
        shell.view,
        shell.depth,
        form.token,
        form.amount,
        form.receiver,
        (await driver.state(ToastState)).message,
        (await driver.state(PendingState)).result["hash"],
        (await told_events(driver))[-1],
    ) == ("WalletSendResult", 2, "", "", "", TRANSACTION_STARTED, HASH, "SEND_SUCCESS")


async def test_a_transaction_is_shown_with_the_picture_of_its_token(driver: Driver, stage: Stage) -> None:
    stage.tokens[ETHER] = tuple(
        one.model_copy(update={"icon_url": f"https://icons.test/{one.symbol}"}) for one in stage.tokens[ETHER]
    )
    await at_review(driver, key=USDC_KEY, amount="2.5")
    await confirm(driver)
    await answers(driver, value=HASH)
    await driver.fire(PendingState.poll)
    pending = await driver.state(PendingState)
    picture = token_icon("https://icons.test/USDC")
    assert picture.startswith("/images/remote/")
    assert [row["image"] for row in (*pending.get_value("rows"), pending.get_value("result"))] == [picture, picture]


async def test_a_wallet_that_declines_leads_back_to_the_preview(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await answers(driver, code=4001, message="User rejected the request.")
    shown = await review(driver)
    assert (
        await view(driver),
        shown.phase,
        shown.error,
        shown.plan["address"],
        (await driver.state(ToastState)).message,
        (await told_events(driver))[-1],
    ) == ("WalletSendPreview", "ready", DECLINED, RECEIVER, "", "SEND_ERROR")


async def test_what_was_declined_can_be_confirmed_again(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await answers(driver, code=4001, message="User rejected the request.")
    await confirm(driver)
    assert len(await asked(driver)) == 1


async def test_a_wallet_that_fails_is_told_apart_from_one_that_declines(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await answers(driver, code=-32000, message="nonce too low")
    assert ((await review(driver)).error, (await driver.state(ToastState)).message) == (WALLET_FAILED, "")


@pytest.mark.parametrize("gone", [ShellState.push("WhatIsANetwork"), ShellState.close])
async def test_that_a_wallet_failed_is_said_where_the_preview_is_not_seen(
    driver: Driver, stage: Stage, gone: Any
) -> None:
    await at_review(driver)
    await confirm(driver)
    await driver.fire(gone)
    await answers(driver, code=-32000, message="nonce too low")
    assert (await driver.state(ToastState)).message == SOMETHING_WRONG


@pytest.mark.usefixtures("every_chain")
async def test_a_failed_solana_transfer_has_its_own_text(driver: Driver, stage: Stage) -> None:
    stage.gas, stage.price = 5_000, 1
    await at_form(driver, solana=told(SOLANA, SOL))
    await fill(driver, SOLANA, receiver=SOL_RECEIVER)
    await driver.fire(ReviewState.open)
    await settles(driver)
    await confirm(driver)
    (request,) = await asked(driver)
    await driver.fire(ShellState.push("WhatIsANetwork"))
    await answers(driver, code=-32000, message="Blockhash not found")
    assert (request["method"], (await driver.state(ToastState)).message) == (
        "solana_signAndSendTransaction",
        FAILED_TO_SEND_TRANSACTION,
    )


async def test_nobody_says_that_it_failed_when_no_answer_came(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await answers(driver, value={"nonsense": True})
    assert (await view(driver), (await driver.state(ToastState)).message) == ("WalletSendResult", "")


async def test_the_visitor_can_stop_waiting_and_a_late_answer_is_told_all_the_same(
    driver: Driver, stage: Stage
) -> None:
    await at_review(driver)
    await confirm(driver)
    await driver.fire(ReviewState.stop_waiting)
    await settles(driver)
    before = (await review(driver)).phase
    await answers(driver, value=HASH)
    assert (before, await view(driver), (await driver.state(ToastState)).message) == (
        "ready",
        "WalletSendPreview",
        TRANSACTION_STARTED,
    )


async def test_two_clicks_ask_once(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    click = await send_click(driver)
    await asyncio.gather(*(driver.fire(click) for _ in range(3)))
    await settles(driver)
    assert len(await asked(driver)) == 1


@pytest.mark.parametrize(
    "handler", ["check", "prepare", "confirm", "retry", "stop_waiting", "open", "cancel", "on_shown"]
)
async def test_no_event_alone_asks_the_wallet(driver: Driver, stage: Stage, handler: str) -> None:
    await at_form(driver)
    await fill(driver)
    payload = {"seen": (await driver.state(ReviewState)).seen} if handler == "confirm" else {}
    await driver.forge(f"{ReviewState.get_full_name()}.{handler}", payload)
    assert await asked(driver) == []
