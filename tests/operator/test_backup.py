"""`backup` and `restore`: all of it, on SQLite and PostgreSQL, and nothing by accident."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shutil import which

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from tests.db.sign_in_samples import OTHER_ADDRESS, proven
from tests.operator.conftest import Answer, Deployed
from tests.services_fixtures import PostgresServer, database_url, postgres_server
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import alembic_config, upgrade
from walletmodal.db.sign_ins import SignInStore
from walletmodal.operator import postgres_backup, tables
from walletmodal.operator.sqlite_backup import SqliteBackup

__all__ = ["database_url", "postgres_server"]

Run = Callable[..., Answer]
NEWEST = ScriptDirectory.from_config(alembic_config("")).get_current_head()


@pytest.fixture
def run(deployed: Deployed, database_url: str) -> Run:
    """Runs commands on a database of either kind, which is empty."""

    def run(*arguments: str | Path, url: str = database_url) -> Answer:
        return deployed.run(*map(str, arguments), DATABASE_URL=url)

    return run


def sign_in(url: str, nonce: str, **more: str) -> SignInSession:
    async def write() -> SignInSession:
        engine = open_engine(url)
        try:
            at = datetime.now(UTC).replace(microsecond=0)
            return await SignInStore(engine).add(proven(nonce, at=at, **more), "browser")
        finally:
            await engine.dispose()

    return asyncio.run(write())


def sql(url: str, statement: str) -> None:
    async def write() -> None:
        engine = open_engine(url)
        try:
            async with engine.begin() as connection:
                await connection.execute(text(statement))
        finally:
            await engine.dispose()

    asyncio.run(write())


def signed_in(run: Run) -> list[str]:
    return [one["id"] for one in run("sessions", "list", "--json").json]


@pytest.fixture
def taken(run: Run, database_url: str, tmp_path: Path) -> tuple[Path, SignInSession]:
    """A backup, and who was signed in then; somebody else is now."""
    upgrade(database_url)
    first = sign_in(database_url, "nonce0001")
    file = tmp_path / "backup"
    assert run("backup", file).status == 0
    sign_in(database_url, "nonce0002", accountAddress=OTHER_ADDRESS)
    return file, first


def test_what_was_kept_is_brought_back(run: Run, taken: tuple[Path, SignInSession]) -> None:
    file, first = taken
    assert len(signed_in(run)) == 2
    answer = run("restore", "--force", "--moved", file, "--json")
    assert (answer.status, answer.json["revision"]) == (0, NEWEST)
    assert signed_in(run) == [first.id]


def test_it_is_brought_back_into_an_empty_database(
    run: Run, taken: tuple[Path, SignInSession], database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file, first = taken
    if database_url.startswith("sqlite"):
        other = f"sqlite:///{tmp_path / 'new' / 'other.db'}"
    else:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        other = server.create_database()
    assert run("restore", "--moved", file, url=other).status == 0
    assert [one["id"] for one in run("sessions", "list", "--json", url=other).json] == [first.id]
    # Further sign-ins get numbers of their own.
    sign_in(other, "nonce0003")


def test_what_is_there_is_not_overwritten_by_accident(run: Run, taken: tuple[Path, SignInSession]) -> None:
    file, _ = taken
    answer = run("restore", file)
    assert answer.status == 1
    assert "--force" in answer.err
    assert len(signed_in(run)) == 2
    answer = run("backup", file)
    assert answer.status == 1
    assert "--force" in answer.err


def test_a_backup_may_be_replaced(run: Run, taken: tuple[Path, SignInSession]) -> None:
    file, _ = taken
    assert run("backup", "--force", file).status == 0
    sessions = signed_in(run)
    assert run("restore", "--force", "--moved", file).status == 0
    assert signed_in(run) == sessions


def test_nobody_else_may_read_it(taken: tuple[Path, SignInSession]) -> None:
    file, _ = taken
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir() if path.name.startswith((".backup", "backup-"))] == []


def test_a_database_that_is_restored_where_none_was_is_its_owners_alone(deployed: Deployed, tmp_path: Path) -> None:
    file, database = tmp_path / "backup", tmp_path / "made" / "walletmodal.db"
    assert deployed.run("backup", str(file)).status == 0
    assert deployed.run("restore", str(file), DATABASE_URL=f"sqlite:///{database}").status == 0
    assert [stat.S_IMODE(path.stat().st_mode) for path in (database.parent, database)] == [0o700, 0o600]


def test_every_table_is_backed_up() -> None:
    folder = Path(__file__).parents[2] / "alembic" / "versions"
    made = {name for file in folder.glob("*.py") for name in re.findall(r'create_table\(\s*"(\w+)"', file.read_text())}
    assert set(postgres_backup.TABLES) == made | {"alembic_version"}


def test_tables_of_a_newer_version_are_backed_up_whole_or_not_at_all(
    run: Run, database_url: str, tmp_path: Path
) -> None:
    upgrade(database_url)
    sql(database_url, "UPDATE alembic_version SET version_num = '9999'")
    file = tmp_path / "backup"
    answer = run("backup", file)
    # A file of SQLite is copied as it is, with tables that this version does not know.
    whole = database_url.startswith("sqlite")
    assert (answer.status == 0, file.exists(), "of a later version" in answer.err) == (whole, whole, not whole)


def test_tables_of_a_newer_version_are_replaced_whole_or_not_at_all(
    run: Run, taken: tuple[Path, SignInSession], database_url: str
) -> None:
    file, _ = taken
    sql(database_url, "UPDATE alembic_version SET version_num = '9999'")
    sql(database_url, "CREATE TABLE newer (id TEXT)")
    answer = run("restore", "--force", file)
    whole = database_url.startswith("sqlite")
    assert (answer.status == 0, "of a later version" in answer.err) == (whole, not whole)


def test_a_backup_of_a_newer_version_is_refused(
    run: Run, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(database_url)
    sql(database_url, "UPDATE alembic_version SET version_num = '9999'")
    file = tmp_path / "backup"
    with monkeypatch.context() as newer:
        newer.setattr(tables, "known_revisions", lambda _url: ["9999"])
        assert run("backup", file).status == 0
    sql(database_url, "UPDATE alembic_version SET version_num = '0006'")
    answer = run("restore", "--force", file)
    assert answer.status == 1
    assert "revision 9999, which this version does not know" in answer.err


def test_one_of_an_older_version_can_be_migrated(run: Run, database_url: str, tmp_path: Path) -> None:
    upgrade(database_url, "0003")
    file = tmp_path / "backup"
    assert run("backup", file).status == 0
    upgrade(database_url)
    answer = run("restore", "--force", file)
    assert answer.status == 0
    assert "revision 0003; the server migrates it at its start" in answer.out
    upgrade(database_url)
    sign_in(database_url, "nonce0001")


def test_a_restore_that_fails_changes_nothing(run: Run, taken: tuple[Path, SignInSession]) -> None:
    file, _ = taken
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    answer = run("restore", "--force", file)
    assert answer.status == 1
    assert len(signed_in(run)) == 2


@pytest.mark.parametrize(
    ("content", "told"), [(b"nothing of ours", "is no backup"), (b"", "is no backup"), (None, "cannot be read")]
)
def test_what_is_no_backup_is_refused(run: Run, tmp_path: Path, content: bytes | None, told: str) -> None:
    file = tmp_path / "other"
    if content is not None:
        file.write_bytes(content)
    answer = run("restore", file)
    assert answer.status == 1
    assert told in answer.err


def test_one_of_postgresql_does_not_go_into_sqlite(deployed: Deployed, tmp_path: Path) -> None:
    """The other way `test_move_to_postgres.py` tries."""
    file = tmp_path / "other"
    file.write_bytes(b"PGDMP\x01")
    answer = deployed.run("restore", str(file))
    assert answer.status == 1
    assert "is a backup of PostgreSQL, and DATABASE_URL is SQLite" in answer.err


def test_an_empty_database_is_not_backed_up(run: Run, tmp_path: Path) -> None:
    answer = run("backup", tmp_path / "backup")
    assert answer.status == 1
    assert "nothing to back up" in answer.err
    assert not (tmp_path / "backup").exists()


def test_a_folder_that_is_not_there_is_said(run: Run, database_url: str, tmp_path: Path) -> None:
    upgrade(database_url)
    answer = run("backup", tmp_path / "none" / "backup")
    assert answer.status == 1
    assert "cannot be written (No such file or directory)" in answer.err


def test_sqlite_is_copied_while_somebody_writes(deployed: Deployed, tmp_path: Path) -> None:
    with closing(sqlite3.connect(deployed.url.removeprefix("sqlite:///"))) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE alembic_version SET version_num = 'half'")
        assert deployed.run("backup", str(tmp_path / "backup")).status == 0
        writer.rollback()
    with closing(sqlite3.connect(tmp_path / "backup")) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == (NEWEST,)


def test_of_postgresql_our_tables_alone_are_taken(
    deployed: Deployed, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    url, file = postgres_server.create_database(), tmp_path / "backup"
    upgrade(url)
    sql(url, "CREATE TABLE of_others (id int)")
    assert deployed.run("backup", str(file), DATABASE_URL=url).status == 0
    assert b"of_others" not in file.read_bytes()
    assert deployed.run("restore", "--force", str(file), DATABASE_URL=url).status == 0
    sql(url, "SELECT * FROM of_others")


def test_a_backup_of_tables_that_are_migrated_meanwhile_is_refused(
    deployed: Deployed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(deployed.url)
    write = SqliteBackup.write

    def migrate_and_write(self: SqliteBackup, file: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "test.db")) as database, database:
            database.execute("UPDATE alembic_version SET version_num = 'later'")
        write(self, file)

    monkeypatch.setattr(SqliteBackup, "write", migrate_and_write)
    answer = deployed.run("backup", str(tmp_path / "backup"))
    assert (answer.status, "revision later meanwhile" in answer.err, (tmp_path / "backup").exists()) == (1, True, False)


def test_a_password_is_on_no_command_line(
    deployed: Deployed, postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pg_dump before the real one notes what everybody on the machine could see, and what it was given besides."""
    url = postgres_server.create_database()
    upgrade(url)
    program = tmp_path / "pg_dump"
    program.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/seen\nstat -c %a "$PGSERVICEFILE" > {tmp_path}/mode\nexec {which("pg_dump")} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    secret = url.replace("postgres@", "postgres:hunter2@") + "?application_name=modal&connect_timeout=9"
    assert deployed.run("backup", str(tmp_path / "backup"), DATABASE_URL=secret).status == 0
    assert "hunter2" not in (tmp_path / "seen").read_text()
    assert (tmp_path / "mode").read_text() == "600\n"


def test_without_the_programs_of_postgresql_it_says_what_to_install(
    deployed: Deployed, postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres_server.create_database()
    upgrade(url)
    monkeypatch.setattr(postgres_backup, "DEBIANS_FOLDER", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = deployed.run("backup", str(tmp_path / "backup"), DATABASE_URL=url)
    assert answer.status == 1
    assert "pg_dump is not installed; on Debian it is in the package postgresql-client" in answer.err
