"""The environment of alembic: the tables of `walletmodal.db`, on the database of the settings or of `db.migrations.upgrade`."""

import asyncio

from alembic import context
from sqlalchemy import Connection
from sqlmodel import SQLModel

from walletmodal.config import load_settings
from walletmodal.db.engine import open_engine
from walletmodal.db.later_tables import run_migrations
from walletmodal.db.tables import TABLES

# Any number will do, as long as every version of the product uses the same.
MIGRATION_LOCK = 0x77616C6C6574

METADATA = SQLModel.metadata


def database_url() -> str:
    """What the caller of `upgrade` named, else DATABASE_URL."""
    return context.config.attributes.get("database_url") or load_settings().database_url


def ours(_item: object, name: str | None, kind: str, *_rest: object) -> bool:
    """Only our own tables: other libraries may have registered theirs in the same metadata."""
    return kind != "table" or name in TABLES


def migrate(connection: Connection) -> None:
    """Take the lock, then apply what is missing: the second of two workers finds nothing left to do."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        include_object=ours,
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
    )
    with context.begin_transaction():
        run_migrations(connection)


async def run_online() -> None:
    """Migrate over a connection of our own engine, as one transaction."""
    # It may wait for another worker's, and large tables take their time.
    engine = open_engine(database_url(), work_seconds=None)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(migrate)
    finally:
        await engine.dispose()


def run_offline() -> None:
    """Print the SQL (`--sql`)."""
    context.configure(url=database_url(), target_metadata=METADATA, literal_binds=True, include_object=ours)
    with context.begin_transaction():
        context.run_migrations()


if context.is_offline_mode():
    run_offline()
else:
    asyncio.run(run_online())
