"""Signing in over a reload, a lost session and a process that died."""

from __future__ import annotations

import asyncio
import json

from tests.driver import ADDRESS, Driver, session
from tests.features.returning import returns
from tests.features.test_sign_in import (
    REQUIRED,
    arrive,
    held,
    identify,
    in_memory,
    question,
    sign,
    signature,
    view,
)
from tests.patience import patience
from walletmodal.core.protocol.messages import Reply
from walletmodal.db.sign_ins import holder_key
from walletmodal.deployment import Deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.signin.state import SignInState, Unproven
from walletmodal.features.signin.wallet_requests import Signed

pytestmark = in_memory


async def sees_question(driver: Driver) -> None:
    """Waits for the question: with a second visitor in the test, background work is not the driver's to wait for."""
    async with patience():
        while await view(driver) != "SIWXSignMessage":
            await asyncio.sleep(0.005)


async def test_after_a_reload_the_browser_is_still_signed_in(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.reload(options=REQUIRED, sessions={"eip155": session()})
    await identify(driver)
    await driver.call("getSession")
    assert (await driver.answer("call-getSession"))["value"]["address"] == f"eip155:1:{ADDRESS}"
    assert await view(driver) == ""


async def test_a_lost_session_takes_the_wallets_answer_once_it_knows_its_browser(
    driver: Driver, heir: Driver, deployed: Deployment
) -> None:
    await arrive(driver)
    await sees_question(driver)
    await driver.fire(SignInState.sign)
    asked = await question(driver)
    await returns(heir, driver, options=REQUIRED, sessions={"eip155": session()})
    assert (await heir.state(SignInState)).phase == "signing"
    await identify(heir)
    await heir.reply(asked, value=signature(asked))
    async with patience():
        while not await held(deployed):
            await asyncio.sleep(0.005)


async def test_an_answer_that_comes_before_the_browser_is_known_is_asked_for_again(
    driver: Driver, heir: Driver
) -> None:
    await arrive(driver)
    await sees_question(driver)
    await driver.fire(SignInState.sign)
    asked = await question(driver)
    await returns(heir, driver, options=REQUIRED, sessions={"eip155": session()})
    state = await heir.state(BridgeState)
    reply = Reply(id=asked["id"], epoch=heir.epoch, ok=True, value=signature(asked), error=None)
    assert await state._save_reply(reply) is False


async def test_what_a_lost_session_gets_back_signs_nobody_in(driver: Driver, heir: Driver) -> None:
    await arrive(driver)
    await sees_question(driver)
    await sign(driver)
    await driver.call("open")
    await returns(heir, driver, options=REQUIRED, sessions={"eip155": session()})
    await identify(heir, holder_key("another browser"))
    await heir.call("getSession")
    assert (await heir.answer("call-getSession"))["value"] is None


async def test_a_token_is_in_no_record_and_a_lost_session_makes_it_anew(
    driver: Driver, heir: Driver, deployed: Deployment
) -> None:
    await arrive(driver)
    await sees_question(driver)
    await sign(driver)
    async with patience():
        while not await held(deployed) or (await driver.state(SignInState))._session == "":
            await asyncio.sleep(0.005)
    await driver.call("open")
    await driver.call("getSession")
    token = (await driver.answer("call-getSession"))["value"]["token"]
    record = await deployed.resume.load((await driver.state(ResumeState)).resume_id)
    assert record is not None
    assert token not in json.dumps(record)
    await returns(heir, driver, options=REQUIRED, sessions={"eip155": session()})
    assert await heir.settled("call-getSession") is None
    await identify(heir)
    assert (await heir.answer("call-getSession"))["value"]["address"] == f"eip155:1:{ADDRESS}"


async def test_a_proof_that_died_with_its_process_is_made_again(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    asked = await question(driver)
    nonce = next(iter((await driver.state(BridgeState))._records.values()))["context"]["nonce"]
    async with driver.changing(SignInState) as state:
        state._command = ""
        state._unproven = Unproven(f"eip155:1:{ADDRESS}", nonce, Signed(signature(asked)))
        state._prover = "a process that died"
    await driver.tell(sessions={"eip155": session()}, marks=["isMetaMask"])
    assert len(await held(deployed)) == 1
