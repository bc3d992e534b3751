"""Migrations on SQLite and PostgreSQL."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.util.exc import CommandError
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from tests.patience import patience
from walletmodal.db.engine import async_url, open_engine
from walletmodal.db.migrations import alembic_config, upgrade
from walletmodal.db.tables import TABLES

OURS = {"alembic_version", *TABLES}


async def tables(url: str) -> set[str]:
    engine = open_engine(url)
    async with engine.connect() as connection:
        names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    await engine.dispose()
    return set(names) - {"sqlite_sequence"}


async def test_upgrade_makes_the_tables(database_url: str) -> None:
    upgrade(database_url)
    assert await tables(database_url) == OURS


async def test_upgrade_twice_changes_nothing(database_url: str) -> None:
    upgrade(database_url)
    upgrade(database_url)
    assert await tables(database_url) == OURS


async def test_several_workers_may_upgrade_at_once(database_url: str) -> None:
    code = "import sys; from walletmodal.db.migrations import upgrade; upgrade(sys.argv[1])"
    command_line = (sys.executable, "-c", code, database_url)
    workers = [await asyncio.create_subprocess_exec(*command_line) for _ in range(2)]
    async with patience():
        assert [await worker.wait() for worker in workers] == [0, 0]
    assert await tables(database_url) == OURS


def test_the_tables_are_what_the_models_say(database_url: str) -> None:
    upgrade(database_url)
    with ThreadPoolExecutor(1) as executor:
        executor.submit(command.check, alembic_config(database_url)).result()


async def test_a_downgrade_takes_the_tables_back(database_url: str) -> None:
    upgrade(database_url)
    with ThreadPoolExecutor(1) as executor:
        executor.submit(command.downgrade, alembic_config(database_url), "base").result()
    assert await tables(database_url) == {"alembic_version"}


def test_an_unknown_revision_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        upgrade(f"sqlite:///{tmp_path / 'a.db'}", "nowhere")


def test_the_folder_of_an_sqlite_file_is_made(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path / 'deep' / 'er' / 'a.db'}")
    assert (tmp_path / "deep" / "er" / "a.db").is_file()


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("sqlite:///a.db", "sqlite+aiosqlite"),
        ("sqlite+aiosqlite:///a.db", "sqlite+aiosqlite"),
        ("postgresql://u:p@h/d", "postgresql+asyncpg"),
        ("postgres://u:p@h/d", "postgresql+asyncpg"),
        ("postgresql+asyncpg://u:p@h/d", "postgresql+asyncpg"),
    ],
)
def test_a_plain_url_gets_the_async_driver(given: str, driver: str) -> None:
    assert async_url(given).drivername == driver


def test_another_database_is_refused() -> None:
    with pytest.raises(ValueError, match="mysql is not supported"):
        async_url("mysql://u:p@h/d")


ROW = {
    "holder": "h", "origin": "https://app.example", "address": "0x1", "statement": "", "request_id": "", "text": "t",
    "signature": "s", "issued_at": 1, "proven_at": 1, "expires_at": 2, "revoked_at": None,
}  # fmt: skip


def to_revision(url: str, revision: str, *, down: bool = False) -> None:
    with ThreadPoolExecutor(1) as executor:
        executor.submit(command.downgrade if down else command.upgrade, alembic_config(url), revision).result()


async def put(url: str, *rows: tuple[str, str, str]) -> None:
    """Sign-ins: id, nonce and chain of each."""
    names = ("id", "nonce", "chain", *ROW)
    statement = f"INSERT INTO sign_ins ({', '.join(names)}) VALUES ({', '.join(':' + name for name in names)})"
    engine = open_engine(url)
    try:
        async with engine.begin() as connection:
            for one, nonce, chain in rows:
                await connection.execute(text(statement), {"id": one, "nonce": nonce, "chain": chain, **ROW})
    finally:
        await engine.dispose()


async def kept(url: str) -> list[str]:
    engine = open_engine(url)
    async with engine.connect() as connection:
        found = (await connection.execute(text("SELECT id FROM sign_ins ORDER BY id"))).scalars().all()
    await engine.dispose()
    return list(found)


async def test_sign_ins_of_before_stay_when_a_nonce_may_count_on_several_networks(database_url: str) -> None:
    to_revision(database_url, "0003")
    await put(database_url, ("a", "nonce-1", "eip155:1"))
    to_revision(database_url, "0004")
    await put(database_url, ("b", "nonce-1", "eip155:137"))
    assert await kept(database_url) == ["a", "b"]
    with pytest.raises(IntegrityError):
        await put(database_url, ("c", "nonce-1", "eip155:1"))


async def test_a_nonce_counted_once_before_that(database_url: str) -> None:
    to_revision(database_url, "0004")
    await put(database_url, ("b", "nonce-1", "eip155:137"), ("a", "nonce-1", "eip155:1"), ("c", "nonce-2", "eip155:1"))
    to_revision(database_url, "0003", down=True)
    assert await kept(database_url) == ["a", "c"]
    with pytest.raises(IntegrityError):
        await put(database_url, ("d", "nonce-1", "eip155:137"))


async def test_of_sign_ins_of_before_those_that_a_contract_may_have_signed_are_asked_about_again(
    database_url: str,
) -> None:
    to_revision(database_url, "0005")
    await put(database_url, ("a", "nonce-1", "eip155:1"), ("b", "nonce-2", "solana:mainnet"))
    to_revision(database_url, "0006")
    engine = open_engine(database_url)
    async with engine.connect() as connection:
        found = (await connection.execute(text("SELECT id, checked_at FROM sign_ins ORDER BY id"))).all()
    await engine.dispose()
    assert [tuple(row) for row in found] == [("a", ROW["proven_at"]), ("b", None)]
    to_revision(database_url, "0005", down=True)
    assert await kept(database_url) == ["a", "b"]
