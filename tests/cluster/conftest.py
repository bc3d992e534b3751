"""Fixtures of the cluster tests."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster, cluster
from tests.cluster.releases import built, commit_before
from tests.services_fixtures import PostgresServer, RedisServer
from tests.services_fixtures import postgres_server as postgres_server

Say = Callable[[str], None]


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, redis_server: RedisServer, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    """Two servers that a module's tests share."""
    with cluster(tmp_path_factory.mktemp("cluster"), redis_server, postgres_server) as found:
        yield found


@pytest.fixture
def servers(running: Cluster) -> Iterator[Cluster]:
    """They, whole before a test and after it."""
    running.heal()
    yield running
    running.heal()


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Prints a line that the run shows."""

    def shown(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{line}\n")

    return shown


@pytest.fixture(scope="session")
def release_before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkout of the release before this one, built."""
    with built(commit_before(), tmp_path_factory.mktemp("releases") / "before") as folder:
        yield folder
