"""Fixtures of the database tests."""

from tests.services_fixtures import database_url, postgres_server

__all__ = ["database_url", "postgres_server"]
