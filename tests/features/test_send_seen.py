"""A click that comes late: it counts for the preview that the visitor saw, and for no other that has taken its place meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from reflex.istate.manager import StateManager

from tests.driver import OTHER, Driver
from tests.features.send_stage import RECEIVER, Stage, asked, at_review, held, settles, world
from walletmodal.core.transfers.receiver_checks import Receiver
from walletmodal.deployment import Deployment
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.send.review import CHANGED, ReviewState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


@pytest_asyncio.fixture
async def heir(manager: StateManager, driver: Driver) -> AsyncIterator[Driver]:
    """The same tab after its session was lost."""
    after = Driver(manager, token="visitor-again")
    async with after.processor:
        yield after


async def replaced(driver: Driver) -> str:
    """The preview that the visitor saw, which another account of the wallet has replaced since."""
    seen = (await at_review(driver)).seen
    await driver.tell(sessions=held(OTHER))
    await settles(driver)
    assert (await driver.state(ReviewState)).phase == "ready"
    return seen


async def test_a_late_click_sends_nothing_that_was_not_seen(driver: Driver, stage: Stage) -> None:
    await driver.fire(ReviewState.confirm(await replaced(driver)))
    await settles(driver)
    assert (await asked(driver), (await driver.state(ReviewState)).notice) == ([], CHANGED)


async def test_the_preview_that_took_its_place_can_be_confirmed(driver: Driver, stage: Stage) -> None:
    await replaced(driver)
    await driver.fire(ReviewState.confirm((await driver.state(ReviewState)).seen))
    await settles(driver)
    assert [request["params"][0]["from"] for request in await asked(driver)] == [OTHER]


async def test_a_late_tick_accepts_no_warning_that_was_not_seen(driver: Driver, stage: Stage) -> None:
    stage.receiver = Receiver(RECEIVER, warnings=("burn",))
    await driver.fire(ReviewState.accept(True, await replaced(driver)))
    assert (await driver.state(ReviewState)).accepted is False


async def test_a_click_that_waited_for_the_socket_is_for_what_was_seen_before(
    driver: Driver, heir: Driver, stage: Stage
) -> None:
    """The browser keeps what was clicked while its worker was dead; the next one prepares everything afresh."""
    seen = (await at_review(driver)).seen
    heir.follow(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.load(sessions=held())
    await settles(heir)
    await heir.fire(ReviewState.confirm(seen))
    await settles(heir)
    assert ((await heir.state(ReviewState)).phase, await asked(heir)) == ("ready", [])


@pytest.mark.parametrize("forged", ["", None, 7, [], {"seen": 1}, "x" * 10_000])
async def test_what_names_no_preview_confirms_none(driver: Driver, stage: Stage, forged: object) -> None:
    await at_review(driver)
    await driver.forge(f"{ReviewState.get_full_name()}.confirm", {"seen": forged})
    await settles(driver)
    assert await asked(driver) == []
