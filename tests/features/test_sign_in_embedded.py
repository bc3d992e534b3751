"""Signing in with the embedded wallet: what its frame shows is the one question."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, Driver
from tests.features.embedded_stage import logged_in, secure_site
from tests.features.test_sign_in import OPTIONAL, REQUIRED, held, identify, question, signature, view
from walletmodal.deployment import Deployment
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


async def arrive(driver: Driver, options: dict[str, Any] = REQUIRED) -> dict[str, Any]:
    """A page that wants sign-ins, with an account of the embedded wallet; what the frame is asked."""
    await driver.load(options=options, sessions={"eip155": logged_in()})
    await identify(driver)
    return await question(driver)


@pytest.mark.parametrize("options", [REQUIRED, OPTIONAL])
async def test_the_frame_is_asked_at_once_and_its_approval_signs_in(
    driver: Driver, deployed: Deployment, options: dict[str, Any]
) -> None:
    command = await arrive(driver, options)
    assert await view(driver) == "ApproveTransaction"
    await driver.reply(command, value=signature(command))
    assert [str(one.account) for one in await held(deployed)] == [f"eip155:1:{ADDRESS}"]
    assert await view(driver) == ""


async def test_who_rejects_is_asked_again_by_the_view_alone(driver: Driver) -> None:
    command = await arrive(driver)
    await driver.reply(command, code=4001, message="User rejected the request")
    assert (await view(driver), await driver.commands("wallet.request")) == ("SIWXSignMessage", [])
    assert (await driver.state(ToastState)).message
    await driver.fire(SignInState.sign)
    assert await view(driver) == "ApproveTransaction"
