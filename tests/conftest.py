"""Fixtures that every kind of test shares."""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncIterator, Generator
from functools import cache
from pathlib import Path
from typing import Any

os.environ["ALLOWED_ORIGINS"] = "http://localhost:8700,http://127.0.0.1:8700"
os.environ["NETWORKS"] = "eip155:1,eip155:137,eip155:10"
os.environ["DATABASE_URL"] = "sqlite:///:memory:"
os.environ.pop("RPC_URL", None)

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings
from redis.asyncio import Redis
from reflex.istate.manager import StateManager
from reflex.istate.manager.memory import StateManagerMemory

from tests.chain_double import ChainDouble
from tests.distribution import pytest_collection_modifyitems as pytest_collection_modifyitems
from tests.distribution import pytest_report_to_serializable as pytest_report_to_serializable
from tests.distribution import pytest_xdist_make_scheduler as pytest_xdist_make_scheduler
from tests.driver import Driver
from tests.redis_visitor import SOCKET
from tests.services_fixtures import redis_server as redis_server
from tests.services_fixtures import redis_url as redis_url
from walletmodal.config import Settings
from walletmodal.db.migrations import upgrade
from walletmodal.deployment import Deployment, running
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.services.balances import NativeBalances
from walletmodal.services.cache import MemoryCache

pytest_plugins = ["tests.compiled_statements", "tests.second_try", "tests.slow"]

# How long a property may take is no property of the code: the machine may be busy. And each is tried on the same examples in every run:
# whether a change is good must not depend on the draw. `make test-all` tries more.
settings.register_profile(
    "quick", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=300)
settings.load_profile("quick")

# Their overloads, conditional on the Python version, look like abstract methods to mypy.
_MEMORY: Any = StateManagerMemory
_REDIS: Any = RedisStates


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage, and let the tests look for it only among what they make."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture
def chain() -> ChainDouble:
    """The chain behind the states' balances."""
    return ChainDouble()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a database that has its tables and nothing in them: migrating takes far longer than most tests."""
    path = tmp_path_factory.mktemp("database") / "empty.db"
    upgrade(f"sqlite:///{path}")
    return path.read_bytes()


@cache
def _settings(_environment: frozenset[tuple[str, str]]) -> Settings:
    """The settings of an environment, read once: reading them takes as long as a twelfth of a test."""
    return Settings()


def _settings_on(database_url: str) -> Settings:
    environment = frozenset((name, value) for name, value in os.environ.items() if not name.startswith("PYTEST_"))
    return _settings(environment).model_copy(update={"database_url": database_url})


class _NewDeployment(Deployment):
    """One in whose database nothing can have expired: looking for it costs a third of what most tests do."""

    async def purge(self, every: float) -> float:
        """Delete nothing."""
        return every


@pytest_asyncio.fixture
async def deployed(chain: ChainDouble, empty_database: bytes, tmp_path: Path) -> AsyncIterator[Deployment]:
    """A deployment on a database of its own."""
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    deployment = _NewDeployment(_settings_on(f"sqlite:///{path}"))
    deployment.balances = NativeBalances([chain], MemoryCache())
    async with running(deployment):
        yield deployment


@pytest_asyncio.fixture(params=["memory", "redis"])
async def manager(request: pytest.FixtureRequest) -> AsyncIterator[StateManager]:
    """Where sessions live: the two that a deployment can have. `TEST_STATES=redis` has all of them live in Redis."""
    if os.environ.get("TEST_STATES", request.param) == "memory":
        found: Any = _MEMORY()
    else:
        client = Redis.from_url(request.getfixturevalue("redis_url"))
        await client.flushdb()
        found = _REDIS(redis=client)
        found.told.socket_of = lambda _token: SOCKET
    yield found
    await found.close()


@pytest_asyncio.fixture
async def driver(manager: StateManager, deployed: Deployment) -> AsyncIterator[Driver]:
    """One visitor."""
    visitor = Driver(manager)
    async with visitor.processor:
        yield visitor
