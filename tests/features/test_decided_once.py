"""An event whose states Redis did not take is done again: the audit has what it has decided once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.approving import all_confirmed as all_confirmed
from tests.features.approving import approve, reject, sign
from tests.features.approving import waiting as waiting
from tests.features.test_request_policy import audit
from walletmodal.deployment import Deployment

pytestmark = pytest.mark.parametrize("manager", ["redis"], indirect=True)


@asynccontextmanager
async def not_written(driver: Driver) -> AsyncIterator[None]:
    """Redis has afterwards what it had before."""
    redis = driver.redis
    before = {key: await redis.dump(key) for key in await redis.keys(f"{driver.token}_*")}
    yield
    await redis.unlink(*await redis.keys(f"{driver.token}_*"))
    for key, value in before.items():
        await redis.restore(key, 0, value)


async def decided(deployed: Deployment) -> list[str]:
    return [entry.outcome for entry in await audit(deployed)]


async def test_a_request_that_is_allowed(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    async with not_written(driver):
        await sign(driver)
    await sign(driver)
    assert await decided(deployed) == ["allowed"]


async def test_an_approval(waiting: Driver, deployed: Deployment) -> None:
    async with not_written(waiting):
        await approve(waiting)
    await approve(waiting)
    assert await decided(deployed) == ["confirmed"]


async def test_a_rejection(waiting: Driver, deployed: Deployment) -> None:
    async with not_written(waiting):
        await reject(waiting)
    await reject(waiting)
    assert await decided(deployed) == ["rejected"]


async def test_a_wallets_answer(waiting: Driver, deployed: Deployment) -> None:
    await approve(waiting)
    (command,) = await waiting.commands("wallet.request")
    async with not_written(waiting):
        await waiting.reply(command, value="0x00")
    await waiting.reply(command, value="0x00")
    assert await decided(deployed) == ["confirmed", "signed"]


async def test_what_a_page_asks_for_again_has_a_row_of_its_own(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    for _ in range(2):
        await sign(driver)
        for command in await driver.commands("wallet.request"):
            await driver.reply(command, value="0x00")
    assert await decided(deployed) == ["allowed", "signed", "allowed", "signed"]


async def test_a_request_that_comes_in_the_place_of_one_that_was_not_written_has_a_row_of_its_own(
    driver: Driver, deployed: Deployment
) -> None:
    await driver.connect()
    async with not_written(driver):
        await driver.request("personal_sign", ["0x01", ADDRESS], call_id="first")
    await driver.request("personal_sign", ["0x02", ADDRESS], call_id="second")
    assert await decided(deployed) == ["allowed", "allowed"]


async def send(driver: Driver, call: str = "request", *, value: str = "0x1") -> None:
    await driver.request("eth_sendTransaction", [{"from": ADDRESS, "to": OTHER, "value": value}], call_id=call)


async def recorded(deployed: Deployment) -> list[str]:
    found = await deployed.requests.changed_since(datetime.fromtimestamp(0, UTC))
    return [one.status for one in found]


async def test_a_transaction_is_on_record_once(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    async with not_written(driver):
        await send(driver)
    await send(driver)
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, value="0x" + "ab" * 32)
    assert await recorded(deployed) == ["sent"]


async def test_a_transaction_that_was_sent_is_not_the_next_one_also_where_redis_has_lost_it(
    driver: Driver, deployed: Deployment
) -> None:
    await driver.connect()
    async with not_written(driver):
        await send(driver)
        (command,) = await driver.commands("wallet.request")
        await driver.reply(command, value="0x" + "ab" * 32)
    await send(driver)
    assert ((await driver.answer("request"))["error"]["code"], await recorded(deployed)) == (-32603, ["sent"])
    await send(driver, "again")
    assert await recorded(deployed) == ["sent", "asked"]


async def test_another_transaction_in_the_place_of_one_that_was_not_written_is_on_record_itself(
    driver: Driver, deployed: Deployment
) -> None:
    await driver.connect()
    async with not_written(driver):
        await send(driver)
    await send(driver, value="0x2")
    assert await recorded(deployed) == ["asked", "asked"]
