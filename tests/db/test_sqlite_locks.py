"""SQLite's file has one writer at a time: whatever becomes of it, the others get their turn."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.patience import patience
from walletmodal.db.engine import DatabaseTimeoutError, open_engine, unit_of_work
from walletmodal.db.resume import ResumeStore

SLOW: Final = text(
    "INSERT INTO resume WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)"
    " SELECT i, '{}', 0, 0 FROM n"
)
"""Half a second of writing, or about that."""


@pytest.fixture
def file(tmp_path: Path, empty_database: bytes) -> Path:
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    return path


@pytest_asyncio.fixture
async def engine(file: Path) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(f"sqlite:///{file}")
    yield engine
    await engine.dispose()


def can_write(file: Path, *, seconds: float = 0) -> bool:
    """Whether another process would get the lock."""
    with closing(sqlite3.connect(file, timeout=seconds, isolation_level=None)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        other.execute("ROLLBACK")
        return True


async def written_slowly(engine: AsyncEngine, *, seconds: float | None = None) -> None:
    async with unit_of_work(engine, seconds=seconds) as connection:
        await connection.execute(SLOW)


async def test_work_that_is_cut_off_gives_the_file_up(engine: AsyncEngine, file: Path) -> None:
    work = asyncio.create_task(written_slowly(engine))
    async with patience():
        while can_write(file):
            await asyncio.sleep(0.005)
        work.cancel()
        # Whoever keeps the error keeps the statement alive that it was raised in.
        (error,) = await asyncio.gather(work, return_exceptions=True)
    assert isinstance(error, asyncio.CancelledError)
    assert await asyncio.to_thread(can_write, file, seconds=5)


async def test_work_that_is_cut_off_again_while_it_is_taken_back_gives_the_file_up(
    engine: AsyncEngine, file: Path
) -> None:
    """As where a deadline passes, and the process is told to end."""
    work = asyncio.create_task(written_slowly(engine))
    async with patience():
        while can_write(file):
            await asyncio.sleep(0.005)
        while not work.done():
            work.cancel()
            await asyncio.sleep(0.005)
    assert work.cancelled()
    assert can_write(file)


async def test_work_that_takes_too_long_gives_the_file_up(engine: AsyncEngine, file: Path) -> None:
    with pytest.raises(DatabaseTimeoutError) as caught:
        await written_slowly(engine, seconds=0.05)
    assert await asyncio.to_thread(can_write, file, seconds=5)
    assert caught.value.__cause__ is not None


async def test_what_was_cut_off_is_not_half_written(engine: AsyncEngine) -> None:
    with pytest.raises(DatabaseTimeoutError):
        await written_slowly(engine, seconds=0.05)
    async with unit_of_work(engine) as connection:
        assert (await connection.execute(text("SELECT count(*) FROM resume"))).scalar_one() == 0


async def test_workers_that_end_together_on_one_file_lose_nothing(file: Path) -> None:
    engines = [open_engine(f"sqlite:///{file}") for _ in range(2)]
    stores = [ResumeStore(engine, flush_seconds=0) for engine in engines]
    for worker, store in enumerate(stores):
        for number in range(1_000):
            store.put(f"{worker}{number:031d}", {"a": "x" * 1_000})
    async with patience():
        while can_write(file):
            await asyncio.sleep(0)
        await asyncio.gather(*(store.close() for store in stores))
    async with unit_of_work(engines[0]) as connection:
        kept = (await connection.execute(text("SELECT count(*) FROM resume"))).scalar_one()
    assert ([store.lost for store in stores], kept) == ([0, 0], 2_000)
    for engine in engines:
        await engine.dispose()
