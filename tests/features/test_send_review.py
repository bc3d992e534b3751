"""The preview, and the way to the wallet: what the visitor saw is what gets signed, or nothing is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.namespaces import SOL, SOLANA, told
from tests.features.send_stage import (
    ETHER,
    HASH,
    RECEIVER,
    SOL_RECEIVER,
    USDC,
    USDC_KEY,
    Stage,
    asked,
    at_form,
    at_review,
    confirm,
    fill,
    held,
    settles,
    world,
)
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.flow_errors import NotRecordedError
from walletmodal.core.node_errors import ExecutionRevertedError, InsufficientFundsError
from walletmodal.core.receiver_checks import RECEIVER_WARNINGS, Receiver
from walletmodal.core.receiver_errors import ReceiverChangedError, ReceiverUncheckedError
from walletmodal.core.rule_errors import SendError
from walletmodal.core.simulation import NOT_SIMULATED, Moved, Simulation
from walletmodal.core.texts import (
    FAILED_TO_SEND_TRANSACTION,
    RECEIVER_CHANGED,
    SOMETHING_WENT_WRONG,
    TRANSACTION_STARTED,
)
from walletmodal.deployment import Deployment
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.send.preparing import NO_COIN
from walletmodal.features.send.review import CHANGED, NOT_CHECKED, OTHER_ACCOUNT, OTHER_NETWORK
from walletmodal.features.send.state import ReviewState, SendState
from walletmodal.features.send.steps import DECLINED, WALLET_FAILED
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.state import PendingState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


async def review(driver: Driver) -> ReviewState:
    return await driver.state(ReviewState)


async def view(driver: Driver) -> str:
    return (await driver.state(ShellState)).view


async def answers(driver: Driver, **answer: Any) -> None:
    """The wallet answers what it was asked."""
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, **answer)
    await settles(driver)


async def told_events(driver: Driver) -> list[str]:
    return [item["event"] for item in await driver.news()]


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


async def test_it_is_told_when_the_wallet_is_asked(driver: Driver, stage: Stage) -> None:
    await at_review(driver, key=USDC_KEY, amount="2.5")
    await confirm(driver)
    assert (await driver.news())[-1] == {
        "number": (await driver.news())[-1]["number"],
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
    ) == ("WalletSendPreview", "ready", DECLINED, RECEIVER, SOMETHING_WENT_WRONG, "SEND_ERROR")


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
    assert (await review(driver)).error == WALLET_FAILED


@pytest.mark.usefixtures("every_chain")
async def test_a_failed_solana_transfer_has_its_own_text(driver: Driver, stage: Stage) -> None:
    stage.gas, stage.price = 5_000, 1
    await at_form(driver, solana=told(SOLANA, SOL))
    await fill(driver, SOLANA, receiver=SOL_RECEIVER)
    await driver.fire(ReviewState.open)
    await settles(driver)
    await confirm(driver)
    (request,) = await asked(driver)
    await answers(driver, code=4001, message="User rejected the request.")
    assert (request["method"], (await driver.state(ToastState)).message) == (
        "solana_signAndSendTransaction",
        FAILED_TO_SEND_TRANSACTION,
    )


async def test_nobody_says_that_it_failed_when_no_answer_came(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await confirm(driver)
    await answers(driver, value={"nonsense": True})
    assert (await view(driver), (await driver.state(ToastState)).message) == ("WalletSendResult", "")


@pytest.mark.parametrize("warning", RECEIVER_WARNINGS)
async def test_no_warning_can_be_passed_over(driver: Driver, stage: Stage, warning: Any) -> None:
    stage.receiver = Receiver(RECEIVER, warnings=(warning,), resembles=OTHER if warning == "lookalike" else "")
    await at_review(driver)
    await confirm(driver)
    before = await asked(driver)
    await driver.fire(ReviewState.accept(True))
    await confirm(driver)
    assert ((await review(driver)).plan["warnings"], before, len(await asked(driver))) == ([warning], [], 1)


async def test_what_would_fail_must_be_accepted_too(driver: Driver, stage: Stage) -> None:
    stage.simulation = Simulation(ran=True, failure="The token refuses it.")
    await at_review(driver)
    await confirm(driver)
    assert (await asked(driver), (await review(driver)).plan["failure"]) == ([], "The token refuses it.")


async def test_what_the_node_refuses_is_shown_with_its_warnings_and_never_signed(driver: Driver, stage: Stage) -> None:
    stage.receiver, stage.failure = Receiver(RECEIVER, warnings=("contract",)), ExecutionRevertedError(details="no")
    shown = await at_review(driver)
    await driver.fire(ReviewState.accept(True))
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
    await at_review(driver)
    await driver.forge(f"{ReviewState.get_full_name()}.accept", {"accepted": forged})
    await confirm(driver)
    assert await asked(driver) == []


async def test_an_accepted_warning_is_asked_again_of_a_fresh_preview(driver: Driver, stage: Stage) -> None:
    stage.receiver = Receiver(RECEIVER, warnings=("contract",))
    await at_review(driver)
    await driver.fire(ReviewState.accept(True))
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


async def test_another_tabs_nonce_is_not_used_again(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.nonce = 8
    await confirm(driver)
    (request,) = await asked(driver)
    assert request["params"][0]["nonce"] == "0x8"


async def changed(driver: Driver) -> tuple[list[Any], str, str]:
    """What was asked, and how the preview stands after a confirmation."""
    await confirm(driver)
    shown = await review(driver)
    return await asked(driver), shown.phase, shown.notice


def elsewhere(_sender: str, transfer: Any) -> list[dict[str, str]]:
    return [{**Stage()._request(ADDRESS, transfer, 21_000 * 10**9), "to": OTHER}]


@pytest.mark.parametrize(
    "change",
    [
        {"price": 2 * 10**9},
        {"gas": 50_000},
        {"builds": elsewhere},
    ],
)
async def test_what_would_be_signed_otherwise_is_looked_at_again(
    driver: Driver, stage: Stage, change: dict[str, Any]
) -> None:
    await at_review(driver)
    for name, value in change.items():
        setattr(stage, name, value)
    assert await changed(driver) == ([], "ready", CHANGED)


async def test_a_fee_that_rises_a_little_is_the_one_that_was_shown(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.price = 12 * 10**8
    await confirm(driver)
    (request,) = await asked(driver)
    assert int(request["params"][0]["maxFeePerGas"], 16) == 10**9


async def test_a_name_that_leads_elsewhere_now_is_not_sent_to(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.changed = ReceiverChangedError(OTHER)
    assert await changed(driver) == ([], "ready", RECEIVER_CHANGED)


async def test_a_token_with_other_decimals_now_is_not_sent(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.failure = SendError("The token has other decimals now.")
    assert (await changed(driver))[:2] == ([], "failed")


@pytest.mark.parametrize("error", [HttpRequestError(url="http://node"), ReceiverUncheckedError("down")])
async def test_what_cannot_be_checked_is_not_sent(driver: Driver, stage: Stage, error: Any) -> None:
    await at_review(driver)
    if isinstance(error, ReceiverUncheckedError):
        stage.changed = error
    else:
        stage.failure = error
    await confirm(driver)
    shown = await review(driver)
    assert (await asked(driver), shown.phase, shown.error) == ([], "ready", NOT_CHECKED)


async def test_another_account_of_the_wallet_means_a_fresh_preview(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.tell(sessions=held(OTHER))
    await settles(driver)
    shown = await review(driver)
    assert (shown.phase, shown.notice, stage.built[-1][0]) == ("ready", OTHER_ACCOUNT, OTHER)


async def test_an_account_chosen_elsewhere_is_never_signed_for_with_the_old_preview(
    driver: Driver, stage: Stage
) -> None:
    await driver.load(sessions=held(ADDRESS, OTHER))
    await driver.call("open")
    await driver.fire(SendState.open_form)
    await driver.fire(SendState.shown)
    await fill(driver)
    await driver.fire(ReviewState.open)
    await settles(driver)
    async with driver.changing(ShellState) as shell:
        shell._push("SwitchAddress")
    await driver.fire(AddressesState.choose(OTHER))
    async with driver.changing(ShellState) as shell:
        shell._push("WalletSendPreview")
    await confirm(driver)
    assert await asked(driver) == []


async def test_another_network_leads_back_to_the_form(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.tell(sessions=held(chain="137"))
    await settles(driver)
    await confirm(driver)
    form = await driver.state(SendState)
    assert (await asked(driver), await view(driver) in ("WalletSend", "Account"), form.token) == ([], True, "")


async def test_a_preview_that_is_seen_on_another_network_says_why_it_is_gone(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    async with driver.changing(ShellState) as shell:
        shell._push("Networks")
    await driver.tell(sessions=held(chain="137"))
    await settles(driver)
    await driver.fire(ReviewState.shown)
    await settles(driver)
    form = await driver.state(SendState)
    assert (await view(driver), form.notice) == ("WalletSend", OTHER_NETWORK)


async def test_a_switch_while_all_is_checked_again_stops_it(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.held = asyncio.Event()
    confirming = asyncio.ensure_future(driver.fire(ReviewState.confirm))
    async with asyncio.timeout(5):
        while len(stage.built) < 2:
            await asyncio.sleep(0)
    telling = asyncio.ensure_future(driver.tell(sessions=held(OTHER)))
    async with asyncio.timeout(5):
        while (await driver.account()).address != OTHER:
            await asyncio.sleep(0)
    stage.held.set()
    await asyncio.gather(confirming, telling)
    await settles(driver)
    assert await asked(driver) == []


async def test_closing_the_modal_while_all_is_checked_again_stops_it(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    stage.held = asyncio.Event()
    confirming = asyncio.ensure_future(driver.fire(ReviewState.confirm))
    async with asyncio.timeout(5):
        while len(stage.built) < 2:
            await asyncio.sleep(0)
    await driver.fire(ShellState.close)
    stage.held.set()
    await confirming
    await settles(driver)
    assert await asked(driver) == []


async def test_two_clicks_ask_once(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await asyncio.gather(*(driver.fire(ReviewState.confirm) for _ in range(3)))
    await settles(driver)
    assert len(await asked(driver)) == 1


@pytest.mark.parametrize("handler", ["check", "prepare", "confirm", "retry", "stop_waiting", "open", "cancel", "shown"])
async def test_no_event_alone_asks_the_wallet(driver: Driver, stage: Stage, handler: str) -> None:
    await at_form(driver)
    await fill(driver)
    await driver.forge(f"{ReviewState.get_full_name()}.{handler}", {})
    assert await asked(driver) == []


async def test_a_form_that_changes_behind_the_preview_is_not_what_is_signed(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.fire(SendState.type_amount("9"))
    await driver.fire(SendState.type_receiver(OTHER))
    await confirm(driver)
    (request,) = await asked(driver)
    assert (request["params"][0]["to"], request["params"][0]["value"]) == (RECEIVER, hex(10**18))


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


async def test_cancel_leads_back_with_all_that_was_entered(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.fire(ReviewState.cancel)
    form = await driver.state(SendState)
    assert (await view(driver), form.amount, form.receiver) == ("WalletSend", "1", RECEIVER)


async def test_a_page_that_loads_anew_signs_nothing_of_before(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.reload(sessions=held())
    await confirm(driver)
    form = await driver.state(SendState)
    assert (await asked(driver), form.amount) == ([], "1")


async def test_the_view_opened_by_name_without_an_entry_is_the_form(driver: Driver, stage: Stage) -> None:
    await driver.load(sessions=held())
    await driver.call("open", view="WalletSendPreview")
    await driver.fire(ReviewState.shown)
    await settles(driver)
    assert await view(driver) == "WalletSend"


async def test_a_token_is_sent_through_its_contract(driver: Driver, stage: Stage) -> None:
    await at_review(driver, key=USDC_KEY, amount="2.5")
    await confirm(driver)
    (request,) = await asked(driver)
    assert (request["params"][0]["to"], request["params"][0]["value"]) == (USDC, "0x0")


async def test_what_cannot_be_put_on_record_is_not_asked(
    driver: Driver, stage: Stage, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_review(driver)
    await deployed._engine.dispose()
    monkeypatch.setattr(type(deployed.requests), "ask", _no_database)
    await confirm(driver)
    shown = await review(driver)
    assert (await asked(driver), shown.phase, shown.error != "") == ([], "ready", True)


async def _no_database(*_: Any) -> None:
    raise NotRecordedError


async def test_the_networks_are_reached_from_the_preview_and_back(driver: Driver, stage: Stage) -> None:
    await at_review(driver)
    await driver.fire(NetworksState.open_list)
    await driver.fire(ShellState.back)
    await driver.fire(ReviewState.shown)
    await settles(driver)
    assert (await view(driver), (await review(driver)).phase) == ("WalletSendPreview", "ready")
