"""A deployment that begins with SQLite goes on with PostgreSQL: `restore` brings a backup of the one into the other."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import select, text
from sqlmodel import SQLModel

from tests.db.account_samples import MINE, fill, put
from tests.db.sign_in_samples import ADDRESS, OTHER_ADDRESS
from tests.operator.conftest import Deployed
from tests.services_fixtures import PostgresServer, postgres_server
from walletmodal.core.clock import MovableClock
from walletmodal.db.engine import open_engine
from walletmodal.db.events import EventLog
from walletmodal.db.migrations import alembic_config, upgrade
from walletmodal.db.tables import TABLES

__all__ = ["postgres_server"]


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock(datetime.now(UTC).replace(microsecond=0))


@pytest.fixture
def backup(deployed: Deployed, clock: MovableClock, tmp_path: Path) -> Path:
    """Of a deployment on SQLite, which has given out more numbers of events than it still has."""
    deployed.write(lambda engine: fill(engine, clock, ADDRESS))
    deployed.write(lambda engine: put(engine, clock, MINE, ADDRESS))
    with closing(sqlite3.connect(deployed.url.removeprefix("sqlite:///"))) as database:
        database.execute("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'events'")
        database.commit()
    assert deployed.run("backup", str(tmp_path / "backup")).status == 0
    return tmp_path / "backup"


@pytest.fixture
def postgres(postgres_server: PostgresServer) -> str:
    """URL of a PostgreSQL database that has nothing."""
    return postgres_server.create_database()


async def _contents(url: str) -> dict[str, list[tuple[Any, ...]]]:
    engine = open_engine(url)
    try:
        async with engine.connect() as connection:
            return {
                name: sorted(map(tuple, (await connection.execute(select(SQLModel.metadata.tables[name]))).all()))
                for name in TABLES
            }
    finally:
        await engine.dispose()


def contents(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows, by their table."""
    return asyncio.run(_contents(url))


def test_every_row_is_there_as_it_was(deployed: Deployed, backup: Path, postgres: str) -> None:
    before = contents(deployed.url)
    assert {name for name, rows in before.items() if rows} >= {"sign_ins", "requests", "decisions", "events", "resume"}
    assert deployed.run("restore", "--moved", str(backup), DATABASE_URL=postgres).status == 0
    assert contents(postgres) == before


def test_further_rows_have_numbers_of_their_own(
    deployed: Deployed, backup: Path, clock: MovableClock, postgres: str
) -> None:
    assert deployed.run("restore", "--moved", str(backup), DATABASE_URL=postgres).status == 0

    async def go_on() -> list[int | None]:
        engine = open_engine(postgres)
        try:
            await fill(engine, clock, OTHER_ADDRESS)
            return [event.number for event in await EventLog(engine).after(40)]
        finally:
            await engine.dispose()

    # What was given out before and is deleted is not given again: whoever exports goes on from there.
    assert asyncio.run(go_on())[0] == 41
    assert [row[0] for row in contents(postgres)["decisions"]] == [1, 2]


def test_a_backup_of_an_older_version_has_the_tables_of_this_one(
    deployed: Deployed, backup: Path, postgres: str
) -> None:
    command.downgrade(alembic_config(f"sqlite:///{backup}"), "0014")
    answer = deployed.run("restore", "--moved", str(backup), "--json", DATABASE_URL=postgres)
    assert (answer.status, contents(postgres)["erasures"]) == (0, [])
    assert answer.json["revision"] > "0014"


def test_what_sqlite_alone_takes_keeps_nothing_from_moving(deployed: Deployed, backup: Path, postgres: str) -> None:
    with closing(sqlite3.connect(backup)) as database:
        database.execute("UPDATE decisions SET reason = 'a' || char(0) || 'b'")
        database.commit()
    assert deployed.run("restore", "--moved", str(backup), DATABASE_URL=postgres).status == 0
    assert "ab" in contents(postgres)["decisions"][0]


def test_a_row_that_postgresql_refuses_leaves_all_as_it_was(deployed: Deployed, backup: Path, postgres: str) -> None:
    with closing(sqlite3.connect(backup)) as database:
        database.execute("UPDATE events SET type = hex(zeroblob(99))")
        database.commit()
    answer = deployed.run("restore", "--moved", str(backup), DATABASE_URL=postgres)
    assert (answer.status, contents(postgres)["sign_ins"]) == (1, [])
    assert "value too long" in answer.err


def test_what_is_there_is_replaced_when_that_is_said_only(deployed: Deployed, backup: Path, postgres: str) -> None:
    upgrade(postgres)
    refused = deployed.run("restore", str(backup), DATABASE_URL=postgres)
    assert (refused.status, contents(postgres)["events"]) == (1, [])
    assert "--force" in refused.err
    for _ in range(2):
        assert deployed.run("restore", "--force", str(backup), DATABASE_URL=postgres).status == 0
    assert len(contents(postgres)["decisions"]) == 1
    # Without --moved who was signed in may have signed out since.
    assert deployed.run("sessions", "list", "--json", DATABASE_URL=postgres).json == []


def test_tables_of_a_newer_version_are_left_as_they_are(deployed: Deployed, backup: Path, postgres: str) -> None:
    upgrade(postgres)

    async def of_tomorrow() -> None:
        engine = open_engine(postgres)
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await engine.dispose()

    asyncio.run(of_tomorrow())
    answer = deployed.run("restore", "--force", str(backup), DATABASE_URL=postgres)
    assert (answer.status, contents(postgres)["events"]) == (1, [])
    assert "another version" in answer.err
