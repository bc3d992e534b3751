"""What a visitor was asked to confirm survives a frame that reloads and a session that is lost."""

from __future__ import annotations

import pytest

from tests.driver import Driver, session
from tests.features.approving import all_confirmed as all_confirmed
from tests.features.approving import approve, asked, phase, place, refusal, shown, sign, view
from tests.features.approving import waiting as waiting
from walletmodal.features.resume.state import ResumeState

pytestmark = pytest.mark.usefixtures("all_confirmed")


async def test_a_frame_that_reloads_still_asks(waiting: Driver) -> None:
    await waiting.reload_frame(sessions={"eip155": session()})
    await sign(waiting)
    assert (await view(waiting), await place(waiting), await phase(waiting)) == (
        (True, "ApproveTransaction"),
        (1, 1),
        "ready",
    )


async def test_a_page_that_reloads_waits_for_nothing(waiting: Driver) -> None:
    await waiting.reload(sessions={"eip155": session()})
    assert (await phase(waiting), (await view(waiting))[0]) == ("idle", False)


async def come_back(lost: Driver, heir: Driver) -> None:
    await heir.hydrate((await lost.state(ResumeState)).resume_id)
    await heir.load(sessions={"eip155": session()})


async def test_a_lost_session_asks_again(waiting: Driver, heir: Driver) -> None:
    await come_back(waiting, heir)
    assert (await view(heir), await phase(heir), (await shown(heir))["text"]) == (
        (True, "ApproveTransaction"),
        "ready",
        "Hello",
    )


async def test_a_lost_session_still_carries_out_what_is_approved(waiting: Driver, heir: Driver) -> None:
    await come_back(waiting, heir)
    await approve(heir)
    assert await asked(heir) == ["request"]


async def test_a_lost_session_still_waits_for_the_wallet(waiting: Driver, heir: Driver) -> None:
    await approve(waiting)
    await come_back(waiting, heir)
    assert (await phase(heir), await asked(heir)) == ("asking", ["request"])


async def test_what_is_too_large_to_be_kept_is_aborted_with_the_session(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await sign(driver, "x" * 40_000)
    await come_back(driver, heir)
    assert (await refusal(heir), await phase(heir)) == ((4001, "Request was aborted"), "idle")
