"""Fixtures of the tests of hosts."""

from collections.abc import Iterator

import pytest

from tests.host.apps import django_app
from tests.host.modal_server import ModalServer
from tests.host.test_tokens import NOW
from walletmodal.core.clock import MovableClock


@pytest.fixture
def server() -> Iterator[ModalServer]:
    server = ModalServer()
    yield server
    server.close()


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock(NOW)


@pytest.fixture(scope="session")
def django_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Django with a database: once for the process, which can have one."""
    django_app.configure(tmp_path_factory.mktemp("django"))
    yield
    django_app.close()
