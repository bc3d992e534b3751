"""Whoever speaks to the states directly, with whatever they like, is never signed in."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from tests.driver import ADDRESS, Driver
from tests.features.test_forged_events import FRAMEWORK, HOSTILE
from tests.features.test_sign_in import HOLDER, REQUIRED, arrive, held, question, sign, signature
from walletmodal.db.sign_ins import holder_key
from walletmodal.deployment import Deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.signin.listing import SignInsState
from walletmodal.features.signin.state import SignInState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)

DOORS = [
    pytest.param(cls, name, id=f"{cls.__name__}.{name}")
    for cls in (SignInState, SignInsState, BridgeState)
    for name in sorted(set(cls.event_handlers) - FRAMEWORK)
]
MADE_UP: dict[str, Any] = {
    "a session": {"token": "x", "address": f"eip155:1:{ADDRESS}", "chainId": "eip155:1"},
    "a holder": {"asked": "", "ticket": HOLDER, "holder": HOLDER},
    "a sign-in": {"id": "call", "method": "signIn", "params": {"session": "x", "holder": HOLDER}},
    "the account": f"eip155:1:{ADDRESS}",
}


async def facts(driver: Driver) -> tuple[str, str]:
    """Which browser it is, and whether it is signed in."""
    state = await driver.state(SignInState)
    return state._holder, state._session


@pytest.mark.parametrize(("cls", "name"), DOORS)
async def test_no_forged_event_signs_in(driver: Driver, deployed: Deployment, cls: type[Any], name: str) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    parameters = list(inspect.signature(cls.event_handlers[name].fn).parameters)[1:]
    for value in {**HOSTILE, **MADE_UP}.values() if parameters else [None]:
        assert await driver.forge(f"{cls.get_full_name()}.{name}", dict.fromkeys(parameters, value)) == []
    assert (await facts(driver), await held(deployed)) == ((HOLDER, ""), [])


@pytest.mark.parametrize(("cls", "name"), DOORS)
async def test_no_forged_event_takes_over_what_somebody_else_has(
    driver: Driver, deployed: Deployment, cls: type[Any], name: str
) -> None:
    await arrive(driver)
    await sign(driver)
    ours = await held(deployed)
    other = Driver(driver.manager, token="somebody else")
    async with other.processor:
        await other.connect(options=REQUIRED)
        asked = (await other.state(SignInState)).identify
        parameters = list(inspect.signature(cls.event_handlers[name].fn).parameters)[1:]
        guesses = [ours[0].id, HOLDER, {"asked": asked, "ticket": HOLDER}, {"asked": asked, "ticket": ours[0].id}]
        for value in guesses:
            await other.forge(f"{cls.get_full_name()}.{name}", dict.fromkeys(parameters, value))
        assert await facts(other) == ("", "")
    assert await held(deployed) == ours


REPLIES: dict[str, Callable[[str], object]] = {
    "true": lambda _sig: True,
    "the address": lambda _sig: ADDRESS,
    "an object with it": lambda sig: {"signature": [sig]},
    "a list with it": lambda sig: [sig],
    "its half": lambda sig: sig[:66],
    "it twice": lambda sig: sig + sig[2:],
    "another letter": lambda sig: sig[:10] + ("0" if sig[10] != "0" else "1") + sig[11:],
    "malleated": lambda sig: sig[:-2] + ("1b" if sig.endswith("1c") else "1c"),
}


@pytest.mark.parametrize("name", REPLIES)
async def test_a_reply_to_the_real_question_that_is_no_signature_signs_nobody_in(
    driver: Driver, deployed: Deployment, name: str
) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    asked = await question(driver)
    await driver.reply(asked, value=REPLIES[name](signature(asked)))
    assert (await facts(driver), await held(deployed)) == ((HOLDER, ""), [])


async def test_a_signature_of_another_browsers_question_counts_for_nobody(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    theirs = signature(await question(driver))
    other = Driver(driver.manager, token="somebody else")
    async with other.processor:
        await other.connect(options=REQUIRED)
        asked = (await other.state(SignInState)).identify
        ticket = await deployed.tickets.issue(holder_key("theirs"))
        await other.fire(SignInState.redeem({"asked": asked, "ticket": ticket}))
        await other.fire(SignInState.check_session)
        await other.fire(SignInState.sign)
        await other.reply(await question(other), value=theirs)
        assert (await facts(other))[1] == ""
    assert await held(deployed, holder_key("theirs")) == []


async def test_a_ticket_shown_twice_tells_the_second_nothing(driver: Driver, deployed: Deployment) -> None:
    await driver.connect(options=REQUIRED)
    asked, ticket = (await driver.state(SignInState)).identify, await deployed.tickets.issue(HOLDER)
    await deployed.tickets.redeem(ticket)
    await driver.fire(SignInState.redeem({"asked": asked, "ticket": ticket}))
    assert await facts(driver) == ("", "")


async def test_signing_out_of_somebody_elses_session_is_not_possible(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await sign(driver)
    (ours,) = await held(deployed)
    await driver.reload(options=REQUIRED)
    await driver.fire(SignInsState.end(ours.id))
    assert await held(deployed) == [ours]
