"""A login by passkey: where it is offered, and every answer that the secure site's frame can give."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import answer, asked, place, secure_site, sessions, told
from tests.features.returning import returns
from walletmodal.features.connect.methods import MethodsState
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

REFUSED: dict[str, Any] = {"message": "This passkey opens no wallet here.", "reason": "passkey_unknown"}


async def begin(driver: Driver, **parts: Any) -> None:
    """A visitor has chosen their passkey in Connect."""
    await driver.load(**parts)
    await driver.call("open")
    await driver.fire(EmbeddedState.begin_passkey)


@pytest.mark.parametrize(
    ("features", "blocks"),
    [
        ({}, ["email", "passkey", "or", "wallet"]),
        ({"connectMethodsOrder": ["wallet", "email"]}, ["wallet", "or", "email", "passkey"]),
        ({"email": False}, ["wallet"]),
    ],
)
async def test_it_stands_below_what_makes_such_wallets(
    driver: Driver, features: dict[str, Any], blocks: list[str]
) -> None:
    await driver.load(options={"features": features}, wallets=[])
    assert list((await driver.state(MethodsState)).blocks) == blocks


async def test_the_frame_asks_for_the_passkey_in_its_own_view(driver: Driver) -> None:
    await begin(driver)
    assert (await place(driver), (await asked(driver))["type"]) == ((True, "ConnectingPasskey"), "CONNECT_PASSKEY")


async def test_its_wallet_connects_and_no_passkey_is_offered(driver: Driver) -> None:
    await begin(driver)
    await answer(driver, {})
    (command,) = await driver.commands("wallet.connect")
    assert (await driver.state(PasskeysState)).get_value("question") == {}
    await driver.tell(sessions=sessions())
    await driver.reply(command, value={"sessions": sessions()})
    assert told(driver, "CONNECT_SUCCESS") == [{"method": "passkey", "name": "Email wallet"}]
    assert (await place(driver))[0] is False


async def test_a_passkey_that_opens_nothing_is_told_and_can_be_tried_again(driver: Driver) -> None:
    await begin(driver)
    await answer(driver, **REFUSED)
    assert (await driver.state(EmbeddedState)).error == REFUSED["message"]
    await driver.fire(EmbeddedState.begin_passkey)
    assert ((await asked(driver))["type"], (await driver.state(EmbeddedState)).error) == ("CONNECT_PASSKEY", "")


async def test_who_cancels_is_back_where_they_chose(driver: Driver) -> None:
    await begin(driver)
    await answer(driver, message="User rejected the request", code=4001)
    assert await place(driver) == (True, "Connect")


async def test_who_goes_back_is_asked_no_more(driver: Driver) -> None:
    await begin(driver)
    await driver.fire(ShellState.back)
    assert (await place(driver), await asked(driver)) == ((True, "Connect"), {})


async def test_an_error_does_not_stay_in_connect(driver: Driver) -> None:
    await begin(driver)
    await answer(driver, **REFUSED)
    await driver.fire(ShellState.back)
    assert (await driver.state(EmbeddedState)).error == ""


async def test_without_a_secure_site_nothing_is_begun(driver: Driver) -> None:
    await begin(driver, options={"adapters": ["bip122"]})
    assert (await asked(driver), await place(driver)) == ({}, (True, "Connect"))


async def test_a_lost_session_goes_on_with_the_same_question(driver: Driver, heir: Driver) -> None:
    await begin(driver)
    before = await asked(driver)
    await returns(heir, driver)
    assert (await place(heir), await asked(heir)) == ((True, "ConnectingPasskey"), before)
