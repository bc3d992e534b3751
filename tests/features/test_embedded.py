"""Login by email: from the address to the accounts, and every answer that the secure site's frame can give."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.driver import ADDRESS, ORIGIN, Driver, session
from tests.features.embedded_stage import (
    EMAIL,
    SITE,
    SOLANA_ADDRESS,
    SOLANA_CHAIN,
    answer,
    asked,
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
from walletmodal.deployment import Deployment
from walletmodal.features.account.state import SolanaState
from walletmodal.features.connect.methods import MethodsState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.wallets.state import WalletsState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


@pytest.fixture
def clock(deployed: Deployment) -> MovableClock:
    """The deployment's, moved by hand."""
    deployed.clock = clock = MovableClock(datetime(2026, 1, 5, 12, tzinfo=UTC))
    return clock


async def toast(driver: Driver) -> str:
    return (await driver.state(ToastState)).message


async def error(driver: Driver) -> str:
    return (await driver.state(EmbeddedState)).error


async def test_the_browser_is_told_of_the_secure_site(driver: Driver) -> None:
    await driver.load(options={"metadata": {"name": "Shop"}})
    secure = (await driver.state(EmbeddedState)).get_value("secure")
    chains = {"eip155": "eip155:1", "solana": SOLANA_CHAIN}
    assert secure == {"url": SITE, "name": "Shop", "chains": chains, "protocol": "walletmodal", "project": ""}


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


async def recovering(driver: Driver, *ways: str) -> None:
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    assert (await asked(driver))["type"] == "RECOVERY_WAYS"
    await answer(driver, {"ways": list(ways or ("code",))})


async def test_a_wallet_without_a_key_here_leads_to_its_recovery(driver: Driver) -> None:
    await recovering(driver)
    shell = await driver.state(ShellState)
    assert ([view for view, _ in shell._stack], shell.open) == (["Connect", "RecoverWallet"], True)


async def test_a_recovery_by_code_is_the_frames(driver: Driver) -> None:
    await recovering(driver)
    await driver.fire(EmbeddedState.recover("code"))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("RECOVERY", {"way": "code", "site": ORIGIN})


async def test_a_passkey_is_the_first_way_where_there_is_one(driver: Driver) -> None:
    await recovering(driver, "passkey", "code")
    assert (await driver.state(EmbeddedState)).get_value("ways") == ["passkey", "code"]
    await driver.fire(EmbeddedState.recover("passkey"))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("RECOVERY", {"way": "passkey", "site": ORIGIN})


async def test_the_window_of_this_browser_comes_after_a_passkey(driver: Driver) -> None:
    await recovering(driver, "code", "window", "password", "passkey")
    assert (await driver.state(EmbeddedState)).get_value("ways") == ["passkey", "window", "password", "code"]
    await driver.fire(EmbeddedState.recover("window"))
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("RECOVERY", {"way": "window", "site": ORIGIN})


async def test_a_way_that_the_wallet_does_not_have_is_not_gone(driver: Driver) -> None:
    await recovering(driver, "passkey", "mail pigeon")
    assert (await driver.state(EmbeddedState)).get_value("ways") == ["passkey"]
    await driver.fire(EmbeddedState.recover("code"))
    assert await asked(driver) == {}


async def test_a_wallet_that_has_no_way_is_told_so(driver: Driver) -> None:
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await answer(driver, {"ways": []})
    assert (await driver.state(EmbeddedState)).phase == "none"
    await driver.fire(EmbeddedState.recover("code"))
    assert await asked(driver) == {}


@pytest.mark.parametrize(("value", "message"), [(None, "The wallet service cannot be reached"), ({"ways": 7}, "")])
async def test_where_the_ways_are_not_told_none_is_offered_and_they_are_asked_for_again(
    driver: Driver, value: Any, message: str
) -> None:
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await answer(driver, value, message=message)
    own = await driver.state(EmbeddedState)
    assert (own.get_value("ways"), own.error) == ([], message or SOMETHING_WRONG)
    await driver.fire(EmbeddedState.retry)
    assert (await asked(driver))["type"] == "RECOVERY_WAYS"
    await answer(driver, {"ways": ["password"], "escrow": True})
    assert (await driver.state(EmbeddedState)).get_value("ways") == ["password"]


async def test_what_was_recovered_connects(driver: Driver) -> None:
    await recovering(driver)
    await driver.fire(EmbeddedState.recover("code"))
    await answer(driver, {})
    (command,) = await driver.commands("wallet.connect")
    await driver.tell(sessions=sessions())
    await driver.reply(command, value={"sessions": sessions()})
    assert ((await place(driver))[0], (await driver.account()).status) == (False, "connected")


async def test_a_recovery_that_is_cancelled_can_be_begun_again(driver: Driver) -> None:
    await recovering(driver)
    await driver.fire(EmbeddedState.recover("code"))
    await answer(driver, message="User rejected the request", code=4001)
    own = await driver.state(EmbeddedState)
    assert (own.phase, own.error) == ("idle", "")


async def test_a_recovery_that_fails_says_why(driver: Driver) -> None:
    await recovering(driver)
    await driver.fire(EmbeddedState.recover("code"))
    await answer(driver, message="Too many tries", reason="too_many_tries")
    assert await error(driver) == "Too many tries"


async def test_a_recovery_that_nobody_needs_is_not_begun(driver: Driver) -> None:
    await mailed(driver)
    await driver.fire(EmbeddedState.recover("code"))
    assert await asked(driver) == {}


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


async def test_a_lost_session_goes_on_with_the_ways_to_the_wallet(driver: Driver, heir: Driver) -> None:
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.reload_frame()
    assert ((await place(heir))[1], (await asked(heir))["type"]) == ("RecoverWallet", "RECOVERY_WAYS")
    await answer(heir, {"ways": ["passkey"]})
    own = await heir.state(EmbeddedState)
    assert (own.phase, own.get_value("ways")) == ("idle", ["passkey"])


async def test_a_lost_session_keeps_all_ways_and_what_was_said_of_them(driver: Driver, heir: Driver) -> None:
    ways = ["passkey", "window", "password", "code"]
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await answer(driver, {"ways": ways, "holdHours": 24, "deletesAt": 1_900_000_000_000})
    before = await driver.state(EmbeddedState)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.reload_frame()
    own = await heir.state(EmbeddedState)
    assert (own.get_value("ways"), own.hold, own.deletion) == (ways, before.hold, before.deletion)
    assert "" not in (own.hold, own.deletion)


@pytest.mark.parametrize("leave", ["reload", "close"])
async def test_a_mail_that_is_still_waited_for_is_gone_on_with(driver: Driver, leave: str) -> None:
    await mailed(driver)
    if leave == "reload":
        await driver.reload()
    else:
        await driver.fire(ShellState.close)
    await driver.call("open", call_id="again")
    assert await place(driver) == (True, "EmailVerifyOtp")
    await driver.fire(ShellState.back)
    assert await place(driver) == (True, "Connect")


async def test_a_card_in_the_pages_flow_goes_on_with_a_mail_at_once(driver: Driver) -> None:
    await mailed(driver)
    await driver.reload(options={"enableEmbedded": True})
    assert (await driver.state(ShellState)).view == "EmailVerifyOtp"
    await driver.fire(ShellState.back)
    await driver.tell()
    assert (await driver.state(ShellState)).view == "Connect"


async def test_who_has_gone_back_begins_anew(driver: Driver) -> None:
    await mailed(driver)
    await driver.fire(ShellState.back)
    await driver.fire(ShellState.close)
    await driver.call("open", call_id="again")
    assert await place(driver) == (True, "Connect")


async def test_a_mail_that_is_too_old_is_not_gone_on_with(driver: Driver, clock: MovableClock) -> None:
    await mailed(driver)
    await driver.fire(ShellState.close)
    clock.advance(20 * 60)
    await driver.call("open", call_id="again")
    assert await place(driver) == (True, "Connect")


async def test_a_lost_session_goes_on_at_the_code(driver: Driver, heir: Driver) -> None:
    await mailed(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.reload_frame()
    own = await heir.state(EmbeddedState)
    assert (await place(heir), own.email, own.words) == ((True, "EmailVerifyOtp"), EMAIL, "amber fjord")
    await code(heir)
    assert len(await heir.commands("wallet.connect")) == 1


async def test_a_lost_session_still_knows_every_way_to_the_wallet(driver: Driver, heir: Driver) -> None:
    ways = ["passkey", "password", "code"]
    await driver.reply(await connecting(driver), code=4100, message="recovery_needed")
    await answer(driver, {"ways": ways})
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.reload_frame()
    assert ((await place(heir))[1], list((await heir.state(EmbeddedState)).ways)) == ("RecoverWallet", ways)


async def test_a_code_for_which_nothing_is_kept_leads_back_to_the_address(driver: Driver) -> None:
    await mailed(driver)
    await driver.reload()
    await driver.call("open", call_id="again")
    await driver.fire(EmbeddedState.on_code({"ok": False, "message": "This login is over", "reason": "attempt"}))
    assert await place(driver) == (True, "Connect")
    assert (await driver.state(ToastState)).message == "This login is over"
    await driver.fire(ShellState.close)
    await driver.call("open", call_id="third")
    assert await place(driver) == (True, "Connect")


async def test_a_mail_that_cannot_be_sent_again_leads_back_to_the_address(driver: Driver, clock: MovableClock) -> None:
    await mailed(driver)
    clock.advance(30)
    await driver.fire(EmbeddedState.resend)
    await answer(driver, message="This login is over", reason="attempt")
    assert (await place(driver), (await driver.state(ToastState)).message) == ((True, "Connect"), "This login is over")
