"""The table of points: a file of our own, beside the modal's database."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

FILE = Path("data/points.db")
WELCOME = 100
"""Points of who joins."""


@contextmanager
def _table() -> Iterator[sqlite3.Connection]:
    FILE.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(FILE)) as database, database:
        database.execute("CREATE TABLE IF NOT EXISTS points (account TEXT PRIMARY KEY, points INTEGER NOT NULL)")
        yield database


def _read(account: str) -> int | None:
    with _table() as database:
        row = database.execute("SELECT points FROM points WHERE account = ?", (account,)).fetchone()
    return None if row is None else int(row[0])


def _join(account: str) -> None:
    with _table() as database:
        database.execute("INSERT OR IGNORE INTO points VALUES (?, ?)", (account, WELCOME))


async def read(account: str) -> int | None:
    """Points of an account; None for one that has not joined. In a thread: the modal's visitors share one."""
    return await asyncio.to_thread(_read, account)


async def join(account: str) -> None:
    """Gives an account its first points, once."""
    await asyncio.to_thread(_join, account)
