"""Calls that a page has made with the embedded wallet, shown to the visitor (EIP-5792 `wallet_showCallsStatus`)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.embedded_stage import connected, place, secure_site
from tests.patience import patience
from walletmodal.core.text.texts import PARTLY_MADE
from walletmodal.deployment import Deployment
from walletmodal.features.requests.calls_status import ASKED_NOW, NO_BATCH, VIEW, Batch, CallsStatusState
from walletmodal.features.transactions.state import PendingState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

SHOW, STATUS = "wallet_showCallsStatus", "wallet_getCallsStatus"
FIRST, SECOND = "0x" + "1a" * 32, "0x" + "2b" * 32
CALLS = [{"to": OTHER, "value": hex(10**17)}, {"to": OTHER, "data": "0x12345678"}, {"to": OTHER, "value": "0x1"}]
DONE, FAILED = {"status": "0x1", "transactionHash": FIRST}, {"status": "0x0", "transactionHash": SECOND}


async def made(driver: Driver, **status: Any) -> None:
    """The page has made calls, whose id is `order-7`; the frame tells how they stand then."""
    await connected(driver)
    batch = {"version": "2.0.0", "from": ADDRESS, "chainId": "0x1", "id": "order-7", "calls": CALLS}
    await driver.request("wallet_sendCalls", [{**batch, "atomicRequired": False}])
    (command,) = await driver.commands("wallet.request")
    replying = asyncio.create_task(driver.reply(command, value={"id": "order-7"}))
    await answered(driver, replying, value=status or {"status": 100})


async def answered(driver: Driver, asking: asyncio.Task[None], **reply: Any) -> None:
    """The frame is asked what became of them, and answers."""
    async with patience():
        while not (found := [c for c in await driver.commands("wallet.request") if c["params"]["method"] == STATUS]):
            await asyncio.sleep(0)
    await driver.reply(found[0], **reply)
    await asking


async def batch(driver: Driver) -> Batch:
    """What the view is about."""
    found: Batch = (await driver.state(CallsStatusState)).get_value("batch")
    return found


async def shown(driver: Driver, value: dict[str, Any] | None = None, **reply: Any) -> Batch:
    asking = asyncio.create_task(driver.request(SHOW, ["order-7"], call_id="show"))
    await answered(driver, asking, **(reply or {"value": value}))
    return await batch(driver)


async def test_the_visitor_sees_what_the_calls_do_and_how_they_stand(driver: Driver) -> None:
    await made(driver)
    found = await shown(driver, {"status": 200, "atomic": True, "receipts": [DONE]})
    assert await place(driver) == (True, VIEW)
    assert (found["label"], found["tone"], found["every"]) == ("Confirmed", "good", 0)
    texts = [f"Send 0.1 ETH. To: {OTHER}", f"Contract call. Contract: {OTHER}"]
    assert [row["text"] for row in found["calls"]][:2] == texts
    assert [row["hash"] for row in found["made"]] == [FIRST]
    assert (await driver.answer("show"))["ok"]


async def test_of_calls_in_order_each_has_its_outcome(driver: Driver) -> None:
    await made(driver)
    found = await shown(driver, {"status": 600, "atomic": False, "receipts": [DONE, FAILED]})
    assert found["label"] == PARTLY_MADE
    assert [row["outcome"] for row in found["calls"]] == ["Done", "Failed", "Not made"]


async def test_while_they_wait_the_view_looks_again(driver: Driver) -> None:
    await made(driver)
    found = await shown(driver, {"status": 100, "atomic": True})
    assert (found["label"], found["every"] > 0) == ("Waiting for the network", True)
    looking = asyncio.create_task(driver.fire(CallsStatusState.load))
    await answered(driver, looking, value={"status": 500, "atomic": True, "receipts": [FAILED]})
    found = await batch(driver)
    assert (found["label"], found["every"]) == ("Failed on the network", 0)


async def test_calls_that_nobody_knows_are_an_error_and_no_view(driver: Driver) -> None:
    await made(driver)
    found = await shown(driver, code=5730, message="No calls are known by this id")
    assert ((await driver.answer("show"))["error"]["code"], found.get("label")) == (5730, None)
    assert (await place(driver))[1] != VIEW


async def test_calls_of_which_some_were_not_made_are_on_record_as_such(driver: Driver, deployed: Deployment) -> None:
    await made(driver, status=600, atomic=False, receipts=[DONE, FAILED])
    (recorded,) = await deployed.requests.latest()
    assert (recorded.status, recorded.settled, recorded.reason) == ("reverted", True, PARTLY_MADE)
    (row,) = (await driver.state(PendingState)).get_value("rows")
    assert (row["title"], row["label"], row["tone"]) == ("Several calls", PARTLY_MADE, "bad")


async def test_who_is_being_asked_is_not_led_elsewhere(driver: Driver) -> None:
    await made(driver)
    await driver.request("personal_sign", ["0x01", ADDRESS], call_id="text")
    await driver.request(SHOW, ["order-7"], call_id="show")
    assert (await driver.answer("show"))["error"] == {"code": -32002, "message": ASKED_NOW}
    assert await place(driver) == (True, "ApproveTransaction")


async def test_another_wallet_shows_them_itself(driver: Driver) -> None:
    await driver.connect()
    await driver.request(SHOW, ["order-7"])
    (command,) = await driver.commands("wallet.request")
    assert command["params"]["method"] == SHOW


async def test_a_client_that_asks_for_a_view_that_no_host_has_asked_for_gets_none(driver: Driver) -> None:
    await made(driver)
    await driver.fire(CallsStatusState.show("show"))
    assert await batch(driver) == NO_BATCH


async def test_another_page_begins_without_calls(driver: Driver) -> None:
    await made(driver)
    await shown(driver, {"status": 200, "receipts": [DONE]})
    await driver.reload()
    assert await batch(driver) == NO_BATCH
