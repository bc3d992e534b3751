"""Recurring work: once for all processes on a database, on SQLite and PostgreSQL, whatever becomes of the one that does it."""

from __future__ import annotations

import asyncio
import itertools
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.patience import PATIENCE, eventually
from walletmodal.core.clock import MovableClock
from walletmodal.db.recurring import RecurringWork
from walletmodal.db.tables import Recurring


def work(engine: AsyncEngine, clock: MovableClock) -> RecurringWork:
    """As one more process sees it."""
    return RecurringWork(engine, Recurring, "purge", seconds=60.0, clock=clock)


async def test_of_several_processes_one_has_the_turn(engine: AsyncEngine, clock: MovableClock) -> None:
    turns = await asyncio.gather(*(work(engine, clock).turn() for _ in range(4)))
    assert sorted(turn.mine for turn in turns) == [False, False, False, True]
    assert {turn.pause for turn in turns} == {60.0}


async def test_the_next_turn_comes_when_it_is_time(engine: AsyncEngine, clock: MovableClock) -> None:
    await work(engine, clock).turn()
    clock.advance(59)
    late = await work(engine, clock).turn()
    assert (late.mine, late.pause) == (False, 1.0)
    clock.advance(1)
    assert (await work(engine, clock).turn()).mine


async def test_works_do_not_wait_for_each_other(engine: AsyncEngine, clock: MovableClock) -> None:
    await work(engine, clock).turn()
    other = RecurringWork(engine, Recurring, "another", seconds=60.0, clock=clock)
    assert (await other.turn()).mine


async def test_a_process_whose_clock_was_far_ahead_keeps_nobody_from_working(
    engine: AsyncEngine, clock: MovableClock
) -> None:
    ahead = MovableClock(clock.now())
    ahead.advance(86_400)
    await work(engine, ahead).turn()
    assert (await work(engine, clock).turn()).mine


WORKER = """
import asyncio, os, sys
from sqlalchemy import text
from walletmodal.core.clock import SystemClock
from walletmodal.db.engine import open_engine, unit_of_work
from walletmodal.db.recurring import RecurringWork
from walletmodal.db.tables import Recurring

async def main(url, order, ended):
    engine = open_engine(url, work_seconds=None)
    work = RecurringWork(engine, Recurring, "purge", seconds=0.5, clock=SystemClock())
    while True:
        turn = await work.turn()
        if turn.mine:
            async with unit_of_work(engine) as connection:
                note = text("INSERT INTO done SELECT :pid, next_at FROM recurring_work")
                await connection.execute(note, {"pid": os.getpid()})
            if os.path.exists(order):
                os.unlink(order)
                os.kill(os.getpid(), int(ended))
        await asyncio.sleep(turn.pause)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest_asyncio.fixture
async def noted(engine: AsyncEngine) -> AsyncIterator[AsyncEngine]:
    """The database, with a table of who had which turn."""
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE done (pid INTEGER, turn BIGINT)"))
    yield engine
    async with engine.begin() as connection:
        await connection.execute(text("DROP TABLE done"))


async def until(engine: AsyncEngine, holds: Callable[[list[tuple[int, int]]], bool]) -> list[tuple[int, int]]:
    """Process and turn of what was done, once it holds."""
    query = text("SELECT pid, turn FROM done ORDER BY turn")
    async with asyncio.timeout(PATIENCE):
        while True:
            async with engine.connect() as connection:
                found = [(pid, turn) for pid, turn in await connection.execute(query)]
            if holds(found):
                return found
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("ended", [signal.SIGKILL, signal.SIGSTOP])
async def test_each_turn_is_one_process_and_another_takes_over_from_one_that_is_killed_or_frozen(
    noted: AsyncEngine, migrated_url: str, tmp_path: Path, ended: signal.Signals
) -> None:
    order = tmp_path / "end"
    command = [sys.executable, "-c", WORKER, migrated_url, str(order), str(int(ended))]
    running = [await asyncio.create_subprocess_exec(*command) for _ in range(2)]
    try:
        await until(noted, lambda rows: len(rows) >= 3)
        order.touch()
        await eventually(lambda: not order.exists())
        before = await until(noted, bool)
        gone, at = before[-1]
        found = await until(noted, lambda rows: sum(pid != gone and turn > at for pid, turn in rows) >= 2)
    finally:
        for one in running:
            with suppress(ProcessLookupError):
                one.kill()
            await one.wait()
    turns = [turn for _, turn in found]
    assert all(later - earlier >= 500 for earlier, later in itertools.pairwise(turns))
