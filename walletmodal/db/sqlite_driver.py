"""SQLite connections whose thread is visited once for each statement, and for the end of a transaction that has begun; aiosqlite's cursors visit it to open, to execute, to fetch and to close."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Final, Self

import aiosqlite

_CHUNK: Final = 64
"""Rows at a time of aiosqlite's own cursors, as its `connect` has it."""


class Cursor:
    """What SQLAlchemy needs of a cursor: a statement's rows come with it, and SQLite keeps nothing open.

    Attributes:
        description, rowcount, lastrowid: of the last statement, as in `sqlite3.Cursor`.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: Sequence[Any] = ()
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        """Open it, which SQLite hears of with the first statement."""
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> None:
        """Execute a statement, and fetch its rows."""
        await self._connection.visit(self._run, sqlite3.Cursor.execute, sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> None:
        """Execute a statement once for each of its parameters."""
        await self._connection.visit(self._run, sqlite3.Cursor.executemany, sql, parameters)

    async def fetchall(self) -> Sequence[Any]:
        """Returns the rows of the last statement."""
        return self._rows

    async def close(self) -> None:
        """Close it, which SQLite has done already."""

    def _run(self, connection: sqlite3.Connection, execute: Any, sql: str, parameters: Iterable[Any]) -> None:
        with closing(connection.cursor()) as cursor:
            execute(cursor, sql, parameters)
            self.description = cursor.description
            self._rows = cursor.fetchall() if cursor.description else ()
            self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid


class Connection(aiosqlite.Connection):
    """A connection with such cursors; `options`: of `sqlite3.connect`."""

    def __init__(self, database: str, **options: Any) -> None:
        super().__init__(partial(sqlite3.connect, database, **options), _CHUNK)
        # As SQLAlchemy does with those that it makes: what nobody has closed does not hold up the end of the process.
        self._thread.daemon = True
        # Whether somebody has left a visit before its end: what the thread is doing since is not known.
        self._left = False

    def cursor(self) -> Cursor:  # type: ignore[override]  # SQLAlchemy asks no more of it than `Cursor` has
        """Returns a new cursor."""
        return Cursor(self)

    async def commit(self) -> None:
        """Commit, unless nothing has begun: what only reads has no transaction."""
        await self._end(sqlite3.Connection.commit)

    async def rollback(self) -> None:
        """Roll back, unless nothing has begun: SQLAlchemy's pool asks for it after every commit once more."""
        await self._end(sqlite3.Connection.rollback)

    async def _end(self, end: Any) -> None:
        if self._left or self._conn.in_transaction:
            await self.visit(end)

    async def visit(self, work: Any, *arguments: Any) -> None:
        """Have the connection's thread call `work` with SQLite's connection and the arguments."""
        execute: Any = self._execute
        try:
            await execute(work, self._conn, *arguments)
        except asyncio.CancelledError:
            self._left = True
            raise
