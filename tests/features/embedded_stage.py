"""A visitor who logs in by email, and a secure site's frame that answers as it is told: what the tests of the embedded wallet share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import pytest

from tests.driver import ADDRESS, Driver, session
from tests.features.conftest import Configure
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import Deployment
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState

EMAIL: Final = "kim@example.org"
SOLANA_ADDRESS: Final = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv"
SOLANA_CHAIN: Final = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
SITE: Final = "https://secure.example/sdk"


@pytest.fixture
def secure_site(configure: Configure) -> None:
    """A deployment with a secure site, and networks of both namespaces that it serves; nobody is offered a passkey."""
    configure(SECURE_SITE_URL=SITE, NETWORKS=f"eip155:1,eip155:137,{SOLANA_CHAIN}", PASSKEY_OFFER="0")


@pytest.fixture
def clock(deployed: Deployment) -> MovableClock:
    """The deployment's, moved by hand."""
    deployed.clock = clock = MovableClock(datetime(2026, 1, 5, 12, tzinfo=UTC))
    return clock


def logged_in(**changes: Any) -> dict[str, Any]:
    """What the embedded wallet holds on Ethereum."""
    return {
        **session(ADDRESS, connector="ID_AUTH"),
        "approved": None,
        "peer": {"name": "Email wallet", "icon": ""},
        "user": {"email": EMAIL},
        **changes,
    }


def sessions() -> dict[str, Any]:
    """What it holds everywhere."""
    solana = logged_in(accounts=[SOLANA_ADDRESS], chain=SOLANA_CHAIN.partition(":")[2])
    return {"eip155": logged_in(), "solana": solana}


async def asked(driver: Driver) -> dict[str, Any]:
    """What the frame is asked; empty for nothing."""
    return dict((await driver.state(EmbeddedState)).get_value("question"))


async def answer(driver: Driver, value: Any = None, *, message: str = "", reason: str = "", code: int = 0) -> None:
    """The frame answers what it is asked; with a message, as an error."""
    error = {"code": code, "message": message, "reason": reason} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": error is None, "value": value, "error": error}
    await driver.fire(EmbeddedState.on_answer(outcome))


async def submit(driver: Driver, email: str = EMAIL, **parts: Any) -> None:
    """A visitor has opened the modal and typed an address."""
    await driver.load(**parts)
    await driver.call("open")
    await driver.fire(EmbeddedState.submit(email))


def mail(action: str = "VERIFY_OTP", **changes: Any) -> dict[str, Any]:
    """The frame's answer to a question for a mail."""
    return {"action": action, "words": "amber fjord", "retryAfter": 30, **changes}


async def mailed(driver: Driver, **parts: Any) -> None:
    """A mail with a code is on its way."""
    await submit(driver, **parts)
    await answer(driver, mail())


async def code(driver: Driver, message: str = "", reason: str = "", *, told: bool = False) -> None:
    """The frame has looked at a code. `told`: the accounts came before the word that it was right."""
    await driver.fire(EmbeddedState.on_code({"ok": not message, "message": message, "reason": reason, "told": told}))


async def connecting(driver: Driver, **parts: Any) -> dict[str, Any]:
    """The code was right: the command that asks for the accounts."""
    await mailed(driver, **parts)
    await code(driver)
    (command,) = await driver.commands("wallet.connect")
    return command


async def connected(driver: Driver, **parts: Any) -> None:
    """The accounts have come."""
    command = await connecting(driver, **parts)
    await driver.tell(sessions=sessions(), **parts)
    await driver.reply(command, value={"sessions": sessions()})


async def place(driver: Driver) -> tuple[bool, str]:
    """Whether the modal is open, and on which view."""
    shell = await driver.state(ShellState)
    return shell.open, shell.view


def told(driver: Driver, event: str) -> list[dict[str, Any]]:
    """The properties of the events of a name."""
    return [dict(item["properties"]) for item in driver.told() if item["event"] == event]


def events(driver: Driver) -> list[str]:
    """The names of the events about email and connecting, in their order."""
    return [item["event"] for item in driver.told() if "EMAIL" in item["event"] or "CONNECT_" in item["event"]]
