"""What nodes say of a batch whose network fee may be paid in a token: simulated once, and shown wherever it is decided about."""

from __future__ import annotations

import asyncio

from tests.driver import ADDRESS, Driver
from tests.features.approving import approve
from tests.features.token_fees_stage import (
    BATCH,
    COIN,
    ON_STAGE,
    World,
    deployment_with,
    fee,
    pay,
    questions,
    secure_site,
    world,
)
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Moved, Simulation
from walletmodal.deployment import Deployment
from walletmodal.features.approve.showing import FRESH_SECONDS
from walletmodal.features.approve.state import ApproveState

__all__ = ["deployment_with", "secure_site", "world"]

pytestmark = ON_STAGE

FAILING = Simulation(ran=True, failure="Call 2 of 2: The contract refuses it: paused.")


async def test_the_same_calls_are_simulated_once(driver: Driver, world: World) -> None:
    world.simulation = Simulation(ran=True, leaves=(Moved(None, COIN),), gas=50_000)
    await pay(driver, world)
    assert (world.runs, (await driver.state(ApproveState)).get_value("trial")["leaves"]) == (1, ["1 ETH"])


async def test_calls_that_were_simulated_long_ago_are_simulated_again(
    driver: Driver, world: World, deployed: Deployment
) -> None:
    deployed.clock = clock = MovableClock()
    await pay(driver, world)
    clock.advance(FRESH_SECONDS + 1)
    await driver.fire(ApproveState.show_all((await driver.state(ApproveState)).seen))
    assert world.runs == 2


async def test_what_the_calls_do_stands_beside_the_frame(driver: Driver, world: World) -> None:
    world.held, world.simulation = {}, Simulation(ran=True, leaves=(Moved(None, COIN),), gas=50_000)
    await pay(driver, world)
    own = await driver.state(ApproveState)
    assert (own.phase, own.get_value("trial")["leaves"]) == ("idle", ["1 ETH"])
    [command] = await driver.commands("wallet.request")
    await driver.reply(command, code=4001, message="no")
    await driver.request("personal_sign", ["0x00", ADDRESS], call_id="next")
    assert (await driver.state(ApproveState)).get_value("trial")["state"] == "none"


async def test_what_could_not_be_simulated_is_tried_again_beside_the_frame(driver: Driver, world: World) -> None:
    world.held, world.simulation = {}, NOT_SIMULATED
    await pay(driver, world)
    assert (await driver.state(ApproveState)).get_value("trial")["state"] == "unknown"
    world.simulation = Simulation(ran=True, leaves=(Moved(None, COIN),))
    await driver.fire(ApproveState.run_trial)
    assert (await driver.state(ApproveState)).get_value("trial")["leaves"] == ["1 ETH"]


async def test_a_price_waits_for_no_simulation(driver: Driver, world: World) -> None:
    world.coins, world.trial_end = 10**14, asyncio.Event()
    paying = asyncio.create_task(pay(driver, world))
    async with patience():
        while (await fee(driver)).get("phase") != "known":
            await asyncio.sleep(0)
    world.trial_end.set()
    await paying


async def test_a_call_that_would_fail_is_named_before_the_frame_is_asked(driver: Driver, world: World) -> None:
    world.held, world.simulation = {}, FAILING
    await pay(driver, world)
    own = await driver.state(ApproveState)
    assert (own.phase, own.get_value("trial")["failure"]) == ("ready", FAILING.failure)
    assert await questions(driver) == []
    await approve(driver)
    assert await questions(driver) == [BATCH]
