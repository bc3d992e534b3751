"""A contract account that changes its mind is signed out, at the latest when the host page wants a token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.test_sign_in import (
    OPTIONAL,
    REQUIRED,
    arrive,
    held,
    identify,
    in_memory,
    question,
    sign,
    view,
)
from tests.patience import eventually, patience
from tests.services.account_contract import NO, AccountContract
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import Deployment
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState, signed_in
from walletmodal.services.chains.registry import Chains
from walletmodal.services.sign_in import SignInProofs, SignInTokens
from walletmodal.services.sign_in.rechecks import PERIOD, SignInRechecks

pytestmark = in_memory


@pytest.fixture
def clock(deployed: Deployment) -> MovableClock:
    clock = MovableClock(deployed.clock.now())
    deployed.clock = deployed.sign_ins._clock = clock
    deployed.tokens_for_hosts = SignInTokens(deployed.signing_keys, deployed.settings.own_origin, clock=clock)
    return clock


@pytest_asyncio.fixture
async def contract(deployed: Deployment, clock: MovableClock) -> AsyncIterator[AccountContract]:
    """The account of these tests, as far as no key of it signs."""
    contract = AccountContract()
    deployed.proofs = SignInProofs(Chains(contract.transport), deployed.nonces, clock=clock)
    deployed.rechecks = SignInRechecks(deployed.proofs, deployed.sign_ins, clock=clock, answer_seconds=60.0)
    yield contract
    contract.speak()


async def sign_by_contract(driver: Driver) -> None:
    """The visitor signs, in the way of the account's contract."""
    await driver.fire(SignInState.sign)
    await driver.reply(await question(driver), value="0x01")
    assert await view(driver) == ""


@pytest_asyncio.fixture
async def long_ago(driver: Driver, contract: AccountContract, clock: MovableClock) -> Driver:
    """A visitor who has signed in by a contract, so long ago that it is asked again."""
    await arrive(driver)
    await sign_by_contract(driver)
    contract.asked = 0
    clock.advance(PERIOD.total_seconds())
    return driver


async def test_a_token_is_given_while_the_contract_says_yes(long_ago: Driver, contract: AccountContract) -> None:
    for call in ("one", "two"):
        await long_ago.call("getSession", call_id=call)
        assert (await long_ago.answer(call))["value"]["address"] == f"eip155:1:{ADDRESS}"
    assert (contract.asked, await view(long_ago)) == (2, "")


async def test_who_wants_a_token_of_a_contract_that_says_no_gets_none_and_the_visitor_is_asked_to_sign(
    long_ago: Driver, deployed: Deployment, contract: AccountContract
) -> None:
    contract.says = NO
    await long_ago.call("getSession")
    assert (await long_ago.answer("call-getSession"))["value"] is None
    assert (await held(deployed), await view(long_ago)) == ([], "SIWXSignMessage")


async def test_sign_in_of_the_host_leads_to_a_token_while_the_contract_says_yes(
    long_ago: Driver, contract: AccountContract
) -> None:
    await long_ago.call("signIn")
    assert (await long_ago.answer("call-signIn"))["value"]["address"] == f"eip155:1:{ADDRESS}"
    assert (contract.asked, await view(long_ago)) == (2, "")


async def test_sign_in_of_the_host_waits_for_the_visitor_once_the_contract_says_no(
    long_ago: Driver, contract: AccountContract, clock: MovableClock
) -> None:
    contract.says = NO
    await long_ago.call("signIn")
    assert (await long_ago.settled("call-signIn"), await view(long_ago)) == (None, "SIWXSignMessage")
    await sign(long_ago)
    assert (await long_ago.answer("call-signIn"))["value"]["address"] == f"eip155:1:{ADDRESS}"


async def test_a_page_that_loads_asks_the_contract(long_ago: Driver, contract: AccountContract) -> None:
    contract.says = NO
    await long_ago.reload(options=REQUIRED, sessions={"eip155": session()})
    await identify(long_ago)
    assert await view(long_ago) == "SIWXSignMessage"


async def test_while_no_node_can_be_asked_the_visitor_stays_signed_in(
    long_ago: Driver, contract: AccountContract
) -> None:
    contract.says, contract.away = NO, True
    await long_ago.call("getSession")
    assert (await long_ago.answer("call-getSession"))["value"]["address"] == f"eip155:1:{ADDRESS}"


async def test_the_visitors_state_is_free_while_the_chain_is_asked_and_all_calls_wait_for_its_answer(
    long_ago: Driver, contract: AccountContract
) -> None:
    contract.says = NO
    contract.fall_silent()
    first = asyncio.create_task(long_ago.call("getSession", call_id="first"))
    await eventually(lambda: contract.asked == 2)
    second = asyncio.create_task(long_ago.call("getSession", call_id="second"))
    async with patience(), long_ago.changing(EmbedState):
        pass
    assert [await long_ago.settled(call) for call in ("first", "second")] == [None, None]
    contract.speak()
    async with patience():
        await asyncio.gather(first, second)
    assert [(await long_ago.answer(call))["value"] for call in ("first", "second")] == [None, None]


async def test_who_signs_out_while_the_chain_is_asked_is_not_asked_to_sign_in(
    long_ago: Driver, contract: AccountContract
) -> None:
    contract.fall_silent()
    asking = asyncio.create_task(long_ago.call("getSession"))
    await eventually(lambda: contract.asked == 2)
    async with patience():
        await long_ago.call("signOut")
        contract.speak()
        await asking
    assert (await long_ago.answer("call-getSession"))["value"] is None
    assert await view(long_ago) == ""


async def test_an_account_with_a_key_gets_its_tokens_without_the_chain(
    driver: Driver, contract: AccountContract, clock: MovableClock
) -> None:
    await arrive(driver)
    await sign(driver)
    clock.advance(PERIOD.total_seconds())
    await driver.call("getSession")
    assert (await driver.answer("call-getSession"))["value"]["address"] == f"eip155:1:{ADDRESS}"
    assert contract.asked == 0


async def test_the_next_account_is_not_signed_in_by_the_sign_in_of_the_one_before(driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await sign(driver)
    await driver.tell(sessions={"eip155": session(OTHER)})
    await driver.fire(ShellState.close)
    assert not await signed_in(await driver.state(SignInState))
