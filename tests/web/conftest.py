"""Fixtures of the HTTP tests."""

from tests.services_fixtures import redis_server as redis_server
from tests.services_fixtures import redis_url as redis_url
