"""Ids that a page gives its calls (EIP-5792), where those go as a user operation: by them it asks for the calls, and no two have the same."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.embedded_stage import connected
from tests.features.sponsored_stage import Preparing, asked_to_sign, frame, paid, preparing, secure_site, signature
from tests.features.test_operations import returns
from tests.patience import patience
from walletmodal.core.errors.codes import DUPLICATE_ID, INVALID_PARAMS
from walletmodal.core.errors.operations import SponsorshipError
from walletmodal.core.requests.answers import MAX_BUNDLE_ID
from walletmodal.deployment import Deployment
from walletmodal.features.requests.calls_status import CallsStatusState
from walletmodal.features.transactions.state import PendingState

__all__ = ["paid", "preparing", "secure_site"]

pytestmark = [
    pytest.mark.usefixtures("paid", "preparing"),
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
]

CALLS = [{"to": OTHER, "value": "0x1"}, {"to": OTHER, "data": "0x1234"}]


async def ask(driver: Driver, call: str = "request", calls_id: Any = "order-7") -> None:
    """The page has calls made under an id."""
    async with frame(driver):
        await driver.request("wallet_sendCalls", [{"version": "2.0.0", "calls": CALLS, "id": calls_id}], call_id=call)


async def made(driver: Driver, calls_id: str = "order-7") -> None:
    """The page has calls made, and their owner has signed."""
    await connected(driver)
    async with frame(driver):
        await ask(driver, calls_id=calls_id)
        command = await asked_to_sign(driver)
    await driver.reply(command, value=signature(command["params"]))


async def refused(driver: Driver, call: str) -> int:
    """The code with which calls were refused."""
    return int((await driver.answer(call))["error"]["code"])


async def status(driver: Driver, calls_id: str = "order-7") -> dict[str, Any]:
    """What the page is told of its calls."""
    await driver.request("wallet_getCallsStatus", [calls_id], call_id="status")
    found: dict[str, Any] = (await driver.answer("status"))["value"]
    return found


@pytest.mark.parametrize("calls_id", ["order-7", "0x" + "ab" * (MAX_BUNDLE_ID // 2 - 1)], ids=["short", "longest"])
async def test_a_page_asks_for_its_calls_by_the_id_that_it_has_given_them(driver: Driver, calls_id: str) -> None:
    await made(driver, calls_id)
    told = (await driver.answer("request"))["value"]
    found = await status(driver, calls_id)
    assert (told, found["id"], found["status"]) == ({"id": calls_id}, calls_id, 100)


async def test_after_a_restart_the_id_is_still_known_and_still_taken(driver: Driver, heir: Driver) -> None:
    await made(driver)
    await returns(heir, driver)
    assert (await status(heir))["id"] == "order-7"
    await ask(heir, "second")
    assert await refused(heir, "second") == DUPLICATE_ID


async def test_of_two_tabs_that_sign_one_id_the_first_has_it(driver: Driver, heir: Driver) -> None:
    await connected(driver)
    await connected(heir)
    await heir.store(PendingState, "browser_id", (await driver.state(PendingState)).browser_id)
    asked = []
    for tab in (driver, heir):
        async with frame(tab):
            await ask(tab)
            asked.append((tab, await asked_to_sign(tab)))
    for tab, command in asked:
        await tab.reply(command, value=signature(command["params"]))
    assert (await driver.answer("request"))["value"] == {"id": "order-7"}
    assert await refused(heir, "request") == DUPLICATE_ID


async def test_the_visitor_sees_the_calls_by_the_pages_id(driver: Driver) -> None:
    await made(driver)
    await driver.request("wallet_showCallsStatus", ["order-7"], call_id="show")
    assert [row["number"] for row in (await driver.state(CallsStatusState)).get_value("batch")["calls"]] == [1, 2]


async def test_an_id_of_calls_that_wait_for_their_signature_is_taken(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await ask(driver)
    await ask(driver, "second")
    assert (await refused(driver, "second"), len(preparing.asked)) == (DUPLICATE_ID, 1)


async def test_an_id_of_calls_that_are_worked_out_is_taken(
    driver: Driver, preparing: Preparing, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, done = preparing.prepare, asyncio.Event()

    async def slowly(request: Any) -> Any:
        found = await prepare(request)
        await done.wait()
        return found

    monkeypatch.setattr(preparing, "prepare", slowly)
    await connected(driver)
    asking = asyncio.create_task(ask(driver))
    async with patience():
        while not preparing.asked:
            await asyncio.sleep(0)
    await ask(driver, "second")
    done.set()
    await asking
    assert (await refused(driver, "second"), len(preparing.asked)) == (DUPLICATE_ID, 1)


async def test_an_id_that_an_operation_has_is_refused_also_where_the_visitor_would_pay(
    driver: Driver, preparing: Preparing
) -> None:
    await made(driver)
    preparing.refusal = SponsorshipError("the limit of the day is reached")
    await ask(driver, "second")
    assert (await refused(driver, "second"), await driver.commands("wallet.request")) == (DUPLICATE_ID, [])


async def test_what_the_visitor_has_declined_has_taken_no_id(driver: Driver) -> None:
    await connected(driver)
    await ask(driver)
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, code=4001, message="User rejected the request")
    await ask(driver, "second")
    assert (await asked_to_sign(driver))["id"] != command["id"]


@pytest.mark.parametrize("calls_id", ["", "x" * (MAX_BUNDLE_ID + 1), "a\x00b", "\ud800"])
async def test_an_id_that_is_none_is_told_so(driver: Driver, preparing: Preparing, calls_id: Any) -> None:
    await connected(driver)
    await ask(driver, calls_id=calls_id)
    assert (await refused(driver, "request"), preparing.asked) == (INVALID_PARAMS, [])


async def test_nobody_asks_for_the_calls_of_another_page(driver: Driver, deployed: Deployment) -> None:
    await made(driver)
    assert await deployed.requests.of_bundle("stranger", "https://other.example", ADDRESS, "order-7") is None
