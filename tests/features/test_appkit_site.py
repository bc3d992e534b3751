"""A secure site that knows AppKit's messages alone: how the browser is to speak to it, and what it has not."""

from __future__ import annotations

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from tests.features.embedded_stage import (
    EMAIL,
    SITE,
    SOLANA_CHAIN,
    answer,
    asked,
    code,
    connecting,
    mailed,
    secure_site,
)
from walletmodal.features.connect.methods import MethodsState
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.state import EmbeddedState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("appkit_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


@pytest.fixture
def appkit_site(secure_site: None, configure: Configure) -> None:
    """A deployment that speaks to its secure site by AppKit's messages, and would offer passkeys."""
    configure(SECURE_SITE_PROTOCOL="appkit", PROJECT_ID="p1", PASSKEY_OFFER="1")


async def test_the_browser_is_told_how_to_speak_and_for_which_project(driver: Driver) -> None:
    await driver.load(options={"metadata": {"name": "Shop"}})
    secure = (await driver.state(EmbeddedState)).get_value("secure")
    chains = {"eip155": "eip155:1", "solana": SOLANA_CHAIN}
    speaking = {"protocol": "appkit", "project": "p1", "accountType": "smartAccount"}
    assert secure == {"url": SITE, "name": "Shop", "chains": chains, **speaking}


async def test_no_passkey_is_a_way_in(driver: Driver) -> None:
    await driver.load(wallets=[])
    assert (await driver.state(MethodsState)).blocks == ["email", "or", "wallet"]


async def test_no_passkey_is_asked_for_by_whoever_says_so(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(EmbeddedState.begin_passkey)
    assert await asked(driver) == {}


async def test_no_passkey_is_offered_after_a_login(driver: Driver) -> None:
    await mailed(driver)
    await code(driver)
    assert (await driver.state(PasskeysState)).get_value("question") == {}


async def test_another_mail_is_asked_for_with_its_address(driver: Driver) -> None:
    await mailed(driver)
    async with driver.changing(EmbeddedState) as state:
        state._mailed -= 60
    await driver.fire(EmbeddedState.resend)
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("RESEND_CODE", {"email": EMAIL})


async def test_a_mail_needs_no_words_to_be_taken_over(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(EmbeddedState.submit(EMAIL))
    await answer(driver, {"action": "VERIFY_OTP"})
    state = await driver.state(EmbeddedState)
    assert (state.words, state.wait) == ("", 30)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("The key of your wallet is not on this device.", "The key of your wallet is not on this device."),
        ("Unable to load email login dependency", "Something went wrong"),
        ("a" * 900, "a" * 200),
    ],
)
async def test_why_the_accounts_did_not_come_is_said_in_the_sites_words(
    driver: Driver, message: str, shown: str
) -> None:
    command = await connecting(driver)
    await driver.reply(command, code=-32603, message=message)
    state = await driver.state(EmbeddedState)
    assert (state.phase, state.error) == ("failed", shown)
