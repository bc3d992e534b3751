"""SQLite's file holds the keys of sign-in tokens: other users of the machine can read neither it nor its companions."""

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from walletmodal.db.engine import open_engine, unit_of_work


@pytest.fixture(autouse=True)
def careless_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def modes_while_written(file: Path) -> dict[str, int]:
    """Of the file and what SQLite puts beside it."""
    engine = open_engine(f"sqlite:///{file}")
    try:
        async with unit_of_work(engine) as connection:
            await connection.execute(text("CREATE TABLE secrets (secret TEXT)"))
        return {path.name: mode(path) for path in file.parent.iterdir()}
    finally:
        await engine.dispose()


async def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "made" / "test.db"
    assert await modes_while_written(file) == {"test.db": 0o600, "test.db-wal": 0o600, "test.db-shm": 0o600}
    assert mode(file.parent) == 0o700


async def test_a_database_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    file = tmp_path / "test.db"
    for name in ("test.db", "test.db-wal"):
        (tmp_path / name).touch(mode=0o644)
    assert set((await modes_while_written(file)).values()) == {0o600}


def test_the_folder_of_a_database_that_was_there_before_stays_as_it_is(tmp_path: Path) -> None:
    """It may be anybody's, such as `/tmp`."""
    tmp_path.chmod(0o755)
    asyncio.run(modes_while_written(tmp_path / "test.db"))
    assert mode(tmp_path) == 0o755
