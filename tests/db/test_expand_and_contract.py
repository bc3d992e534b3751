"""Migrations expand, and contract a release later: while workers are replaced those of before go on, on tables that are new already."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Boolean, Column, Connection, Integer, LargeBinary, MetaData, Table, insert, select

from tests.services_fixtures import database_url, postgres_server
from walletmodal.db import migrations as modal
from walletmodal.db.engine import open_engine
from walletmodal.secure.db import upgrade as site
from walletmodal.secure.recovery import app as recovery

__all__ = ["database_url", "postgres_server"]

FOLDERS = {
    "modal": modal.ALEMBIC_FOLDER,
    "secure site": site.MIGRATIONS,
    "recovery service": recovery.MIGRATIONS,
}

CONTRACTS: dict[tuple[str, str], str] = {
    ("modal", "0004"): "allows more: a nonce is unique with its network, and workers of before write one network each",
    ("secure site", "0005"): "allows more: a text may be longer",
    ("secure site", "0012"): "before the first release; deletions ran on one worker",
}
"""Revisions that take something away which the release before needs, with the reason why it may be."""

_TAKES_AWAY = {
    "drop_column",
    "drop_table",
    "drop_constraint",
    "drop_index",
    "rename_table",
    "alter_column",
    "create_unique_constraint",
    "create_check_constraint",
    "create_foreign_key",
}


def configuration(database: str, url: str) -> Config:
    return modal.alembic_config(url) if database == "modal" else site.alembic_config(url, FOLDERS[database])


def revisions(database: str) -> list[tuple[str, Path]]:
    """Revisions and their files, the oldest first."""
    scripts = ScriptDirectory.from_config(configuration(database, "sqlite://")).walk_revisions()
    return [(script.revision, Path(script.path)) for script in scripts][::-1]


def taken_away(file: Path) -> Iterator[str]:
    """What a migration's `upgrade` does that workers of before may stumble over, by the names of alembic's operations."""
    (upgrade,) = [node for node in ast.parse(file.read_text("utf-8")).body if getattr(node, "name", "") == "upgrade"]
    for node in ast.walk(upgrade):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name = node.func.attr
        if name in _TAKES_AWAY:
            yield name
        if name == "add_column":
            given = {
                key.arg: ast.unparse(key.value)
                for call in ast.walk(node)
                if isinstance(call, ast.Call)
                for key in call.keywords
            }
            if given.get("nullable") == "False" and "server_default" not in given:
                yield "add_column without a default"


@pytest.mark.parametrize("database", FOLDERS)
def test_what_takes_something_away_says_why_it_may(database: str) -> None:
    found = {(database, revision): sorted(set(taken_away(file))) for revision, file in revisions(database)}
    assert {key: what for key, what in found.items() if what and key not in CONTRACTS} == {}


def test_only_revisions_that_are_there_are_excused() -> None:
    there = {(database, revision) for database in FOLDERS for revision, _ in revisions(database)}
    assert there >= CONTRACTS.keys()


def sample(column: Column[Any], number: int) -> Any:
    """A value for a column, another one for each row."""
    if isinstance(column.type, Boolean):
        return False
    if isinstance(column.type, LargeBinary):
        return b"%d" % number
    return number if isinstance(column.type, Integer) else str(number)


def write(connection: Connection, tables: MetaData, number: int) -> None:
    """A row in each table, as a worker writes it that knows these columns and leaves out those with a default."""
    for table in ours(tables):
        needed = [column for column in table.c if column.server_default is None and not _counts_itself(table, column)]
        connection.execute(insert(table).values({column.name: sample(column, number) for column in needed}))


def read(connection: Connection, tables: MetaData) -> dict[str, int]:
    """How many rows each table has, all columns read by their names."""
    return {table.name: len(connection.execute(select(*table.c)).all()) for table in ours(tables)}


def ours(tables: MetaData) -> list[Table]:
    return [table for table in tables.sorted_tables if table.name != "alembic_version"]


def _counts_itself(table: Table, column: Column[Any]) -> bool:
    return column.primary_key and isinstance(column.type, Integer) and len(table.primary_key.columns) == 1


async def as_worker(url: str, *work: Any) -> Any:
    engine = open_engine(url, work_seconds=None)
    try:
        async with engine.begin() as connection:
            return [await connection.run_sync(one) for one in work]
    finally:
        await engine.dispose()


@pytest.mark.parametrize("database", FOLDERS)
async def test_workers_of_before_read_and_write_on_the_new_tables(database: str, database_url: str) -> None:
    config = configuration(database, database_url)

    def to(revision: str) -> None:
        with ThreadPoolExecutor(1) as executor:
            executor.submit(command.upgrade, config, revision).result()

    numbers = itertools.count(1)
    for (before, _), (after, _) in itertools.pairwise(revisions(database)):
        to(before)
        old = MetaData()
        await as_worker(database_url, old.reflect, lambda held: write(held, old, next(numbers)))  # noqa: B023 - at once
        (counts,) = await as_worker(database_url, lambda held: read(held, old))  # noqa: B023 - at once
        to(after)
        if (database, after) in CONTRACTS:
            continue
        works = (lambda held: write(held, old, next(numbers)), lambda held: read(held, old))  # noqa: B023 - at once
        _, found = await as_worker(database_url, *works)
        assert found == {name: count + 1 for name, count in counts.items()}, f"after {after}"
