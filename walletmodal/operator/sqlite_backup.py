"""Backups of an SQLite database, by SQLite's own copying: it sees one state of the file, however many write meanwhile."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from walletmodal.db.engine import make_private
from walletmodal.operator.tables import BackupError

_BUSY_SECONDS: Final = 10.0


class SqliteBackup:
    """The database in one file.

    Args:
        database: the file; its folder is made where it is missing.
    """

    def __init__(self, database: Path) -> None:
        self._database = database

    def write(self, file: Path) -> None:
        """As `backup.Database.write`."""
        with _told(), _opened(self._database, "ro") as source, closing(sqlite3.connect(file)) as target:
            source.backup(target)
            # So that it is one file, whoever opens it.
            target.execute("PRAGMA journal_mode=DELETE")
            _check(target)

    def revision_of(self, file: Path) -> str:
        """As `backup.Database.revision_of`."""
        with _told(), _opened(file, "ro&immutable=1") as source:
            _check(source)
            return str(source.execute("SELECT version_num FROM alembic_version").fetchone()[0])

    def restore(self, file: Path) -> None:
        """As `backup.Database.restore`."""
        make_private(self._database)
        with (
            _told(),
            _opened(file, "ro&immutable=1") as source,
            closing(sqlite3.connect(self._database, timeout=_BUSY_SECONDS)) as target,
        ):
            source.backup(target)


def _opened(file: Path, mode: str) -> closing[sqlite3.Connection]:
    uri = f"{file.resolve().as_uri()}?mode={mode}"
    return closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS))


def _check(connection: sqlite3.Connection) -> None:
    (told,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if told != "ok":
        raise BackupError(f"the file is damaged: {told}")


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise BackupError(f"SQLite: {error}") from error
