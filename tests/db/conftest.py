"""Fixtures of the database tests."""

import pytest

from tests.services_fixtures import database_url, postgres_server
from walletmodal.db.migrations import upgrade

__all__ = ["database_url", "postgres_server"]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def migrated_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """URL of a database that has the tables: a module's tests of one kind take turns on it."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('database') / 'test.db'}"
    else:
        url = request.getfixturevalue("postgres_server").create_database()
    upgrade(url)
    return url
