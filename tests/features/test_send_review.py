"""The preview: all that can be known before something is signed, its warnings, and the ways to it and back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import OTHER, Driver
from tests.features.send_stage import (
    HASH,
    RECEIVER,
    Stage,
    answers,
    asked,
    at_form,
    at_review,
    confirm,
    fill,
    held,
    review,
    settles,
    tick,
    view,
    world,
)
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.errors.nodes import ExecutionRevertedError, InsufficientFundsError
from walletmodal.core.smart_accounts.safe import SafeAccount
from walletmodal.core.transfers.receiver_checks import RECEIVER_WARNINGS, Receiver
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Moved, Simulation
from walletmodal.deployment import Deployment
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.send.preparing import NO_COIN
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import SendState
from walletmodal.features.shell.state import ShellState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


async def test_the_preview_says_everything(driver: Driver, stage: Stage) -> None:
    stage.simulation = Simulation(ran=True, leaves=(Moved(None, 10**18),), arrives=(Moved(None, 10**18),))
    shown = (await at_review(driver)).plan
    assert {
        name: shown[name]
        for name in ("amount", "symbol", "worth", "address", "fee", "fee_worth", "leaves", "arrives", "first")
    } == {
        "amount": "1",
        "symbol": "ETH",
        "worth": "$2,500.00",
        "address": RECEIVER,
        "fee": "0.000021 ETH",
        "fee_worth": "$0.05",
        "leaves": ["1 ETH"],
        "arrives": ["1 ETH"],
        "first": "known",
    }


async def test_the_whole_address_is_shown_in_groups(driver: Driver, stage: Stage) -> None:
    shown = (await at_review(driver)).plan
    assert ("".join(shown["to"]), shown["to"][0], len(shown["to"])) == (RECEIVER, "0xd8dA", 10)


@pytest.mark.parametrize("warning", RECEIVER_WARNINGS)
async def test_no_warning_can_be_passed_over(driver: Driver, stage: Stage, warning: Any) -> None:
    stage.receiver = Receiver(RECEIVER, warnings=(warning,), resembles=OTHER if warning == "lookalike" else "")
    await at_review(driver)
    await confirm(driver)
    before = await asked(driver)
    await tick(driver)
    await confirm(driver)
    assert ((await review(driver)).plan["warnings"], before, len(await asked(driver))) == ([warning], [], 1)


async def test_the_visitors_safe_is_warned_of_where_it_cannot_be_used(driver: Driver, stage: Stage) -> None:
    connected = held()["eip155"]
    (owner,) = connected["accounts"]
    safe = SafeAccount((owner,)).address
    stage.receiver = Receiver(safe, own=True)
    await at_form(driver, eip155={**connected, "accounts": [owner, safe]})
    await fill(driver, receiver=safe)
    await driver.fire(ReviewState.open)
    await driver.fire(ReviewState.on_shown)
    await settles(driver)
    assert (await review(driver)).plan["warnings"] == ["barred"]


async def test_what_would_fail_must_be_accepted_too(driver: Driver, stage: Stage) -> None:
    stage.simulation = Simulation(ran=True, failure="The token refuses it.")
    await at_review(driver)
    await confirm(driver)
    assert (await asked(driver), (await review(driver)).plan["failure"]) == ([], "The token refuses it.")


async def test_what_the_node_refuses_is_shown_with_its_warnings_and_never_signed(driver: Driver, stage: Stage) -> None:
    stage.receiver, stage.failure = Receiver(RECEIVER, warnings=("contract",)), ExecutionRevertedError(details="no")
    shown = await at_review(driver)
    await tick(driver)
    await confirm(driver)
    assert (shown.phase, shown.plan["warnings"], shown.plan["failure"] != "", await asked(driver)) == (
        "blocked",
        ["contract"],
        True,
        [],
    )


async def test_whom_something_was_sent_to_from_here_is_known(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await answers(driver, value=HASH)
    await driver.fire(ShellState.back)
    await driver.fire(SendState.open_form)
    await fill(driver, receiver=OTHER)
    await driver.fire(ReviewState.open)
    await settles(driver)
    assert stage.sent_to == (RECEIVER,)


@pytest.mark.parametrize("forged", ["true", 1, [True], {"a": 1}, None, "yes"])
async def test_only_a_tick_is_a_tick(driver: Driver, stage: Stage, forged: Any) -> None:
    stage.receiver = Receiver(RECEIVER, warnings=("contract",))
    seen = (await at_review(driver)).seen
    await driver.forge(f"{ReviewState.get_full_name()}.accept", {"accepted": forged, "seen": seen})
    await confirm(driver)
    assert await asked(driver) == []


async def test_an_accepted_warning_is_asked_again_of_a_fresh_preview(driver: Driver, stage: Stage) -> None:
    stage.receiver = Receiver(RECEIVER, warnings=("contract",))
    await at_review(driver)
    await tick(driver)
    await driver.fire(ReviewState.choose_speed("fast"))
    await settles(driver)
    await confirm(driver)
    assert ((await review(driver)).accepted, await asked(driver)) == (False, [])


async def test_a_network_that_cannot_simulate_is_said_to_be_so(driver: Driver, stage: Stage) -> None:
    stage.simulation = NOT_SIMULATED
    shown = (await at_review(driver)).plan
    assert (shown["simulated"], shown["accepts"]) == (False, False)


async def test_the_speed_changes_the_fee_and_what_is_signed(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.fire(ReviewState.choose_speed("fast"))
    await settles(driver)
    fee = (await review(driver)).plan["fee"]
    await confirm(driver)
    (request,) = await asked(driver)
    assert (fee, int(request["params"][0]["maxFeePerGas"], 16)) == ("0.000042 ETH", 2 * 10**9)


@pytest.mark.parametrize("speed", ["", "warp", None, 3, ["fast"]])
async def test_there_are_no_other_speeds(driver: Driver, stage: Stage, speed: Any) -> None:
    await at_review(driver)
    await driver.forge(f"{ReviewState.get_full_name()}.choose_speed", {"speed": speed})
    await settles(driver)
    shown = await review(driver)
    assert (shown.speed, shown.phase) == ("normal", "ready")


async def test_too_little_for_the_fee_is_said_in_the_preview(driver: Driver, stage: Stage) -> None:
    stage.failure = InsufficientFundsError(details="x")
    shown = await at_review(driver)
    assert (shown.phase, shown.error) == ("failed", NO_COIN)


async def test_a_preview_that_failed_can_be_tried_again(driver: Driver, stage: Stage) -> None:
    stage.failure = HttpRequestError(url="http://node")
    await at_review(driver)
    stage.failure = None
    await driver.fire(ReviewState.retry)
    await settles(driver)
    assert (await review(driver)).phase == "ready"


async def test_cancel_leads_back_with_all_that_was_entered(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.fire(ReviewState.cancel)
    form = await driver.state(SendState)
    assert (await view(driver), form.amount, form.receiver) == ("WalletSend", "1", RECEIVER)


async def test_the_view_opened_by_name_without_an_entry_is_the_form(driver: Driver, stage: Stage) -> None:
    await driver.load(sessions=held())
    await driver.call("open", view="WalletSendPreview")
    await driver.fire(ReviewState.on_shown)
    await settles(driver)
    assert await view(driver) == "WalletSend"


async def test_the_networks_are_reached_from_the_preview_and_back(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.fire(NetworksState.open_list)
    await driver.fire(ShellState.back)
    await driver.fire(ReviewState.on_shown)
    await settles(driver)
    assert (await view(driver), (await review(driver)).phase) == ("WalletSendPreview", "ready")
