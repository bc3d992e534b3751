"""Backups of a PostgreSQL database, by its own pg_dump, pg_restore and psql; of our tables alone, for others may lie beside them."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy.engine import make_url

from walletmodal.core.parsing.database_url import postgres_parameters
from walletmodal.db.tables import TABLES as OUR_TABLES
from walletmodal.operator.tables import BackupError

TABLES: Final = (*OUR_TABLES, "alembic_version")

DEBIANS_FOLDER: Final = Path("/usr/lib/postgresql")
"""Where Debian has the programs of each version."""

_SERVICE: Final = "walletmodal"
_SHOWN_LINES: Final = 5
_REVISION: Final = re.compile(r"^COPY \S*alembic_version \(version_num\) FROM stdin;\n(\w+)$", re.MULTILINE)
# Whoever holds a table lets the restore fail rather than wait.
_PATIENCE: Final = "-c lock_timeout=10s"


class PostgresBackup:
    """The tables in one database.

    Args:
        url: DATABASE_URL.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    def write(self, file: Path) -> None:
        """As `backup.Database.write`."""
        chosen = [f"--table={name}" for name in TABLES]
        self._run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", *chosen, f"--file={file}")

    def revision_of(self, file: Path) -> str:
        """As `backup.Database.revision_of`."""
        told = _told("pg_restore", ["--data-only", "--table=alembic_version", "--file=-", str(file)], {})
        found = _REVISION.search(told)
        if found is None:
            raise BackupError(f"{file} is no backup of ours: it does not tell its revision")
        return found[1]

    def restore(self, file: Path) -> None:
        """As `backup.Database.restore`."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "restore.sql"
            script.touch(0o600)
            _told("pg_restore", ["--no-owner", "--no-privileges", f"--file={script}", str(file)], {})
            dropped = f"DROP TABLE IF EXISTS {', '.join(TABLES)};"
            options = ["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--single-transaction"]
            self._run("psql", *options, f"--command={dropped}", f"--file={script}", "--output=/dev/null")

    def _run(self, program: str, *arguments: str) -> None:
        """With the connection in a file that nobody else may read: of command lines everybody can, and they would show passwords."""
        with tempfile.TemporaryDirectory() as folder:
            service = Path(folder) / "service.conf"
            service.touch(0o600)
            lines = [f"{name}={value}\n" for name, value in self._connection().items()]
            service.write_text(f"[{_SERVICE}]\n{''.join(lines)}", "utf-8")
            environment = {"PGSERVICEFILE": str(service), "PGSERVICE": _SERVICE, "PGOPTIONS": _PATIENCE}
            _told(program, ["--no-password", *arguments], environment)

    def _connection(self) -> dict[str, str]:
        """By libpq's names."""
        url = make_url(self._url)
        parts = {"host": url.host, "port": url.port, "user": url.username, "password": url.password}
        given = {name: str(value) for name, value in {**parts, "dbname": url.database}.items() if value is not None}
        asked = {name: str(value) for name, value in url.query.items() if name in ("host", "port")}
        return {**given, **asked, **postgres_parameters(self._url)}


def _told(program: str, arguments: Sequence[str], environment: dict[str, str]) -> str:
    """What a program of PostgreSQL says that has succeeded."""
    done = subprocess.run(
        [_found(program), *arguments],
        env={**os.environ, "LC_ALL": "C", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        lines = "\n".join(done.stderr.strip().splitlines()[-_SHOWN_LINES:])
        raise BackupError(f"{program} failed with status {done.returncode}:\n{lines}")
    return done.stdout


def _found(program: str) -> str:
    """Its path: on PATH, or the newest of Debian's."""
    there = sorted(DEBIANS_FOLDER.glob(f"*/bin/{program}"), key=lambda path: float(path.parts[4]))
    found = shutil.which(program) or (str(there[-1]) if there else None)
    if found is None:
        raise BackupError(f"{program} is not installed; on Debian it is in the package postgresql-client")
    return found
