"""PostgreSQL behind PgBouncer in transaction mode: what is of a connection alone cannot be relied on. All other tests of the stores run so, too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.patience import patience
from tests.secure.conftest import mailbox as mailbox
from tests.secure.mailbox import Mailbox
from tests.secure.test_recovery import finished, started
from tests.secure.world import running_with_escrow
from tests.services_fixtures import PgBouncer, PostgresServer
from walletmodal.db.engine import open_engine, unit_of_work
from walletmodal.secure.db.upgrade import upgrade as upgrade_site

LIMITS = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")


@pytest.fixture
def url(postgres_server: PostgresServer, pgbouncer: PgBouncer) -> str:
    return pgbouncer.url(postgres_server.create_database())


@pytest_asyncio.fixture
async def engines(url: str) -> AsyncIterator[list[AsyncEngine]]:
    """Of three processes, which have five times as many connections as the pooler has."""
    found = [open_engine(url, work_seconds=None if number else 5.0) for number in range(3)]
    yield found
    for engine in found:
        await engine.dispose()


async def test_many_transactions_share_few_connections(engines: list[AsyncEngine]) -> None:
    async def add(engine: AsyncEngine, number: int) -> tuple[int, int]:
        async with unit_of_work(engine) as connection:
            # The same statements in all of them, each of which asyncpg prepares.
            first = await connection.scalar(text("SELECT CAST(:number AS integer) + 1"), {"number": number})
            return first, await connection.scalar(text("SELECT pg_backend_pid()"))

    async with patience():
        answers = await asyncio.gather(*(add(engines[number % 3], number) for number in range(60)))
    assert [answer for answer, _ in answers] == list(range(1, 61))
    assert len({backend for _, backend in answers}) <= 2


async def test_limits_hold_for_the_transaction_and_for_nobody_else(engines: list[AsyncEngine]) -> None:
    async def shown(engine: AsyncEngine) -> list[str]:
        async with unit_of_work(engine) as connection:
            return [await connection.scalar(text(f"SHOW {name}")) for name in LIMITS]

    limited, free, _ = engines
    assert await shown(limited) == ["3s", "4s", "10s"]
    assert await shown(free) == ["0", "0", "0"]


async def test_the_secure_site_works_behind_it(url: str, tmp_path: Path, mailbox: Mailbox) -> None:
    upgrade_site(url)
    async with running_with_escrow(url, tmp_path, mailbox) as world:
        wallet = await world.wallet()
        assert await wallet.joined() == wallet.root
        other = await world.login()
        root, _ = await finished(other, await started(world, other), wallet)
        assert root == wallet.root
