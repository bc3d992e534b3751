"""SQLite's statements, in the thread of their connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.db.engine import open_engine, unit_of_work
from walletmodal.db.sqlite_driver import Connection


@pytest_asyncio.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(f"sqlite:///{tmp_path / 'test.db'}")
    async with unit_of_work(engine) as connection:
        await connection.execute(text("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT UNIQUE)"))
    yield engine
    await engine.dispose()


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What a connection's thread is asked for, from the call of this on."""
    visits: list[Any] = []
    visit: Any = Connection._execute

    async def counted(self: Connection, work: Any, *arguments: Any, **named: Any) -> Any:
        visits.append(work)
        return await visit(self, work, *arguments, **named)

    monkeypatch.setattr(Connection, "_execute", counted)
    return visits


@pytest.mark.parametrize(
    "statement",
    ["SELECT id, name FROM things", "INSERT INTO things (name) VALUES ('a') RETURNING id, name", "DELETE FROM things"],
)
async def test_a_statement_is_one_visit(engine: AsyncEngine, statement: str, visits: list[Any]) -> None:
    async with unit_of_work(engine) as connection:
        visits.clear()
        await connection.execute(text(statement))
        assert len(visits) == 1


@pytest.mark.parametrize(
    ("statement", "ends"), [("SELECT name FROM things", 0), ("INSERT INTO things (name) VALUES ('a')", 1)]
)
async def test_only_a_transaction_that_has_begun_is_ended_and_once(
    engine: AsyncEngine, statement: str, ends: int, visits: list[Any]
) -> None:
    async with unit_of_work(engine) as connection:
        await connection.execute(text(statement))
        visits.clear()
    assert len(visits) == ends


async def test_a_commit_that_is_refused_leaves_no_transaction(engine: AsyncEngine) -> None:
    parent = "CREATE TABLE parts (thing INTEGER REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)"
    async with unit_of_work(engine) as connection:
        await connection.execute(text(parent))

    async def refused() -> None:
        async with unit_of_work(engine) as connection:
            await connection.execute(text("PRAGMA foreign_keys=ON"))
            await connection.execute(text("INSERT INTO parts (thing) VALUES (7)"))

    with pytest.raises(IntegrityError):
        await refused()
    async with unit_of_work(engine) as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        assert not driver.in_transaction
        assert (await connection.execute(text("SELECT count(*) FROM parts"))).scalar_one() == 0


async def test_a_statement_gives_its_rows_and_their_number(engine: AsyncEngine) -> None:
    async with unit_of_work(engine) as connection:
        insert = text("INSERT INTO things (name) VALUES (:name)")
        many = await connection.execute(insert, [{"name": name} for name in "abc"])
        gone = await connection.execute(text("DELETE FROM things WHERE name < 'c' RETURNING name"))
        left = await connection.execute(text("SELECT name FROM things"))
        assert (many.rowcount, sorted(gone.scalars()), left.scalars().all()) == (3, ["a", "b"], ["c"])


async def test_a_refused_statement_leaves_the_connection_as_it_was(engine: AsyncEngine) -> None:
    insert = text("INSERT INTO things (name) VALUES ('a')")
    async with unit_of_work(engine) as connection:
        await connection.execute(insert)
        with pytest.raises(IntegrityError):
            await connection.execute(insert)
        assert await connection.scalar(text("SELECT count(*) FROM things")) == 1
