"""Access of commands to the tables."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from walletmodal.config import Settings
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.db.later_tables import LaterTablesError
from walletmodal.db.migrations import known_revisions


class BackupError(Exception):
    """A backup cannot be made or brought back; the text says why, and what to do."""


def missing_file(settings: Settings) -> Path | None:
    """The file of an SQLite database that is not there yet; connecting would make an empty one."""
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    file = Path(url.database)
    return None if file.exists() else file


@asynccontextmanager
async def tables(settings: Settings) -> AsyncIterator[AsyncEngine]:
    """Opens the deployment's database.

    Raises:
        FileNotFoundError: there is none yet.
        SQLAlchemyError, OSError: it does not answer.
    """
    if missing_file(settings):
        raise FileNotFoundError("there is no database yet")
    engine = open_engine(settings.database_url)
    try:
        yield engine
    finally:
        await close_engine(engine)


async def revision_here(settings: Settings) -> str:
    """Returns alembic's revision of the deployment's tables; "" where there are none."""
    if missing_file(settings):
        return ""
    async with tables(settings) as engine, engine.connect() as connection:
        return await revision(connection)


def refuse_later(settings: Settings, there: str) -> None:
    """For a command that must know all tables.

    Args:
        settings: of the deployment.
        there: the revision of its tables; "" for none.

    Raises:
        LaterTablesError: they are of a later version.
    """
    if there and there not in known_revisions(settings.database_url):
        raise LaterTablesError(
            f"the database has the tables of a later version, revision {there}: only that one knows all of them"
        )


async def revision(connection: AsyncConnection) -> str:
    """Returns alembic's revision; "" for none."""
    table = "alembic_version"
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = :table"
    if connection.dialect.name == "postgresql":
        named = "SELECT table_name FROM information_schema.tables WHERE table_name = :table"
    if (await connection.execute(text(named), {"table": table})).first() is None:
        return ""
    return str((await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one_or_none() or "")
