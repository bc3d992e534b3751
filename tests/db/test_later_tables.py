"""A server of the release before goes on with the tables of a later one, as long as these have what it needs."""

from __future__ import annotations

import pytest
from alembic.util.exc import CommandError
from sqlalchemy import text

from tests.services_fixtures import database_url, postgres_server
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
