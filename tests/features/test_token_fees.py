"""A batch of the embedded wallet's owner whose network fee may be paid in a token: what is offered, what is agreed to, and what is signed."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import AsyncMock

import pytest

from tests.driver import ADDRESS, OTHER, Driver, left_behind
from tests.features.approving import approve, phase, reject
from tests.features.embedded_stage import connected, logged_in, place
from tests.features.sponsored_stage import SIGN, frame
from tests.features.token_fees_stage import (
    BATCH,
    CALLS,
    COIN,
    DAI,
    ON_STAGE,
    USDC,
    World,
    choose,
    deployment_with,
    fee,
    pay,
    questions,
    secure_site,
    world,
)
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.errors.operations import PaymasterTermsError, TokenFundsError
from walletmodal.core.smart_accounts import delegator
from walletmodal.core.smart_accounts.account_state import smart_account_address
from walletmodal.deployment import Deployment
from walletmodal.features.approve import state as approving_state
from walletmodal.features.approve.fees import UNKNOWN
from walletmodal.features.approve.showing import FRESH_SECONDS
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.services.smart_accounts.time_limit import LIMIT

__all__ = ["deployment_with", "secure_site", "world"]

pytestmark = ON_STAGE


async def test_the_owner_chooses_among_the_coin_and_the_tokens_that_are_held(driver: Driver, world: World) -> None:
    await pay(driver, world)
    assert (await place(driver), await questions(driver)) == ((True, "ApproveTransaction"), [])
    assert await fee(driver) == {
        "rows": [
            {"token": "", "symbol": "ETH", "held": "1 ETH"},
            {"token": USDC, "symbol": "USDC", "held": "25 USDC"},
        ],
        "token": "",
        "text": "",
        "phase": "",
    }


async def test_who_has_too_little_of_the_coin_begins_with_a_token(driver: Driver, world: World) -> None:
    world.coins = 10**14
    await pay(driver, world)
    found = await fee(driver)
    assert (found["token"], found["text"], found["phase"]) == (USDC, "At most 0.420001 USDC", "known")


async def test_what_the_calls_send_is_not_there_for_the_fee(driver: Driver, world: World) -> None:
    await pay(driver, world, calls=[{"to": OTHER, "value": hex(COIN - 1)}])
    assert (await fee(driver))["token"] == USDC


async def test_the_most_of_a_token_is_never_shown_as_less(driver: Driver, world: World) -> None:
    world.held, world.most = {DAI: 10**19}, 123_456_700_000_000_001
    await pay(driver, world)
    await choose(driver, DAI)
    assert (await fee(driver))["text"] == "At most 0.123457 DAI"


async def test_all_the_digits_of_a_fee_are_shown(driver: Driver, world: World) -> None:
    most = 12_345_678_901_234_567_890_123_456_789
    world.held, world.most = {USDC: 10**30}, most
    await pay(driver, world)
    await choose(driver, USDC)
    assert (await fee(driver))["text"] == "At most 12,345,678,901,234,567,890,123.456789 USDC"


async def test_with_the_coin_the_frame_is_asked_for_an_ordinary_batch(driver: Driver, world: World) -> None:
    await pay(driver, world)
    await approve(driver)
    assert (await questions(driver), world.asked) == ([BATCH], [])


@pytest.mark.parametrize("where", ["batch", "call"])
async def test_what_no_operation_has_leaves_no_choice(driver: Driver, world: World, where: str) -> None:
    wanted = {"flowControl": {"onFailure": "continue"}}
    fields = (
        {"capabilities": wanted} if where == "batch" else {"calls": [{**CALLS[0], "capabilities": wanted}, CALLS[1]]}
    )
    await pay(driver, world, **fields)
    assert (await fee(driver), await questions(driver)) == ({}, [BATCH])


async def test_with_a_token_the_frame_signs_what_was_worked_out(driver: Driver, world: World) -> None:
    await pay(driver, world)
    await choose(driver, USDC)
    await approve(driver)
    [command] = await driver.commands("wallet.request")
    [request] = world.asked
    assert (request.payer and request.payer.token, len(request.calls)) == (USDC, 2)
    assert (command["params"]["method"], command["params"]["params"][0]["callData"]) == (
        SIGN,
        "0x" + delegator.execute_call_data(request.calls).hex(),
    )
    assert "Network fee: at most 0.420001 USDC" in command["params"]["hint"]["lines"]
    framed = await driver.state(EmbeddedState)
    assert (framed.framed, framed.confirming) == (True, True)


@pytest.mark.parametrize(
    ("method", "params"),
    [(BATCH, {"version": "2.0.0", "calls": CALLS}), ("eth_sendTransaction", {"to": OTHER, "value": "0x1"})],
)
async def test_a_safe_pays_for_what_it_sends_in_a_token(
    driver: Driver, world: World, method: str, params: dict[str, Any]
) -> None:
    await connected(driver)
    address = smart_account_address("safe", ADDRESS)
    await driver.tell(sessions={"eip155": logged_in(accounts=[address, ADDRESS])})
    # Of the coin there is enough for the calls, but not for making the Safe.
    world.coins = 10**15
    await driver.request(method, [{**params, "from": address}])
    assert ((await fee(driver))["text"], await questions(driver)) == ("At most 0.420001 USDC", [])
    await approve(driver)
    (command,) = await driver.commands("wallet.request")
    (request,) = world.asked
    assert (request.implementation, request.owner, request.payer and request.payer.token) == ("safe", ADDRESS, USDC)
    assert (command["params"]["method"], command["params"]["params"][0]["sender"]) == (SIGN, address)


async def test_nothing_is_approved_before_the_fee_is_known(driver: Driver, world: World) -> None:
    await pay(driver, world)
    world.held_up = asyncio.Event()
    choosing = asyncio.create_task(choose(driver, USDC))
    async with patience():
        while not world.asked:
            await asyncio.sleep(0)
    await approve(driver)
    assert (await questions(driver), await phase(driver)) == ([], "ready")
    world.held_up.set()
    await choosing
    await approve(driver)
    assert await questions(driver) == [SIGN]


async def test_a_fee_that_is_worked_out_too_late_is_not_taken_for_another_choice(driver: Driver, world: World) -> None:
    await pay(driver, world)
    world.held_up = asyncio.Event()
    choosing = asyncio.create_task(choose(driver, USDC))
    async with patience():
        while not world.asked:
            await asyncio.sleep(0)
    await choose(driver, "")
    world.held_up.set()
    await choosing
    await approve(driver)
    assert ((await fee(driver))["text"], await questions(driver)) == ("", [BATCH])


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"refusal": PaymasterTermsError("x")}, ("failed", PaymasterTermsError.text)),
        ({"held": {USDC: 420_000}}, ("short", TokenFundsError.text)),
    ],
)
async def test_a_token_that_cannot_pay_says_why_and_leaves_the_coin(
    driver: Driver, world: World, changes: dict[str, Any], shown: tuple[str, str]
) -> None:
    for name, value in changes.items():
        setattr(world, name, value)
    await pay(driver, world)
    await choose(driver, USDC)
    found = await fee(driver)
    assert (found["phase"], found["text"]) == shown
    await approve(driver)
    assert await questions(driver) == []
    await choose(driver, "")
    await approve(driver)
    assert await questions(driver) == [BATCH]


async def test_a_price_that_is_old_is_asked_for_again(driver: Driver, world: World, deployed: Deployment) -> None:
    deployed.clock = clock = MovableClock()
    await pay(driver, world)
    await choose(driver, USDC)
    clock.advance(FRESH_SECONDS + 1)
    world.most = 500_000
    await approve(driver)
    assert (await questions(driver), (await fee(driver))["text"]) == ([], "At most 0.5 USDC")
    await approve(driver)
    assert await questions(driver) == [SIGN]


@pytest.mark.parametrize("work", ["work_out_fee", "find_fee_options"])
async def test_a_fee_whose_question_died_with_its_process_is_asked_by_the_one_that_has_the_page(
    driver: Driver, world: World, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    if work == "find_fee_options":
        world.refusal = HttpRequestError(url="http://paymaster", details="refused")
    await pay(driver, world)
    world.refusal = None
    with monkeypatch.context() as dying:
        dying.setattr(approving_state, work, AsyncMock(side_effect=ZeroDivisionError))
        await left_behind(driver, choose(driver, USDC if work == "work_out_fee" else ""))
    await driver.reconnect(sessions={"eip155": logged_in()})
    assert (await fee(driver))["phase"] == "working"
    monkeypatch.setattr(approving_state, "PROCESS", "another")
    async with frame(driver):
        await driver.reconnect(sessions={"eip155": logged_in()})
    assert (await fee(driver))["phase"] == ("known" if work == "work_out_fee" else "")


async def test_a_fee_is_not_asked_for_twice_at_once(driver: Driver, world: World) -> None:
    await pay(driver, world)
    world.held_up = asyncio.Event()
    seen = (await driver.state(ApproveState)).seen
    choosing = asyncio.create_task(choose(driver, USDC))
    async with patience():
        while not world.asked:
            await asyncio.sleep(0)
    await driver.fire(ApproveState.price_fee(seen))
    world.held_up.set()
    await choosing
    assert len(world.asked) == 1


@pytest.mark.parametrize("token", [DAI, "0x", None, {}])
async def test_what_is_not_offered_cannot_be_chosen(driver: Driver, world: World, token: Any) -> None:
    await pay(driver, world)
    await choose(driver, token)
    assert ((await fee(driver))["token"], world.asked) == ("", [])


@pytest.mark.parametrize(
    "changes",
    [
        {"held": {}},
        {"accepted": ()},
        {"kind": "eoa"},
    ],
    ids=["nothing held", "nothing taken", "an ordinary account"],
)
async def test_without_a_choice_the_frame_is_asked_at_once(
    driver: Driver, world: World, changes: dict[str, Any]
) -> None:
    for name, value in changes.items():
        setattr(world, name, value)
    await pay(driver, world)
    assert (await questions(driver), await fee(driver)) == ([BATCH], {})


async def test_where_nobody_can_say_what_the_fee_is_paid_in_the_visitor_asks_again(
    driver: Driver, world: World
) -> None:
    world.refusal = HttpRequestError(url="http://paymaster", details="refused")
    await pay(driver, world)
    found = await fee(driver)
    assert (found["phase"], found["text"], [row["symbol"] for row in found["rows"]]) == ("failed", UNKNOWN, ["ETH"])
    async with frame(driver):
        await choose(driver, "")
        assert (await fee(driver))["phase"] == "failed"
        world.refusal = None
        await choose(driver, "")
    assert [row["symbol"] for row in (await fee(driver))["rows"]] == ["ETH", "USDC"]
    await choose(driver, USDC)
    await approve(driver)
    assert await questions(driver) == [SIGN]


async def test_who_does_not_ask_again_pays_with_the_coin(driver: Driver, world: World) -> None:
    world.refusal = HttpRequestError(url="http://paymaster", details="refused")
    await pay(driver, world)
    await approve(driver)
    assert await questions(driver) == [BATCH]


async def test_paymasters_that_never_answer_leave_the_coin(driver: Driver, world: World, deployed: Deployment) -> None:
    deployed.clock = clock = MovableClock()
    world.quotes_held_up = asyncio.Event()
    paying = asyncio.create_task(pay(driver, world))
    async with patience():
        await clock.asleep()
        clock.advance(LIMIT)
        await paying
    assert (await fee(driver))["text"] == UNKNOWN


async def test_a_fee_that_nobody_works_out_in_time_may_be_asked_for_again(
    driver: Driver, world: World, deployed: Deployment
) -> None:
    await pay(driver, world)
    deployed.clock = clock = MovableClock()
    world.held_up = asyncio.Event()
    choosing = asyncio.create_task(choose(driver, USDC))
    async with patience():
        await clock.asleep()
        clock.advance(LIMIT)
        await choosing
    found = await fee(driver)
    assert (found["phase"], found["text"]) == ("failed", "The request took too long to respond.")


async def test_a_network_that_came_in_between_offers_nothing(driver: Driver, world: World) -> None:
    await pay(driver, world)
    await driver.tell(sessions={"eip155": logged_in(chain="137")})
    assert (await phase(driver), await fee(driver)) == ("ready", {})


async def test_the_host_hears_of_a_refusal(driver: Driver, world: World) -> None:
    await pay(driver, world)
    await choose(driver, USDC)
    await reject(driver)
    assert ((await driver.answer("request"))["error"]["code"], await questions(driver)) == (4001, [])


async def test_a_price_that_could_not_be_had_is_asked_for_again(driver: Driver, world: World) -> None:
    await pay(driver, world)
    world.refusal = PaymasterTermsError("x")
    await choose(driver, USDC)
    assert (await fee(driver))["phase"] == "failed"
    world.refusal = None
    await choose(driver, USDC)
    assert (await fee(driver))["phase"] == "known"


async def test_a_page_that_insists_on_its_paymaster_leaves_no_choice(driver: Driver, world: World) -> None:
    world.refusal = PaymasterTermsError("x")
    service = {"paymasterService": {"url": "https://paymaster.example/", "optional": False}}
    await pay(driver, world, capabilities=service)
    assert (await driver.answer("request"))["error"]["code"] == PaymasterTermsError.default_code
