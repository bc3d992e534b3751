"""What SQLite and PostgreSQL do each in its own way."""

from typing import Any

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


def insert_for(database: AsyncConnection | AsyncEngine) -> Any:
    """The `insert` of a database, which knows what to do on a conflict."""
    return postgresql_insert if database.dialect.name == "postgresql" else sqlite_insert


def storable(text: str) -> str:
    """The text without what a database does not take: NUL (PostgreSQL), and halves of characters (neither)."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


async def lock_writes(connection: AsyncConnection, key: str) -> None:
    """Serializes the writers of a key until the end of their transactions: what each of them counts, the next one sees.

    SQLite has one writer anyway, once it has begun to write.

    Args:
        connection: of a transaction that has written nothing yet.
        key: what is counted, beginning with the name of its table.
    """
    if connection.dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")
        await connection.execute(lock, {"key": key})
    else:
        await connection.exec_driver_sql("BEGIN IMMEDIATE")
