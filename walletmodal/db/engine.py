"""Engines for the DATABASE_URL of the settings, plain or with its async driver named."""

import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_ASYNC_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_BUSY_MS: Final = 5000


def async_url(database_url: str) -> URL:
    """The URL with the async driver of its database.

    Args:
        database_url: `sqlite:///file`, `postgresql://…` or `postgres://…`, with or without a driver.

    Raises:
        ValueError: another database.
    """
    url = make_url(database_url)
    backend = url.drivername.partition("+")[0]
    if backend not in _ASYNC_DRIVERS:
        raise ValueError(f"{backend} is not supported; use sqlite or postgresql")
    return url.set(drivername=_ASYNC_DRIVERS[backend])


def open_engine(database_url: str) -> AsyncEngine:
    """An engine for a deployment's database. Makes the folder of an SQLite file; connects at the first use. Dispose of it at the end.

    Raises:
        ValueError: another database than SQLite or PostgreSQL.
        OSError: the folder cannot be made.
    """
    url = async_url(database_url)
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_size=5, max_overflow=5, pool_pre_ping=True)
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(url)
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Readers do not wait for the writer (WAL), and several workers' writers wait for each other instead of failing."""
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA journal_mode")
    if cursor.fetchone()[0] not in {"wal", "memory"}:
        _switch_to_wal(cursor)
    cursor.close()


def _switch_to_wal(cursor: Any) -> None:
    """Once in the life of a file. The busy timeout does not cover it, so two workers that start on a new file take turns."""
    deadline = time.monotonic() + _BUSY_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return
