"""A server of the release before goes on with the tables of a later one, as long as these have what it needs."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from alembic.util.exc import CommandError
from sqlalchemy import text

from tests.services_fixtures import PostgresServer, database_url, postgres_server
from walletmodal.db import migrations as modal
from walletmodal.db.engine import open_engine
from walletmodal.db.later_tables import LaterTablesError

__all__ = ["database_url", "postgres_server"]

LATER = "UPDATE alembic_version SET version_num = 'later'"


async def change(url: str, *statements: str) -> None:
    engine = open_engine(url)
    try:
        async with engine.begin() as connection:
            for statement in statements:
                await connection.execute(text(statement))
    finally:
        await engine.dispose()


async def revision(url: str) -> str:
    engine = open_engine(url)
    try:
        async with engine.connect() as connection:
            return str(await connection.scalar(text("SELECT version_num FROM alembic_version")))
    finally:
        await engine.dispose()


def start(url: str) -> None:
    modal.upgrade(url, allow_later=True)


async def test_tables_to_which_a_later_release_has_added_are_gone_on_with(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    start(database_url)
    added = ("ALTER TABLE resume ADD COLUMN one TEXT", "ALTER TABLE resume ADD COLUMN two TEXT DEFAULT '' NOT NULL")
    await change(database_url, LATER, "CREATE TABLE three (id TEXT NOT NULL)", *added)
    start(database_url)
    assert await revision(database_url) == "later"
    assert "tables of a later release, revision later" in caplog.text


async def test_tables_from_which_a_later_release_has_taken_what_is_needed_are_refused(database_url: str) -> None:
    start(database_url)
    taken = ("DROP TABLE events", "DROP TABLE resume", "CREATE TABLE resume (id TEXT, later TEXT NOT NULL)")
    await change(database_url, LATER, *taken)
    with pytest.raises(LaterTablesError) as refused:
        start(database_url)
    for lacks in (
        "there is no table events",
        "resume has no column record",
        "resume wants a value for later",
        "resume may have two of the same id",
    ):
        assert lacks in str(refused.value)
    assert "no column id" not in str(refused.value)


async def test_what_is_unique_where_it_was_not_or_no_longer_where_it_was_is_said(database_url: str) -> None:
    start(database_url)
    await change(
        database_url,
        LATER,
        "DROP TABLE signing_keys",
        "CREATE TABLE signing_keys (id TEXT PRIMARY KEY, number INTEGER)",
        "CREATE UNIQUE INDEX partly ON signing_keys (number) WHERE number > 5",
        "ALTER TABLE events ADD COLUMN later TEXT",
        "CREATE UNIQUE INDEX at_most_one ON events (later)",
        "CREATE UNIQUE INDEX stricter ON sign_ins (nonce)",
    )
    with pytest.raises(LaterTablesError) as refused:
        start(database_url)
    said = str(refused.value)
    for lacks in ("signing_keys may have two of the same number", "sign_ins takes no two of the same nonce"):
        assert lacks in said
    assert "sign_ins may have two" not in said
    assert "of the same later" not in said


@pytest.mark.parametrize(
    ("statement", "lacks"),
    [
        ("CREATE UNIQUE INDEX by_expression ON events (later, lower(later))", ""),
        ("ALTER TABLE resume ALTER COLUMN record DROP NOT NULL", "resume may be without a value for record"),
    ],
    ids=["unique by an expression", "value no longer needed"],
)
async def test_what_only_postgresql_can_change(postgres_server: PostgresServer, statement: str, lacks: str) -> None:
    database_url = postgres_server.create_database()
    start(database_url)
    await change(database_url, LATER, "ALTER TABLE events ADD COLUMN later TEXT", statement)
    with pytest.raises(LaterTablesError, match=lacks) if lacks else nullcontext():
        start(database_url)


async def test_where_a_number_is_no_longer_counted_that_is_said(postgres_server: PostgresServer) -> None:
    database_url = postgres_server.create_database()
    start(database_url)
    await change(database_url, LATER, "ALTER TABLE events ALTER COLUMN number DROP DEFAULT")
    with pytest.raises(LaterTablesError, match="events wants a value for number"):
        start(database_url)


async def test_the_tables_of_this_release_lack_nothing(database_url: str) -> None:
    start(database_url)
    await change(database_url, LATER)
    start(database_url)


async def test_only_a_start_goes_on_with_them(database_url: str) -> None:
    """What else brings tables to what it needs would do half of its work."""
    modal.upgrade(database_url)
    await change(database_url, LATER)
    with pytest.raises(CommandError, match="later"):
        modal.upgrade(database_url)
