"""Brings backups of SQLite into PostgreSQL: a deployment that began with one process goes on with several servers."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from alembic.util.exc import CommandError
from sqlalchemy import Connection, Table, create_engine, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from walletmodal.db.dialects import storable
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.db.migrations import upgrade
from walletmodal.db.tables import TABLES
from walletmodal.operator.sqlite_backup import SqliteBackup
from walletmodal.operator.tables import BackupError

_AT_A_TIME: Final = 1000
# Whoever holds a table lets the restore fail rather than wait.
_PATIENCE: Final = text("SET LOCAL lock_timeout = '10s'")
_GIVEN: Final = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
_GO_ON: Final = text("SELECT setval(pg_get_serial_sequence(:table, 'number'), :last)")


class SqliteToPostgres:
    """The tables of a PostgreSQL database, with what a file of SQLite has.

    Args:
        url: DATABASE_URL.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    def revision_of(self, file: Path) -> str:
        """As `backup.Database.revision_of`."""
        return SqliteBackup(file).revision_of(file)

    def restore(self, file: Path) -> None:
        """As `backup.Database.restore`; both have the tables of this version then."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.db"
            SqliteBackup(copy).restore(file)
            upgrade(f"sqlite:///{copy}")
            try:
                upgrade(self._url)
            except CommandError as error:
                raise BackupError(f"the tables of DATABASE_URL are of another version: {error}") from error
            try:
                with _opened(copy) as source:
                    asyncio.run(self._fill(source))
            except DBAPIError as error:
                raise BackupError(f"PostgreSQL does not take it: {str(error.orig).splitlines()[0]}") from error

    async def _fill(self, source: Connection) -> None:
        # As long as it takes: nobody is served meanwhile.
        engine = open_engine(self._url, work_seconds=None)
        try:
            async with engine.begin() as target:
                await target.execute(_PATIENCE)
                await target.execute(text(f"TRUNCATE {', '.join(TABLES)}"))
                for name in TABLES:
                    await _copy(SQLModel.metadata.tables[name], source, target)
        finally:
            await close_engine(engine)


async def _copy(table: Table, source: Connection, target: AsyncConnection) -> None:
    rows = source.execution_options(yield_per=_AT_A_TIME).execute(select(table))
    for some in rows.mappings().partitions():
        await target.execute(table.insert(), [{name: _taken(value) for name, value in row.items()} for row in some])
    if "number" in table.primary_key.columns:
        last = source.scalar(_GIVEN, {"table": table.name}) or source.scalar(select(func.max(table.c.number)))
        if last:
            await target.execute(_GO_ON, {"table": table.name, "last": last})


def _taken(value: Any) -> Any:
    return storable(value) if isinstance(value, str) else value


@contextmanager
def _opened(file: Path) -> Iterator[Connection]:
    engine = create_engine(f"sqlite:///{file}")
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()
