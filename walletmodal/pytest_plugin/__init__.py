"""Fixtures for a host's pytest; `pip install walletmodal[testing]` brings what they need.

`walletmodal_modal` is the modal of the environment while a test has it: `walletmodal.host.verify` and the adapters of `walletmodal.host`
believe it, by its clock. A host whose page is not `https://app.example.com` says so in its `conftest.py`:

    @pytest.fixture(scope="session")
    def walletmodal_audience():
        return "https://shop.example"

pytest loads this module wherever `walletmodal` is installed, with the extra or without: until a test asks for a fixture it imports nothing.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walletmodal.testing import FakeModal, FakeWallet, RunningStack

HOME = "WALLETMODAL_HOME"


@pytest.fixture(scope="session")
def walletmodal_audience() -> str:
    """Origin of the host's page; a host's own `conftest.py` may say another."""
    audience: str = _testing().AUDIENCE
    return audience


@pytest.fixture
def walletmodal_wallet() -> FakeWallet:
    """A wallet with a new account on Ethereum."""
    wallet: FakeWallet = _testing().FakeWallet()
    return wallet


@pytest.fixture
def walletmodal_modal(walletmodal_audience: str) -> Iterator[FakeModal]:
    """A modal without sessions: the one of the environment, by its own clock, until the test ends."""
    modal: FakeModal
    with _testing().FakeModal(walletmodal_audience) as modal, modal.believed():
        yield modal


@pytest.fixture(scope="session")
def walletmodal_sandbox(walletmodal_audience: str, pytestconfig: pytest.Config) -> Iterator[RunningStack]:
    """The real modal with its sandbox, started once: of the project whose tests these are, or what lies where WALLETMODAL_HOME says.

    A test that asks for it fails where there is none: it is not skipped.
    """
    named = os.environ.get(HOME, "").strip()
    home = Path(named) if named else pytestconfig.rootpath
    if not named and not (home / "rxconfig.py").is_file():
        pytest.fail(
            f"walletmodal_sandbox starts the whole product: set {HOME} to a project with it, or to a checkout. "
            "walletmodal_modal needs none.",
            pytrace=False,
        )
    testing = _testing()
    try:
        stack: RunningStack = testing.RunningStack(home, walletmodal_audience)
        stack.start()
    except testing.NotInstalledError as error:
        pytest.fail(f"{home}: {error}", pytrace=False)
    try:
        yield stack
    finally:
        stack.stop()


def _testing() -> Any:
    try:
        return import_module("walletmodal.testing")
    except ImportError as missing:
        pytest.fail(f"{missing}. The fixtures need more: pip install 'walletmodal[testing]'", pytrace=False)
