"""An account that visitors have used is erased by the operator: from the database, from Redis, and from the sessions that go on."""

from __future__ import annotations

import sqlite3
from argparse import Namespace
from contextlib import closing

import pytest
from reflex.istate.manager import StateManager
from reflex.istate.manager.redis import StateManagerRedis

from tests.driver import ADDRESS, Driver
from tests.features.send_stage import HASH, Stage, at_review, confirm, settles, world
from walletmodal.db.tables import TABLES
from walletmodal.deployment import Deployment
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.operator.data import erase
from walletmodal.operator.printing import Printer

TEXT = ADDRESS.removeprefix("0x").lower()


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


def tables_with_it(deployed: Deployment) -> set[str]:
    """The tables in which the address is found, in whatever spelling."""
    file = deployed.settings.database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as database:
        return {name for name in TABLES if TEXT in repr(database.execute(f"SELECT * FROM {name}").fetchall()).lower()}


async def keys_with_it(manager: StateManager) -> list[bytes]:
    """What Redis holds of it; nothing where sessions live in memory."""
    kind: object = manager
    if not isinstance(kind, StateManagerRedis):
        return []
    return [key async for key in kind.redis.scan_iter() if TEXT.encode() in (await kind.redis.get(key) or b"").lower()]


async def erased(deployed: Deployment, redis_url: str | None) -> None:
    settings = deployed.settings.model_copy(update={"redis_url": redis_url})
    assert await erase(settings, Namespace(address=ADDRESS, yes=True), Printer(machine=True))


async def journey(driver: Driver, deployed: Deployment) -> None:
    """A visitor sends something, and a host page asks for a signature."""
    await at_review(driver)
    await confirm(driver)
    await driver.request("personal_sign", ["0x6869", ADDRESS])
    await flushed(driver, deployed)
    assert {"requests", "decisions", "resume"} <= tables_with_it(deployed)


async def flushed(driver: Driver, deployed: Deployment) -> None:
    await deployed.audit.flush()
    await deployed.resume.flush((await driver.state(ResumeState)).resume_id)


async def test_nothing_is_left_in_database_and_redis(
    driver: Driver, manager: StateManager, stage: Stage, deployed: Deployment, request: pytest.FixtureRequest
) -> None:
    await journey(driver, deployed)
    on_redis = isinstance(manager, StateManagerRedis)
    assert bool(await keys_with_it(manager)) == on_redis
    await erased(deployed, request.getfixturevalue("redis_url") if on_redis else None)
    assert tables_with_it(deployed) == set()
    assert await keys_with_it(manager) == []


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_a_session_that_goes_on_writes_nothing_back(driver: Driver, stage: Stage, deployed: Deployment) -> None:
    await journey(driver, deployed)
    await erased(deployed, None)
    await driver.fire(ShellState.push("Profile"))
    for command in await driver.commands("wallet.request"):
        # What is signed from now on is new.
        if command["params"]["method"] == "eth_sendTransaction":
            await driver.reply(command, value=HASH)
    await settles(driver)
    await flushed(driver, deployed)
    assert tables_with_it(deployed) == set()
