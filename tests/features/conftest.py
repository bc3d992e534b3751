"""Fixtures of the state tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from reflex.istate.manager import StateManager

from tests.driver import Driver
from tests.features.namespaces import EVERY_CHAIN
from walletmodal.config import settings
from walletmodal.deployment import Deployment
from walletmodal.features.account import wallet_requests
from walletmodal.features.bridge.wiring import install
from walletmodal.services.policy import Policy, PolicyFile
from walletmodal.wiring import WIRING

Configure = Callable[..., None]
"""Sets settings by the names that they have in the environment; None takes one away."""
Rewire = Callable[..., None]
IMPORTS = "from walletmodal.policy import Allow, Confirm, Deny\n"


@pytest.fixture
def configure() -> Iterator[Configure]:
    """Sets settings of the deployment until the end of the test."""
    with pytest.MonkeyPatch.context() as environment:

        def use(**values: str | None) -> None:
            for name, value in values.items():
                if value is None:
                    environment.delenv(name, raising=False)
                else:
                    environment.setenv(name, value)
            settings.cache_clear()

        yield use
    settings.cache_clear()


@pytest.fixture
def every_chain(configure: Configure) -> None:
    """A deployment that offers networks of all namespaces."""
    configure(NETWORKS=",".join(EVERY_CHAIN))


@pytest.fixture
def mute_wallet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wallet that is asked what it discovers and says nothing, without the seconds that it is given for it."""
    monkeypatch.setattr(wallet_requests, "ANSWER_SECONDS", 0.01)


@pytest_asyncio.fixture
async def heir(manager: StateManager, driver: Driver) -> AsyncIterator[Driver]:
    """The same tab after its session was lost: a new token, the page goes on."""
    after = Driver(manager, token="visitor-again")
    after.follow(driver)
    async with after.processor:
        yield after


@pytest.fixture
def decides(deployed: Deployment, tmp_path: Path) -> Callable[[str], None]:
    """Gives the deployment a policy: the body of `decide(request)`."""

    def use(body: str) -> None:
        path = tmp_path / "policy.py"
        path.write_text(f"{IMPORTS}def decide(request):\n    {body}\n", "utf-8")
        deployed.policy = Policy(PolicyFile(path), seconds=60.0)

    return use


@pytest.fixture
def rewire() -> Iterator[Rewire]:
    """Puts handlers of the test's own in the place of the app's: fields of `Wiring`."""

    def use(**handlers: Any) -> None:
        install(replace(WIRING, **handlers))

    yield use
    install(WIRING)
