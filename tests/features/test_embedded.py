"""Login by email: from the address to the accounts, and every answer that the secure site's frame can give."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, Driver, session
from tests.features.embedded_stage import (
    EMAIL,
    SITE,
    SOLANA_ADDRESS,
    SOLANA_CHAIN,
    answer,
    asked,
    clock,
    code,
    connected,
    connecting,
    events,
    mail,
    mailed,
    place,
    secure_site,
    sessions,
    submit,
    told,
)
from walletmodal.core.clock import MovableClock
from walletmodal.core.text.texts import CODE_RESENT, EMAIL_INVALID, SOMETHING_WRONG
from walletmodal.features.account.state import SolanaState
from walletmodal.features.connect.methods import MethodsState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.wallets.state import WalletsState

__all__ = ["clock", "secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


async def toast(driver: Driver) -> str:
    return (await driver.state(ToastState)).message


async def error(driver: Driver) -> str:
    return (await driver.state(EmbeddedState)).error


async def test_the_browser_is_told_of_the_secure_site(driver: Driver) -> None:
    await driver.load(options={"metadata": {"name": "Shop"}})
    secure = (await driver.state(EmbeddedState)).get_value("secure")
    chains = {"eip155": "eip155:1", "solana": SOLANA_CHAIN}
    speaking = {"protocol": "walletmodal", "project": "", "accountType": "smartAccount"}
    assert secure == {"url": SITE, "name": "Shop", "chains": chains, **speaking}


@pytest.mark.parametrize(
    ("options", "blocks"),
    [
        ({}, ["email", "passkey", "or", "wallet"]),
        ({"features": {"email": False}}, ["wallet"]),
        ({"adapters": ["bip122"]}, ["wallet"]),
        ({"adapters": ["solana"]}, ["email", "passkey", "or", "wallet"]),
        ({"features": {"connectMethodsOrder": ["wallet", "email"]}}, ["wallet", "or", "email", "passkey"]),
    ],
)
async def test_email_is_offered_where_it_serves(driver: Driver, options: dict[str, Any], blocks: list[str]) -> None:
    await driver.load(options=options, wallets=[])
    assert (await driver.state(MethodsState)).blocks == blocks


async def test_email_is_not_offered_for_a_namespace_that_it_does_not_serve(driver: Driver) -> None:
    await driver.load(wallets=[])
    await driver.call("open", namespace="bip122")
    assert (await driver.state(MethodsState)).blocks == ["wallet"]


async def test_the_field_that_gets_the_focus_is_told_of(driver: Driver) -> None:
    await driver.load()
    await driver.fire(EmbeddedState.on_focused)
    assert told(driver, "EMAIL_LOGIN_SELECTED") == [{}]


async def test_an_address_goes_to_the_frame(driver: Driver) -> None:
    await submit(driver, f" {EMAIL} ")
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("CONNECT_EMAIL", {"email": EMAIL})


@pytest.mark.parametrize("typed", ["", "kim", "kim@", "kim@host", 7, None, {"a": 1}])
async def test_what_is_no_address_stays_here(driver: Driver, typed: Any) -> None:
    await driver.load()
    await driver.fire(EmbeddedState.submit(typed))
    assert (await asked(driver), await error(driver)) == ({}, EMAIL_INVALID)


async def test_a_mail_leads_to_its_code(driver: Driver) -> None:
    await mailed(driver)
    own = await driver.state(EmbeddedState)
    assert await place(driver) == (True, "EmailVerifyOtp")
    assert (own.email, own.words, own.wait) == (EMAIL, "amber fjord", 30)
    assert events(driver) == ["EMAIL_SUBMITTED", "EMAIL_VERIFICATION_CODE_SENT"]


@pytest.mark.parametrize(
    ("changes", "words", "wait"),
    [({"words": "<b>x</b>"}, "", 30), ({"words": 7}, "", 30), ({"retryAfter": -1}, "amber fjord", 30)],
)
async def test_nonsense_about_a_mail_is_left_out(
    driver: Driver, changes: dict[str, Any], words: str, wait: int
) -> None:
    await submit(driver)
    await answer(driver, mail(**changes))
    own = await driver.state(EmbeddedState)
    assert (own.words, own.wait) == (words, wait)


@pytest.mark.parametrize("value", [None, 7, [], {}, {"action": "FLY"}])
async def test_an_answer_that_makes_no_sense_leads_nowhere(driver: Driver, value: Any) -> None:
    await submit(driver)
    await answer(driver, value)
    assert (await place(driver), await toast(driver)) == ((True, "Connect"), SOMETHING_WRONG)


async def test_an_address_that_the_site_refuses_is_said_beside_the_field(driver: Driver) -> None:
    await submit(driver)
    await answer(driver, message="Invalid email", reason="invalid_email", code=-32602)
    assert await error(driver) == EMAIL_INVALID


async def test_other_refusals_are_toasts(driver: Driver) -> None:
    await submit(driver)
    await answer(driver, message="Please try again after 12 seconds", reason="cooldown")
    assert await toast(driver) == "Please try again after 12 seconds"


async def test_a_frame_that_does_not_come_is_the_developers_to_look_at(driver: Driver) -> None:
    await submit(driver)
    await answer(driver, message="Unable to load email login dependency", code=4900)
    warnings = await driver.commands("host.warn")
    assert any("SECURE_SITE_URL can be reached" in warning["params"]["message"] for warning in warnings)
    assert await toast(driver) == SOMETHING_WRONG


async def test_another_mail_within_half_a_minute_is_not_asked_for(driver: Driver) -> None:
    await mailed(driver)
    await driver.fire(ShellState.back)
    await driver.fire(EmbeddedState.submit("other@example.org"))
    assert (await asked(driver), await toast(driver)) == ({}, "Please try again after 30 seconds")


async def test_after_half_a_minute_it_is(driver: Driver, clock: MovableClock) -> None:
    await mailed(driver)
    await driver.fire(ShellState.back)
    clock.advance(30)
    await driver.fire(EmbeddedState.submit("other@example.org"))
    assert (await asked(driver))["payload"] == {"email": "other@example.org"}


async def test_an_answer_to_nothing_is_not_heard(driver: Driver) -> None:
    await submit(driver)
    await driver.fire(EmbeddedState.on_answer({"id": "other", "ok": True, "value": mail(), "error": None}))
    assert await place(driver) == (True, "Connect")


async def test_a_right_code_asks_for_the_accounts(driver: Driver) -> None:
    command = await connecting(driver)
    assert (command["params"]["connector"], command["params"]["namespace"]) == ("ID_AUTH", "")
    assert events(driver)[-1] == "EMAIL_VERIFICATION_CODE_PASS"


async def test_accounts_that_were_told_with_a_right_code_are_not_asked_for(driver: Driver) -> None:
    await mailed(driver)
    await driver.tell(sessions=sessions())
    await code(driver, told=True)
    assert (await driver.commands("wallet.connect"), (await place(driver))[0]) == ([], False)
    assert told(driver, "CONNECT_SUCCESS") == [{"method": "email", "name": "Email wallet"}]


async def test_an_account_is_known_before_the_word_that_the_code_was_right(driver: Driver) -> None:
    await mailed(driver)
    await driver.tell(sessions=sessions())
    assert ((await driver.account()).address, await place(driver)) == (ADDRESS, (True, "EmailVerifyOtp"))


async def test_accounts_are_asked_for_where_another_wallet_keeps_a_namespace(driver: Driver) -> None:
    await mailed(driver)
    await driver.tell(sessions={**sessions(), "eip155": session(ADDRESS)})
    await code(driver, told=True)
    assert len(await driver.commands("wallet.connect")) == 1


async def test_accounts_of_before_are_not_those_of_a_code_that_told_none(driver: Driver) -> None:
    await mailed(driver)
    await driver.tell(sessions=sessions())
    await code(driver)
    assert len(await driver.commands("wallet.connect")) == 1


async def test_a_wrong_code_is_said(driver: Driver) -> None:
    await mailed(driver)
    await code(driver, "Invalid code", "invalid_code")
    assert await error(driver) == "Invalid code. Try Again"
    assert told(driver, "EMAIL_VERIFICATION_CODE_FAIL") == [{"message": "Invalid code"}]


@pytest.mark.parametrize("payload", [None, 7, "x", {"ok": "yes"}])
async def test_an_outcome_that_makes_no_sense_connects_nobody(driver: Driver, payload: Any) -> None:
    await mailed(driver)
    await driver.fire(EmbeddedState.on_code(payload))
    assert await driver.commands("wallet.connect") == []


async def test_an_outcome_without_a_mail_connects_nobody(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="EmailVerifyOtp")
    await code(driver)
    assert await driver.commands("wallet.connect") == []


async def test_the_accounts_of_both_namespaces_connect_and_the_modal_closes(driver: Driver) -> None:
    await connected(driver)
    assert ((await driver.account()).address, (await driver.state(SolanaState)).address) == (ADDRESS, SOLANA_ADDRESS)
    assert (await place(driver))[0] is False
    assert told(driver, "CONNECT_SUCCESS") == [{"method": "email", "name": "Email wallet"}]
    assert (await driver.state(EmbeddedState)).get_value("person") == {"login": "email", "label": EMAIL, "email": EMAIL}


async def test_the_code_itself_is_in_no_state_and_no_command(driver: Driver) -> None:
    await connected(driver)
    # Ids are random texts: a name of that length in quotes is none of them.
    assert "'otp'" not in str(driver.deltas)


async def test_accounts_lead_on_to_the_view_that_needed_one(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="Account")
    await driver.fire(EmbeddedState.submit(EMAIL))
    await answer(driver, mail())
    await code(driver)
    (command,) = await driver.commands("wallet.connect")
    await driver.tell(sessions=sessions())
    await driver.reply(command, value={"sessions": sessions()})
    assert await place(driver) == (True, "Account")


async def test_the_active_namespace_stays_active(driver: Driver) -> None:
    await driver.load()
    await driver.fire(NetworksState.choose(SOLANA_CHAIN))
    await driver.call("open")
    await driver.fire(EmbeddedState.submit(EMAIL))
    await answer(driver, mail("CONNECT"))
    (command,) = await driver.commands("wallet.connect")
    await driver.tell(sessions=sessions())
    await driver.reply(command, value={"sessions": sessions()})
    assert (await driver.state(NetworksState)).active == SOLANA_CHAIN


async def test_accounts_that_do_not_come_are_asked_for_again(driver: Driver) -> None:
    command = await connecting(driver)
    await driver.reply(command, code=-32603, message="Something went wrong")
    phase = (await driver.state(EmbeddedState)).phase
    await driver.fire(EmbeddedState.retry)
    assert (phase, len(await driver.commands("wallet.connect"))) == ("failed", 1)
    assert told(driver, "CONNECT_ERROR") == [{"message": "Something went wrong"}]


async def test_accounts_that_come_late_count(driver: Driver) -> None:
    command = await connecting(driver)
    await driver.reply(command, code=-32002, message="No answer in time")
    await driver.tell(sessions=sessions())
    assert (await place(driver))[0] is False


async def test_another_device_is_asked_first(driver: Driver) -> None:
    await submit(driver)
    await answer(driver, mail("VERIFY_DEVICE"))
    assert (await place(driver), (await asked(driver))["type"]) == ((True, "EmailVerifyDevice"), "CONNECT_DEVICE")
    await answer(driver, {})
    assert await place(driver) == (True, "EmailVerifyOtp")
    assert events(driver) == ["EMAIL_SUBMITTED", "DEVICE_REGISTERED_FOR_EMAIL", "EMAIL_VERIFICATION_CODE_SENT"]


async def test_a_device_that_is_not_approved_goes_back(driver: Driver) -> None:
    await submit(driver)
    await answer(driver, mail("VERIFY_DEVICE"))
    await answer(driver, message="The link has expired")
    assert (await place(driver), await toast(driver)) == ((True, "Connect"), "The link has expired")


async def test_a_device_that_is_known_needs_no_code(driver: Driver) -> None:
    await submit(driver)
    await answer(driver, mail("CONNECT"))
    assert len(await driver.commands("wallet.connect")) == 1


async def test_the_code_is_sent_again(driver: Driver, clock: MovableClock) -> None:
    await mailed(driver)
    before = (await driver.state(EmbeddedState)).sent
    clock.advance(30)
    await driver.fire(EmbeddedState.resend)
    assert (await asked(driver))["type"] == "RESEND_CODE"
    await answer(driver, mail(words="quiet harbor"))
    own = await driver.state(EmbeddedState)
    assert (own.words, own.sent != before, await toast(driver)) == ("quiet harbor", True, CODE_RESENT)
    assert events(driver).count("EMAIL_VERIFICATION_CODE_SENT") == 2


async def test_the_code_is_not_sent_again_at_once(driver: Driver) -> None:
    await mailed(driver)
    await driver.fire(EmbeddedState.resend)
    assert await asked(driver) == {}


async def test_the_link_that_is_sent_again_is_waited_for(driver: Driver, clock: MovableClock) -> None:
    await submit(driver)
    await answer(driver, mail("VERIFY_DEVICE"))
    clock.advance(30)
    await driver.fire(EmbeddedState.resend)
    await answer(driver, mail("VERIFY_DEVICE"))
    assert (await place(driver), (await asked(driver))["type"]) == ((True, "EmailVerifyDevice"), "CONNECT_DEVICE")


async def test_closing_forgets_what_was_asked(driver: Driver) -> None:
    await submit(driver)
    await driver.fire(ShellState.close)
    assert await asked(driver) == {}


async def test_disconnecting_one_namespace_ends_both(driver: Driver) -> None:
    await connected(driver)
    await driver.call("disconnect", namespace="solana")
    (command,) = await driver.commands("wallet.disconnect")
    await driver.tell(sessions={})
    await driver.reply(command)
    assert ((await driver.account()).status, (await driver.answer("call-disconnect"))["ok"]) == ("disconnected", True)


async def test_switching_the_network_asks_no_wallet(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(NetworksState.choose("eip155:137"))
    assert ((await driver.account()).caip_address, await driver.commands("wallet.request")) == (
        f"eip155:137:{ADDRESS}",
        [],
    )


async def test_it_is_no_row_of_the_list(driver: Driver) -> None:
    await driver.load()
    assert "ID_AUTH" not in str((await driver.state(WalletsState)).get_value("sections"))
