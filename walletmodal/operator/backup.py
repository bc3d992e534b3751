"""`backup` and `restore`: the whole database as one file, taken and brought back while the server may run."""

import argparse
import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import inspect, text
from sqlalchemy.engine import make_url

from walletmodal.config import Settings
from walletmodal.core.clock import SystemClock
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.migrations import known_revisions
from walletmodal.db.moments import to_ms
from walletmodal.operator.postgres_backup import PostgresBackup
from walletmodal.operator.printing import Printer, complain
from walletmodal.operator.sqlite_backup import SqliteBackup
from walletmodal.operator.sqlite_to_postgres import SqliteToPostgres
from walletmodal.operator.tables import BackupError, refuse_later, revision_here, tables


class Restorable(Protocol):
    """A database that takes files of one kind. Its methods wait, and raise BackupError."""

    def revision_of(self, file: Path) -> str:
        """The revision of the tables in a file that was written before; it is checked that it is one."""

    def restore(self, file: Path) -> None:
        """Put what a file has in the place of all that is kept, as one transaction."""


class Database(Restorable, Protocol):
    """A database of one kind."""

    def write(self, file: Path) -> None:
        """Write all that is kept into a file that is there and empty."""


_HEADS: Final = {b"SQLite format 3\0": "SQLite", b"PGDMP": "PostgreSQL"}


async def backup(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Writes the file, which nobody else may read; an older one stays as it is until the new one is whole."""
    file: Path = asked.file
    kept = _database(settings)

    def work(there: str) -> int:
        if file.exists() and not asked.force:
            raise BackupError(f"{file} is there already; --force replaces it")
        unfinished = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            kept.write(unfinished)
            if (written := kept.revision_of(unfinished)) != there:
                raise BackupError(f"the tables became those of revision {written} meanwhile: run it again")
            size = unfinished.stat().st_size
            unfinished.replace(file)
        except OSError as error:
            raise BackupError(f"{file} cannot be written ({error.strerror})") from error
        finally:
            unfinished.unlink(missing_ok=True)
        return size

    async def done() -> None:
        there = await revision_here(settings)
        if not there:
            raise BackupError("there is nothing to back up: the database has no tables yet")
        if isinstance(kept, PostgresBackup):
            refuse_later(settings, there)
        size = await asyncio.to_thread(work, there)
        printer.told(
            f"{file} has all of it: {size} bytes, revision {there}", file=str(file), bytes=size, revision=there
        )

    return await _or_complain(done)


async def restore(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Brings the file back, unless that would overwrite something, or the file is of a newer version. Then visitors sign in anew, but with `--moved`."""
    file: Path = asked.file

    async def done() -> None:
        kept = _restorable(file, settings)
        known = known_revisions(settings.database_url)
        revision_there = await asyncio.to_thread(kept.revision_of, file)
        if revision_there not in known:
            raise BackupError(f"{file} has the tables of revision {revision_there}, which this version does not know")
        here = await revision_here(settings)
        if here and not asked.force:
            raise BackupError(
                f"the database has tables already (revision {here}); --force replaces all that is in them"
            )
        if isinstance(kept, PostgresBackup):
            refuse_later(settings, here)
        await asyncio.to_thread(kept.restore, file)
        if not asked.moved:
            await _end_restored(settings)
        revision = await revision_here(settings)
        migrates = "" if revision == known[0] else "; the server migrates it at its start"
        printer.told(f"{file} is restored, revision {revision}{migrates}", file=str(file), revision=revision)

    return await _or_complain(done)


async def restored(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Ends in a database that was restored by other means what `restore` ends."""
    del asked

    async def done() -> None:
        here = await revision_here(settings)
        if not here:
            raise BackupError("nothing was restored: the database has no tables yet")
        await _end_restored(settings)
        printer.told("visitors sign in anew, with tokens of a new key: start the servers again", revision=here)

    return await _or_complain(done)


async def _end_restored(settings: Settings) -> None:
    """Ends what may have been ended since the backup: sign-ins, keys of tokens, and what sessions would go on with."""
    moment = {"now": to_ms(SystemClock().now())}
    ends = {
        "sign_ins": "UPDATE sign_ins SET revoked_at = :now WHERE revoked_at IS NULL",
        "signing_keys": "UPDATE signing_keys SET withdrawn_at = :now, private = '' WHERE withdrawn_at IS NULL",
        "resume": "DELETE FROM resume",
    }
    async with tables(settings) as engine, unit_of_work(engine, seconds=LONG_WORK_SECONDS) as connection:
        # One of an older version has not all of them.
        there = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
        for name, statement in ends.items():
            if name in there:
                await connection.execute(text(statement), moment if ":now" in statement else {})


async def _or_complain(work: Callable[[], Awaitable[None]]) -> bool:
    try:
        await work()
    except BackupError as error:
        complain(str(error))
        return False
    return True


def _database(settings: Settings) -> Database:
    url = settings.database_url
    if make_url(url).get_backend_name() == "sqlite":
        return SqliteBackup(Path(make_url(url).database or ""))
    return PostgresBackup(url)


def _restorable(file: Path, settings: Settings) -> Restorable:
    """The database, as it takes files of this one's kind."""
    wanted = "SQLite" if make_url(settings.database_url).get_backend_name() == "sqlite" else "PostgreSQL"
    try:
        with file.open("rb") as opened:
            start = opened.read(16)
    except OSError as error:
        raise BackupError(f"{file} cannot be read ({error.strerror})") from error
    found = next((kind for head, kind in _HEADS.items() if start.startswith(head)), None)
    if found is None:
        raise BackupError(f"{file} is no backup")
    if found == wanted:
        return _database(settings)
    if found == "SQLite":
        return SqliteToPostgres(settings.database_url)
    raise BackupError(f"{file} is a backup of {found}, and DATABASE_URL is {wanted}")
