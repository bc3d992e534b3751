"""Fixtures of the database tests."""

from tests.services_fixtures import database_url as database_url
from tests.services_fixtures import postgres_server as postgres_server
