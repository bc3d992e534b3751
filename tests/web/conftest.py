"""Fixtures of the HTTP tests."""

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from tests.services_fixtures import redis_server as redis_server
from tests.services_fixtures import redis_url as redis_url
from tests.web.event_socket_world import Making, World


@pytest_asyncio.fixture
async def making() -> AsyncIterator[Making]:
    """Makes worlds, and ends them."""
    made: list[World] = []

    def make(*args: Any, **kwargs: Any) -> World:
        made.append(World(*args, **kwargs))
        return made[-1]

    yield make
    for world in made:
        await world.close()


@pytest_asyncio.fixture
async def world(making: Making) -> World:
    """One with ample limits."""
    return making()
