"""Brings a database to its newest revision; the secure site and the recovery service each have a folder of migrations."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from alembic import command, context
from alembic.config import Config
from sqlalchemy import Connection, MetaData

from walletmodal.db.engine import open_engine

MIGRATIONS: Final = Path(__file__).resolve().parent / "migrations"
"""Of the secure site."""

# Any number will do, as long as every version of the product uses the same.
_MIGRATION_LOCK: Final = 0x7365637572
# Alembic keeps the running migration in globals of its own.
_ONE_AT_A_TIME: Final = threading.Lock()


def alembic_config(database_url: str, folder: Path = MIGRATIONS) -> Config:
    """The configuration of alembic for a database."""
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["database_url"] = database_url
    return config


def upgrade(database_url: str, revision: str = "head", *, folder: Path = MIGRATIONS) -> None:
    """Applies what is missing; nothing happens when nothing is. Several workers may call it at once: one works, the others wait.

    Raises:
        ValueError: another database than SQLite or PostgreSQL.
        sqlalchemy.exc.SQLAlchemyError, OSError: the database cannot be reached or changed.
    """
    # The environment runs an event loop of its own, which it cannot in a thread that already has one.
    with _ONE_AT_A_TIME, ThreadPoolExecutor(1, thread_name_prefix="alembic") as executor:
        executor.submit(command.upgrade, alembic_config(database_url, folder), revision).result()


def run_migrations(metadata: MetaData) -> None:
    """What the `env.py` of a folder of migrations does: migrates over a connection of our own engine, as one transaction."""
    asyncio.run(_run(context.config.attributes["database_url"], metadata))


async def _run(database_url: str, metadata: MetaData) -> None:
    # It may wait for another worker's, and large tables take their time.
    engine = open_engine(database_url, work_seconds=None, durable=True)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_migrate, metadata)
    finally:
        await engine.dispose()


def _migrate(connection: Connection, metadata: MetaData) -> None:
    """Takes the lock, then applies what is missing: the second of two workers finds nothing left to do."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()
