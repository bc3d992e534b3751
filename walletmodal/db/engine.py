"""Engines for the DATABASE_URL of the settings, plain or with its async driver named, and their units of work, each with a deadline."""

import asyncio
import logging
import os
import sqlite3
import stat
import time
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import aiosqlite
from prometheus_client import Counter, Histogram
from sqlalchemy import event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import await_only

from walletmodal.core.parsing.database_url import DRIVER_PARAMETERS, pools_transactions, postgres_parameters
from walletmodal.db.sqlite_driver import Connection
from walletmodal.services.http.authorities import usual_authorities
from walletmodal.services.tracing import span

_ASYNC_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_BUSY_MS: Final = 4000

WORK_SECONDS: Final = 5.0
"""For how long a unit of work may take: a visitor's state is held meanwhile, and an event has several; `rxconfig.py` says when Redis takes the lock away."""
LONG_WORK_SECONDS: Final = 60.0
"""The same for what no visitor waits for."""
_COMPANIONS: Final = ("-wal", "-shm", "-journal")
_DEADLINE: Final = "walletmodal_work_seconds"
_LIMITS: Final = "walletmodal_limits"
"""What PostgreSQL is told at the begin of each transaction, where it cannot be told so of a connection."""
# A statement without a name is there until the next one, and that is within the transaction: nothing is prepared before, and nothing stays.
_WITHOUT_SESSION: Final = {
    "statement_cache_size": 0,
    "prepared_statement_cache_size": 0,
    "prepared_statement_name_func": lambda: "",
}
# The server gives up before we do: a connection that it has answered on can be used again.
_LOCK_PART, _STATEMENT_PART, _IDLE_PART = 0.6, 0.8, 2.0

_WORK: Final = Histogram(
    "walletmodal_database_seconds",
    "Time of units of work, from the wait for a connection to the commit.",
    buckets=(0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 5.0),
)
_FAILURES: Final = Counter("walletmodal_database_failures", "Units of work that the database has not done.", ["kind"])

logger = logging.getLogger(__name__)


class DatabaseTimeoutError(TimeoutError):
    """The database has not done a unit of work in time; whether it will do it yet is not known. As an OSError, it is one of those of the way there."""


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
    if backend != "sqlite":
        # The others are libpq's, and given to the driver in its own way.
        url = url.difference_update_query(set(url.query) - DRIVER_PARAMETERS)
    return url.set(drivername=_ASYNC_DRIVERS[backend])


def open_engine(database_url: str, *, work_seconds: float | None = WORK_SECONDS, durable: bool = False) -> AsyncEngine:
    """An engine for a deployment's database; connects at the first use. Dispose of it at the end.

    Of SQLite it makes the folder, and the file, which nobody but its owner may read: it holds the keys of sign-in tokens.

    Args:
        database_url: see `async_url`.
        work_seconds: for how long a unit of work may take; None for as long as it likes, which is for migrations.
        durable: of SQLite, too, the disk has what was committed: a power failure takes nothing back. PostgreSQL does so by itself.

    Raises:
        ValueError: another database than SQLite or PostgreSQL, or a parameter of the URL that is not known.
        OSError: the folder or the file cannot be made.
    """
    url = async_url(database_url)
    options: dict[str, Any] = {_DEADLINE: work_seconds}
    # Errors tell of the statement, and are logged: what it writes are proofs, secrets and keys.
    if url.get_backend_name() != "sqlite":
        arguments = _connect_arguments(postgres_parameters(database_url), work_seconds)
        if pools_transactions(database_url):
            options[_LIMITS] = arguments.pop("server_settings", {})
            arguments |= _WITHOUT_SESSION
        return create_async_engine(
            url,
            pool_size=5,
            max_overflow=5,
            pool_pre_ping=True,
            connect_args=arguments,
            execution_options=options,
            hide_parameters=True,
        )
    if url.database and url.database != ":memory:":
        make_private(Path(url.database))
    engine = create_async_engine(
        url, connect_args={"async_creator_fn": Connection}, execution_options=options, hide_parameters=True
    )
    event.listen(engine.sync_engine, "connect", _prepare_durable_sqlite if durable else _prepare_sqlite)
    event.listen(engine.sync_engine, "invalidate", _close_at_once)
    return engine


@asynccontextmanager
async def with_timeout(engine: AsyncEngine, *, seconds: float | None = None) -> AsyncIterator[None]:
    """Gives up what takes longer than a unit of work may, where several wait for each other.

    Args:
        engine: one of `open_engine`.
        seconds: for how long it may take; None for what the engine was opened with.

    Raises:
        DatabaseTimeoutError: it took longer.
    """
    limit = engine.get_execution_options().get(_DEADLINE) if seconds is None else seconds
    try:
        async with asyncio.timeout(limit):
            yield
    except DatabaseTimeoutError:
        raise
    except TimeoutError as error:
        raise DatabaseTimeoutError(f"the database has not answered within {limit} s") from error


@asynccontextmanager
async def unit_of_work(engine: AsyncEngine, *, seconds: float | None = None) -> AsyncIterator[AsyncConnection]:
    """A transaction, from the wait for a connection to the commit: the only way in which stores reach the database.

    Args:
        engine: one of `open_engine`.
        seconds: for how long it may take; None for what the engine was opened with.

    Raises:
        DatabaseTimeoutError: it took longer, whatever the database is doing; its connection is closed.
        SQLAlchemyError, OSError: the database cannot be reached, or does not do it.
    """
    with span("database"), _WORK.time():
        try:
            async with with_timeout(engine, seconds=seconds), engine.begin() as connection:
                await _set_limits(connection, seconds)
                yield connection
        except DatabaseTimeoutError:
            _FAILURES.labels("timeout").inc()
            raise
        except IntegrityError:
            # What was written is refused, as it should be.
            raise
        except (SQLAlchemyError, OSError):
            _FAILURES.labels("error").inc()
            raise


async def _set_limits(connection: AsyncConnection, seconds: float | None) -> None:
    """Tells the server for how long this transaction may wait and work, where the connection does not."""
    limits = dict(connection.engine.get_execution_options().get(_LIMITS, {}))
    if seconds is not None and connection.dialect.name == "postgresql":
        limits["statement_timeout"] = f"{_ms(seconds * _STATEMENT_PART)}ms"
    if limits:
        setting = ", ".join(f"set_config('{name}', :{name}, true)" for name in limits)
        await connection.execute(text(f"SELECT {setting}"), limits)


async def close_engine(engine: AsyncEngine) -> None:
    """Disposes of an engine; a server that hangs is not waited for, and hears of it from the closed sockets."""
    try:
        async with with_timeout(engine):
            await engine.dispose()
    except DatabaseTimeoutError:
        logger.warning("the database's connections could not be closed in time")


def describe_failure(error: Exception) -> str:
    """Returns one line for the log: what visitors cause again and again must not fill it with tracebacks."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def make_private(file: Path) -> None:
    """Makes an SQLite file that is not there, and takes group's and others' permissions from one that is. SQLite gives its companions the file's mode."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    for part in (file, *(file.with_name(file.name + suffix) for suffix in _COMPANIONS)):
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(part.stat().st_mode)
            if mode & 0o077:
                part.chmod(mode & 0o700)


def _connect_arguments(parameters: Mapping[str, str], work_seconds: float | None) -> dict[str, Any]:
    """The parameters of the URL as asyncpg takes them, and how long to wait: `connect_timeout`, and never longer than a unit of work."""
    arguments = {} if work_seconds is None else _timeouts(work_seconds)
    rest = dict(parameters)
    wanted = float(rest.pop("connect_timeout", 0))
    if wanted:
        arguments["timeout"] = min(wanted, arguments.get("timeout", wanted))
    if rest.get("sslrootcert") == "system":
        # The driver would look for a file of that name.
        del rest["sslrootcert"], rest["sslmode"]
        arguments["ssl"] = usual_authorities()
    if rest:
        arguments["dsn"] = f"postgresql://?{urlencode(rest)}"
    return arguments


def _timeouts(work_seconds: float) -> dict[str, Any]:
    """Returns how long asyncpg waits for a connection, and the server for locks, statements and transactions that nobody ends."""
    settings = {
        "lock_timeout": _LOCK_PART,
        "statement_timeout": _STATEMENT_PART,
        "idle_in_transaction_session_timeout": _IDLE_PART,
    }
    return {
        "timeout": work_seconds,
        "server_settings": {name: f"{_ms(part * work_seconds)}ms" for name, part in settings.items()},
    }


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))


def _prepare_sqlite(connection: Any, _record: object, synchronous: str = "NORMAL") -> None:
    """Sets SQLite up: readers do not wait for the writer (WAL), and several workers' writers wait for each other instead of failing."""
    try:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        cursor.execute(f"PRAGMA synchronous={synchronous}")
        cursor.execute("PRAGMA journal_mode")
        if cursor.fetchone()[0] not in {"wal", "memory"}:
            _switch_to_wal(cursor)
        cursor.close()
    except BaseException:
        _close_at_once(connection)
        raise


def _prepare_durable_sqlite(connection: Any, record: object) -> None:
    """The same, and every commit is on the disk when it returns."""
    _prepare_sqlite(connection, record, "FULL")


def _close_at_once(connection: Any, *_: object) -> None:
    """Closes a connection whose work failed or was cancelled, once its statement has come to an end in the connection's thread.

    SQLAlchemy's own closing can be cancelled in its turn, which leaves the connection to the garbage collector and its thread waiting.
    """
    await_only(_to_the_end(_close_with_rollback(connection.driver_connection)))


async def _close_with_rollback(connection: aiosqlite.Connection) -> None:
    """Releases the file's write lock before it closes: SQLite keeps a connection whose statements somebody still refers to, such as the traceback of what cut it off."""
    # No connection any more is a ValueError.
    with suppress(sqlite3.Error, ValueError):
        await connection.rollback()
    with suppress(sqlite3.Error, ValueError):
        await connection.close()


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Waits for work however often the task that waits is cancelled meanwhile; the cancellation that began it is raised afterwards."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([task])


def _switch_to_wal(cursor: Any) -> None:
    """Switches to WAL, once in the life of a file. The busy timeout does not cover it, so two workers that start on a new file take turns."""
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
