"""What is done beside the calls: a mistake in it is told, and ends neither it nor the rest."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from prometheus_client import REGISTRY

from walletmodal.core.clock import MovableClock
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.secure.db.tables import Recurring
from walletmodal.secure.periodic import every_minute


def counted() -> float:
    return REGISTRY.get_sample_value("walletmodal_secure_background_failures_total") or 0


async def minutes(count: int, url: str, *works: Callable[[], Awaitable[None]]) -> None:
    """So many minutes of work."""
    clock, stopping, engine = MovableClock(), asyncio.Event(), open_engine(url)
    task = asyncio.ensure_future(every_minute(stopping, engine, Recurring, clock, *works))
    for _ in range(count - 1):
        await clock.asleep()
        clock.advance(60)
    await clock.asleep()
    stopping.set()
    await task
    await close_engine(engine)


async def test_a_mistake_is_told_and_counted_and_the_work_is_done_again(
    secure_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    begun, before = [], counted()

    async def mistaken() -> None:
        begun.append("mistaken")
        raise RuntimeError("a mistake")

    async def other() -> None:
        begun.append("other")

    await minutes(2, secure_url, mistaken, other)
    assert begun == ["mistaken", "other"] * 2
    assert (counted() - before, caplog.text.count("RuntimeError: a mistake")) == (2, 2)


async def test_a_database_that_cannot_do_it_is_no_mistake(secure_url: str, caplog: pytest.LogCaptureFixture) -> None:
    before = counted()

    async def away() -> None:
        raise OSError("nobody is there")

    await minutes(1, secure_url, away)
    assert (counted(), "OSError" in caplog.text, "Traceback" in caplog.text) == (before, True, False)
