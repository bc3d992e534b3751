"""A visitor who is asked to confirm what the host page wants, as the tests of ApproveTransaction drive one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.conftest import Configure
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.shell.state import ShellState

HELLO = ["0x" + b"Hello".hex(), ADDRESS]
PAY = [{"from": ADDRESS, "to": OTHER, "value": "0x1"}]


@pytest.fixture
def all_confirmed(configure: Configure) -> None:
    """A deployment whose visitors confirm every request."""
    configure(CONFIRM_REQUESTS="all")


async def sign(driver: Driver, text: str = "Hello", *, call: str = "request") -> None:
    await driver.request("personal_sign", ["0x" + text.encode().hex(), ADDRESS], call_id=call)


async def shown(driver: Driver) -> dict[str, Any]:
    return dict((await driver.state(ApproveState)).get_value("request"))


async def seen(driver: Driver) -> str:
    return (await driver.state(ApproveState)).seen


async def phase(driver: Driver) -> str:
    return (await driver.state(ApproveState)).phase


async def approve(driver: Driver) -> None:
    await driver.fire(ApproveState.approve(await seen(driver)))


async def reject(driver: Driver) -> None:
    await driver.fire(ApproveState.reject(await seen(driver)))


async def view(driver: Driver) -> tuple[bool, str]:
    shell = await driver.state(ShellState)
    return shell.open, shell.view


async def asked(driver: Driver) -> list[str]:
    """The host's calls that the wallet is asked for."""
    return [command["params"]["request"] for command in await driver.commands("wallet.request")]


async def refusal(driver: Driver, call: str = "request") -> tuple[int, str]:
    error = (await driver.answer(call))["error"]
    return error["code"], error["message"]


async def wallet_answers(driver: Driver) -> None:
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, value="0x00")


async def place(driver: Driver) -> tuple[int, int]:
    state = await driver.state(ApproveState)
    return state.place, state.total


@pytest.fixture
async def waiting(all_confirmed: None, driver: Driver) -> Driver:
    """A visitor who is asked to sign a message."""
    await driver.connect()
    await sign(driver)
    return driver
