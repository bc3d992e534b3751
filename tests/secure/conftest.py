"""Fixtures of the secure site's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.secure.mailbox import Mailbox
from tests.secure.world import OF_BOTH, World, new_database, running, running_with_escrow, settings_for
from tests.services_fixtures import database_url, postgres_server
from walletmodal.secure.db.upgrade import upgrade

__all__ = ["database_url", "postgres_server"]


@pytest.fixture(scope="session")
def empty_secure_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a database that has its tables and nothing in them."""
    path = tmp_path_factory.mktemp("secure") / "empty.db"
    upgrade(f"sqlite:///{path}")
    return path.read_bytes()


@pytest_asyncio.fixture
async def mailbox() -> AsyncIterator[Mailbox]:
    box = Mailbox()
    await box.start()
    yield box
    await box.stop()


@pytest.fixture
def secure_url(empty_secure_database: bytes, tmp_path: Path) -> str:
    """URL of a new database of the site."""
    return new_database(empty_secure_database, tmp_path)


@pytest_asyncio.fixture
async def world(secure_url: str, mailbox: Mailbox) -> AsyncIterator[World]:
    """A site without escrow."""
    async with running(settings_for(secure_url, mailbox.url), mailbox) as found:
        await found.settled()
        yield found


@pytest_asyncio.fixture
async def escrowed(secure_url: str, tmp_path: Path, mailbox: Mailbox) -> AsyncIterator[World]:
    """A site with a recovery service."""
    async with running_with_escrow(secure_url, tmp_path, mailbox) as found:
        await found.settled(OF_BOTH)
        yield found
