"""Calls of the embedded wallet's owner that somebody else may pay for: what becomes of them while they are worked out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from tests.driver import OTHER, Driver
from tests.features.embedded_stage import connected, logged_in, secure_site
from tests.features.sponsored_stage import frame
from tests.patience import PATIENCE, patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import RequestTimeoutError
from walletmodal.core.errors.codes import CHAIN_DISCONNECTED, LIMIT_EXCEEDED, UNKNOWN_BUNDLE
from walletmodal.core.errors.operations import PaymasterRefusedError
from walletmodal.deployment import Deployment
from walletmodal.features.requests import operations
from walletmodal.features.requests.operations import OperationsState
from walletmodal.features.requests.state import MAX_ASKED
from walletmodal.services import session_size
from walletmodal.services.session_size import register_session_sizes
from walletmodal.services.smart_accounts.time_limit import LIMIT

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["redis"], indirect=True)]

SPONSOR = {"paymasterService": {"url": "https://paymaster.example/", "optional": True}}
CALLS = {"version": "1.0", "calls": [{"to": OTHER, "value": "0x1"}], "capabilities": SPONSOR}


class Slow:
    """Paymasters that take their time, and then pay for nothing; `UserOperations` has tests of its own, on a real bundler."""

    bundler_networks = frozenset({"eip155:1", "eip155:137"})
    paymaster_networks = frozenset[str]()

    def __init__(self) -> None:
        self.asked, self.answers = 0, asyncio.Event()
        self.operations = self

    def gas_tokens(self, _chain: object) -> tuple[str, ...]:
        return ()

    def host_payer(self, *_given: object) -> None:
        """It is asked whoever it is."""

    async def prepare(self, _request: object) -> None:
        self.asked += 1
        await self.answers.wait()
        raise PaymasterRefusedError("not for you")


@pytest_asyncio.fixture
async def slow(driver: Driver, deployed: Deployment) -> AsyncIterator[Slow]:
    """Paymasters that take their time, for the owner of a smart account."""
    before = deployed.smart_accounts
    deployed.smart_accounts = slow = Slow()  # type: ignore[assignment]  # a double that is slow
    async with frame(driver):
        yield slow
    slow.answers.set()
    deployed.smart_accounts = before


async def begun(driver: Driver, slow: Slow, number: int = 0, **fields: Any) -> asyncio.Task[None]:
    """The host asks, and somebody is asked to pay."""
    wanted = slow.asked + 1
    asking = asyncio.create_task(driver.request("wallet_sendCalls", [{**CALLS, **fields}], call_id=f"call-{number}"))
    async with patience():
        while slow.asked < wanted:
            await asyncio.sleep(0)
    return asking


async def told(driver: Driver, call: str = "call-0") -> int:
    """With which error the host was answered."""
    return int((await driver.answer(call))["error"]["code"])


async def test_calls_that_nobody_pays_for_their_owner_pays(driver: Driver, slow: Slow) -> None:
    await connected(driver)
    slow.answers.set()
    await driver.request("wallet_sendCalls", [CALLS])
    (command,) = await driver.commands("wallet.request")
    assert (command["params"]["method"], command["params"]["chain"]) == ("wallet_sendCalls", "eip155:1")


async def test_who_would_pay_and_never_answers_leaves_the_fee_to_the_owner(
    driver: Driver, slow: Slow, deployed: Deployment
) -> None:
    await connected(driver)
    deployed.clock = clock = MovableClock()
    asking = await begun(driver, slow)
    async with patience():
        await clock.asleep()
        clock.advance(LIMIT)
        await asking
    (command,) = await driver.commands("wallet.request")
    lines = command["params"]["hint"]["lines"]
    assert (command["params"]["method"], lines) == ("wallet_sendCalls", ["The request took too long to respond."])


async def test_calls_are_not_made_on_a_network_that_came_in_between(driver: Driver, slow: Slow) -> None:
    await connected(driver)
    asking = await begun(driver, slow)
    await driver.tell(sessions={"eip155": logged_in(chain="137")})
    slow.answers.set()
    await asking
    assert (await driver.commands("wallet.request"), await told(driver)) == ([], CHAIN_DISCONNECTED)


async def test_the_policy_sees_the_network_that_calls_are_worked_out_for(
    driver: Driver, slow: Slow, decides: Callable[[str], None]
) -> None:
    decides('return Deny("not there") if request.chain.reference == "137" else Allow()')
    await connected(driver)
    # The network has changed since the policy was asked, and before anything was worked out.
    await driver.tell(sessions={"eip155": logged_in(chain="137")})
    async with driver.changing(OperationsState) as own:
        asked = {"namespace": "eip155", "method": "wallet_sendCalls", "params": [CALLS]}
        own._preparing = {"call-0": {"asked": asked, "reason": "", "worker": ""}}
    slow.answers.set()
    await driver.fire(OperationsState.prepare("call-0"))
    assert (slow.asked, (await driver.answer("call-0"))["ok"]) == (0, False)


@pytest.mark.parametrize("worker", ["one that is gone", ""])
async def test_what_a_worker_has_left_behind_is_gone_on_with(driver: Driver, slow: Slow, worker: str) -> None:
    await connected(driver)
    slow.answers.set()
    async with driver.changing(OperationsState) as own:
        request = {"namespace": "eip155", "method": "wallet_sendCalls", "params": [CALLS]}
        own._preparing = {"call-0": {"asked": request, "reason": "", "worker": worker}}
    await driver.tell(sessions={"eip155": logged_in()})
    assert (slow.asked, len(await driver.commands("wallet.request"))) == (1, 1)


async def test_a_page_has_no_more_worked_out_at_once_than_may_wait(driver: Driver, slow: Slow) -> None:
    await connected(driver)
    asking = [await begun(driver, slow, number) for number in range(MAX_ASKED)]
    await driver.request("wallet_sendCalls", [CALLS], call_id="one-more")
    assert (slow.asked, await told(driver, "one-more")) == (MAX_ASKED, LIMIT_EXCEEDED)
    slow.answers.set()
    await asyncio.gather(*asking)


async def test_a_client_has_nothing_worked_out_twice(driver: Driver, slow: Slow) -> None:
    await connected(driver)
    asking = await begun(driver, slow)
    again = asyncio.create_task(driver.fire(OperationsState.prepare("call-0")))
    # What is fired later has run by then; the second one would still wait for the paymaster.
    done, _ = await asyncio.wait([again], timeout=PATIENCE)
    asked = slow.asked
    slow.answers.set()
    await asyncio.gather(asking, again)
    assert (len(done), asked) == (1, 1)


async def test_what_is_worked_out_counts_for_the_session(
    driver: Driver, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: dict[str, int] = {}
    monkeypatch.setattr(session_size, "_listeners", [])
    register_session_sizes(sizes.__setitem__)
    await connected(driver)
    data = "0x" + "00" * 50_000
    asking = await begun(driver, slow, calls=[{"to": OTHER, "data": data}])
    assert sizes[driver.token] >= len(data)
    slow.answers.set()
    await asking


async def test_a_page_has_no_more_questions_at_once_than_may_wait(
    driver: Driver, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(_known: object, _bundle: str) -> dict[str, Any]:
        await slow.answers.wait()
        return {"status": 100}

    monkeypatch.setattr(operations, "operation_status", look)
    await connected(driver)
    asking = [
        asyncio.create_task(driver.request("wallet_getCallsStatus", ["0x1"], call_id=f"call-{number}"))
        for number in range(MAX_ASKED)
    ]
    async with patience():
        while len((await driver.state(OperationsState))._kept()) < MAX_ASKED:
            await asyncio.sleep(0)
    await driver.request("wallet_getCallsStatus", ["0x1"], call_id="one-more")
    assert await told(driver, "one-more") == LIMIT_EXCEEDED
    slow.answers.set()
    await asyncio.gather(*asking)
    assert (await driver.answer("call-0"))["value"] == {"status": 100}


@pytest.mark.usefixtures("slow")
async def test_calls_that_are_no_operation_the_frame_is_asked_about(driver: Driver) -> None:
    await connected(driver)
    await driver.request("wallet_getCallsStatus", ["0x1"], call_id="call-0")
    (command,) = await driver.commands("wallet.request")
    asked = command["params"]
    assert (asked["method"], asked["params"], asked["chain"]) == ("wallet_getCallsStatus", ["0x1"], "eip155:1")


@pytest.mark.parametrize("failure", [RequestTimeoutError(url="https://node.example"), OSError("no file")])
async def test_calls_that_cannot_be_looked_for_now_are_not_called_unknown(
    driver: Driver, slow: Slow, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    async def look(_known: object, _bundle: str) -> None:
        raise failure

    monkeypatch.setattr(operations, "operation_status", look)
    await connected(driver)
    await driver.request("wallet_getCallsStatus", ["0x1"], call_id="call-0")
    assert (await told(driver) != UNKNOWN_BUNDLE, await driver.commands("wallet.request")) == (True, [])
