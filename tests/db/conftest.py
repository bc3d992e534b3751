"""Fixtures of the database tests."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.services_fixtures import database_url, pgbouncer, postgres_server
from walletmodal.core.clock import MovableClock
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import upgrade
from walletmodal.db.tables import TABLES

__all__ = ["database_url", "pgbouncer", "postgres_server"]


# By way of the pooler everything is as without it, but for how it is reached.
POOLED = pytest.param("pgbouncer", marks=pytest.mark.slow)


@pytest.fixture(scope="module", params=["sqlite", "postgresql", POOLED])
def migrated_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """URL of a database that has the tables: a module's tests of one kind take turns on it."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('database') / 'test.db'}"
    else:
        url = request.getfixturevalue("postgres_server").create_database()
        if request.param == "pgbouncer":
            url = request.getfixturevalue("pgbouncer").url(url)
    upgrade(url)
    return url


@pytest_asyncio.fixture
async def engine(migrated_url: str) -> AsyncIterator[AsyncEngine]:
    """On that database, with empty tables."""
    engine = open_engine(migrated_url)
    async with engine.begin() as connection:
        for table in TABLES:
            await connection.execute(text(f"DELETE FROM {table}"))
    yield engine
    await engine.dispose()


@pytest.fixture
def clock() -> MovableClock:
    """Stands still until it is moved."""
    return MovableClock()
