"""Sending while the database fails: what is not on record is not asked, and the visitor hears why."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.send_stage import (
    Stage,
    asked,
    at_review,
    confirm,
    world,
)
from tests.patience import patience
from tests.silent_server import silent
from walletmodal.core.errors.flow import NotRecordedError
from walletmodal.core.text.texts import NOT_RECORDED
from walletmodal.db.engine import open_engine
from walletmodal.db.requests import RequestStore
from walletmodal.deployment import Deployment
from walletmodal.features.send.review import ReviewState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


async def _no_database(*_: Any) -> None:
    raise NotRecordedError


async def test_what_cannot_be_put_on_record_is_not_asked(
    driver: Driver, stage: Stage, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_review(driver)
    monkeypatch.setattr(type(deployed.requests), "ask", _no_database)
    await confirm(driver)
    shown = await driver.state(ReviewState)
    assert (await asked(driver), shown.phase, shown.error) == ([], "ready", NOT_RECORDED)


async def test_a_database_that_hangs_holds_no_visitor_up(driver: Driver, stage: Stage, deployed: Deployment) -> None:
    await at_review(driver)
    works = deployed.requests
    async with patience(), silent() as place:
        engine = open_engine(f"postgresql://somebody@{place}/nothing", work_seconds=0.2)
        deployed.requests = RequestStore(engine)
        await confirm(driver)
        shown = await driver.state(ReviewState)
        assert (await asked(driver), shown.phase, shown.error) == ([], "ready", NOT_RECORDED)
        await engine.dispose()
    deployed.requests = works
    await confirm(driver)
    assert len(await asked(driver)) == 1
