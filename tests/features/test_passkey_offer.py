"""The offer of a passkey right after a login: when it comes, and what it never stands in the way of."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, Driver
from tests.features.conftest import Configure
from tests.features.embedded_stage import (
    EMAIL,
    answer,
    code,
    connecting,
    mail,
    mailed,
    place,
    secure_site,
    sessions,
    told,
)
from tests.features.returning import returns
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("offering"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

OFFER = (True, "AddPasskey")


@pytest.fixture
def offering(secure_site: None, configure: Configure) -> None:
    """A deployment that offers passkeys, as it does by default."""
    configure(PASSKEY_OFFER=None)


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await driver.state(PasskeysState)).get_value("question"))


async def offered(driver: Driver, value: Any, *, ok: bool = True) -> None:
    """The frame says whether a passkey is worth offering."""
    outcome = {"id": (await asked(driver))["id"], "ok": ok, "value": value, "error": None}
    await driver.fire(PasskeysState.on_answer(outcome))


async def accounts_come(driver: Driver, command: dict[str, Any]) -> None:
    await driver.tell(sessions=sessions())
    await driver.reply(command, value={"sessions": sessions()})


async def test_the_frame_is_asked_while_the_accounts_come(driver: Driver) -> None:
    await connecting(driver)
    assert (await asked(driver))["type"] == "PASSKEY_OFFER"


async def test_accounts_that_were_told_with_the_code_wait_for_the_offer_too(driver: Driver) -> None:
    await mailed(driver)
    await driver.tell(sessions=sessions())
    await code(driver, told=True)
    assert await place(driver) == (True, "EmailVerifyOtp")
    await offered(driver, {"offer": True})
    assert await place(driver) == OFFER


@pytest.mark.parametrize("first", ["answer", "accounts"])
async def test_a_wallet_without_one_is_offered_one(driver: Driver, first: str) -> None:
    command = await connecting(driver)
    if first == "answer":
        await offered(driver, {"offer": True})
    await accounts_come(driver, command)
    if first == "accounts":
        assert await place(driver) == (True, "EmailVerifyOtp")
        await offered(driver, {"offer": True})
    assert await place(driver) == OFFER


async def test_the_host_knows_of_the_account_before_the_offer_is_answered(driver: Driver) -> None:
    await accounts_come(driver, await connecting(driver))
    assert told(driver, "CONNECT_SUCCESS") == [{"method": "email", "name": "Email wallet"}]
    assert await place(driver) == (True, "EmailVerifyOtp")


@pytest.mark.parametrize(
    ("value", "ok"), [({"offer": False}, True), ({}, True), (None, True), ("x", True), (None, False)]
)
@pytest.mark.parametrize("first", ["answer", "accounts"])
async def test_where_none_is_worth_offering_the_modal_closes(driver: Driver, value: Any, ok: bool, first: str) -> None:
    command = await connecting(driver)
    if first == "answer":
        await offered(driver, value, ok=ok)
    await accounts_come(driver, command)
    if first == "accounts":
        await offered(driver, value, ok=ok)
    assert (await place(driver))[0] is False


@pytest.mark.parametrize(("value", "after"), [({"offer": True}, OFFER), ({"offer": False}, (False, "EmailVerifyOtp"))])
async def test_the_offer_waits_for_a_request_that_has_taken_the_view(
    driver: Driver, value: Any, after: tuple[bool, str]
) -> None:
    await accounts_come(driver, await connecting(driver))
    await driver.request("personal_sign", ["0x68656c6c6f", ADDRESS], call_id="request")
    await offered(driver, value)
    assert await place(driver) == (True, "ApproveTransaction")
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, value="0x1234")
    # The browser says it again where the login is seen again.
    await offered(driver, value)
    assert await place(driver) == after


async def test_who_wants_none_goes_on_to_where_they_were_going(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="WalletReceive")
    await driver.fire(EmbeddedState.submit(EMAIL))
    await answer(driver, mail())
    await code(driver)
    (command,) = await driver.commands("wallet.connect")
    await offered(driver, {"offer": True})
    await accounts_come(driver, command)
    assert await place(driver) == OFFER
    await driver.fire(PasskeysState.skip)
    assert await place(driver) == (True, "WalletReceive")


async def test_a_passkey_that_was_added_leads_on(driver: Driver) -> None:
    command = await connecting(driver)
    await offered(driver, {"offer": True})
    await accounts_come(driver, command)
    await driver.fire(PasskeysState.add)
    assert (await asked(driver))["type"] == "PASSKEY_ADD"
    added = {"id": "a", "name": "Chrome", "site": "", "createdAt": 1, "lastUsedAt": 1}
    await offered(driver, {"passkeys": [added]})
    assert (await place(driver))[0] is False


async def test_a_deployment_may_offer_none(driver: Driver, configure: Configure) -> None:
    configure(PASSKEY_OFFER="0")
    command = await connecting(driver)
    assert await asked(driver) == {}
    await accounts_come(driver, command)
    assert (await place(driver))[0] is False


async def test_a_required_sign_in_comes_first(driver: Driver) -> None:
    command = await connecting(driver, options={"siwx": {"required": True}})
    await offered(driver, {"offer": True})
    await driver.tell(sessions=sessions(), options={"siwx": {"required": True}})
    await driver.reply(command, value={"sessions": sessions()})
    assert (await place(driver))[1] != "AddPasskey"


async def test_closing_ends_the_offer(driver: Driver) -> None:
    await accounts_come(driver, await connecting(driver))
    await driver.fire(ShellState.close)
    assert await asked(driver) == {}
    assert (await driver.state(PasskeysState)).phase == "loading"


async def test_a_lost_session_waits_for_the_offer_again(driver: Driver, heir: Driver) -> None:
    await accounts_come(driver, await connecting(driver))
    before = await asked(driver)
    await returns(heir, driver, sessions=sessions())
    assert (await place(heir), await asked(heir)) == ((True, "EmailVerifyOtp"), before)
    await offered(heir, {"offer": False})
    assert (await place(heir))[0] is False


async def test_a_lost_session_loads_the_list_again(driver: Driver, heir: Driver) -> None:
    await accounts_come(driver, await connecting(driver))
    await offered(driver, {"offer": False})
    await driver.call("open", call_id="list", view="Passkeys")
    await driver.fire(PasskeysState.load)
    await offered(driver, {"passkeys": []})
    await returns(heir, driver, sessions=sessions())
    assert ((await place(heir))[1], (await asked(heir))["type"]) == ("Passkeys", "PASSKEY_LIST")
