"""A change of the embedded wallet's address: what the frame is asked, where its answers lead, and what anyone may call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import EMAIL, connected, events, logged_in, mail, place, secure_site, told
from walletmodal.core.text.texts import EMAIL_INVALID, SOMETHING_WRONG
from walletmodal.features.embedded.email_update import EMAIL_UPDATED, EmailUpdateState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("secure_site"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

NEW = "lee@example.org"


async def own(driver: Driver) -> Any:
    return await driver.state(EmailUpdateState)


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await own(driver)).get_value("question"))


async def mailed(driver: Driver) -> dict[str, Any]:
    return dict((await own(driver)).get_value("mail"))


async def answer(driver: Driver, value: Any = None, *, message: str = "", reason: str = "", code: int = 0) -> None:
    error = {"code": code, "message": message, "reason": reason} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": error is None, "value": value, "error": error}
    await driver.fire(EmailUpdateState.on_answer(outcome))


async def editing(driver: Driver) -> None:
    """The visitor has come from the settings to the field."""
    await connected(driver)
    await driver.call("open", call_id="settings", view="AccountSettings")
    await driver.fire(ShellState.push("UpdateEmailWallet"))


async def saved(driver: Driver, email: str = NEW) -> None:
    await editing(driver)
    await driver.fire(EmailUpdateState.save(email))


async def confirming(driver: Driver, step: str = "VERIFY_PRIMARY_OTP") -> None:
    """The frame has sent the code."""
    await saved(driver)
    await answer(driver, mail(step))


def outcome(message: str = "", words: str = "") -> dict[str, Any]:
    return {"ok": not message, "message": message, "reason": "", "words": words}


async def test_the_new_address_goes_to_the_frame(driver: Driver) -> None:
    await saved(driver, f" {NEW} ")
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("UPDATE_EMAIL", {"email": NEW})


@pytest.mark.parametrize("typed", ["", "kim@", 7, None])
async def test_what_is_no_address_stays_here(driver: Driver, typed: Any) -> None:
    await saved(driver, typed)
    assert (await asked(driver), (await own(driver)).error) == ({}, EMAIL_INVALID)


async def test_the_same_address_is_not_asked_for(driver: Driver) -> None:
    await saved(driver, EMAIL)
    assert await asked(driver) == {}


async def test_nothing_is_asked_where_the_view_is_not_seen(driver: Driver) -> None:
    await connected(driver)
    await driver.fire(EmailUpdateState.save(NEW))
    assert await asked(driver) == {}


async def test_who_has_no_address_changes_none(driver: Driver) -> None:
    social = logged_in(user={"email": "", "name": "Kim", "provider": "google"})
    await driver.load(sessions={"eip155": social})
    await driver.call("open", view="UpdateEmailWallet")
    await driver.fire(EmailUpdateState.save(NEW))
    assert await asked(driver) == {}


async def test_a_code_to_the_present_address_is_asked_for_first(driver: Driver) -> None:
    await confirming(driver)
    sent = await mailed(driver)
    assert (await place(driver))[1] == "UpdateEmailPrimaryOtp"
    assert (sent["to"], sent["words"], sent["wait"]) == (EMAIL, "amber fjord", 30)
    assert events(driver)[-1] == "EMAIL_EDIT"


async def test_then_one_to_the_new_address(driver: Driver) -> None:
    await confirming(driver)
    await driver.fire(EmailUpdateState.on_primary(outcome(words="quiet harbor")))
    sent = await mailed(driver)
    assert ((await place(driver))[1], sent["to"], sent["words"]) == ("UpdateEmailSecondaryOtp", NEW, "quiet harbor")
    assert events(driver)[-1] == "EMAIL_VERIFICATION_CODE_PASS"


async def test_a_site_that_needs_no_first_code_leads_to_the_second(driver: Driver) -> None:
    await confirming(driver, "VERIFY_SECONDARY_OTP")
    assert ((await place(driver))[1], (await mailed(driver))["to"]) == ("UpdateEmailSecondaryOtp", NEW)


async def test_both_codes_lead_to_the_account(driver: Driver) -> None:
    await confirming(driver)
    await driver.fire(EmailUpdateState.on_primary(outcome()))
    await driver.fire(EmailUpdateState.on_secondary(outcome()))
    assert (await place(driver), (await driver.state(ToastState)).message) == ((True, "Account"), EMAIL_UPDATED)
    await driver.tell(sessions={"eip155": logged_in(user={"email": NEW})})
    assert (await driver.state(EmbeddedState)).get_value("person")["email"] == NEW


async def test_a_wrong_code_is_said(driver: Driver) -> None:
    await confirming(driver)
    await driver.fire(EmailUpdateState.on_primary(outcome("Invalid code")))
    assert ((await own(driver)).error, (await place(driver))[1]) == ("Invalid code. Try Again", "UpdateEmailPrimaryOtp")
    assert told(driver, "EMAIL_VERIFICATION_CODE_FAIL") == [{"message": "Invalid code"}]


@pytest.mark.parametrize("event", [EmailUpdateState.on_primary, EmailUpdateState.on_secondary])
@pytest.mark.parametrize("payload", [None, 7, {"ok": True}])
async def test_an_outcome_that_nobody_waits_for_leads_nowhere(driver: Driver, event: Any, payload: Any) -> None:
    await editing(driver)
    await driver.fire(event(payload))
    assert (await place(driver))[1] == "UpdateEmailWallet"


async def test_the_second_outcome_does_not_count_at_the_first_code(driver: Driver) -> None:
    await confirming(driver)
    await driver.fire(EmailUpdateState.on_secondary(outcome()))
    assert (await place(driver))[1] == "UpdateEmailPrimaryOtp"


async def test_who_rejects_in_the_frame_stays_at_the_field(driver: Driver) -> None:
    await saved(driver)
    await answer(driver, message="User rejected the request", code=4001)
    assert ((await place(driver))[1], await asked(driver), (await own(driver)).error) == ("UpdateEmailWallet", {}, "")


async def test_an_address_that_the_site_refuses_is_said_beside_the_field(driver: Driver) -> None:
    await saved(driver)
    await answer(driver, message="Invalid email", reason="invalid_email")
    assert (await own(driver)).error == EMAIL_INVALID


@pytest.mark.parametrize("value", [None, {}, {"action": "VERIFY_OTP"}])
async def test_an_answer_that_makes_no_sense_leads_nowhere(driver: Driver, value: Any) -> None:
    await saved(driver)
    await answer(driver, value)
    message = (await driver.state(ToastState)).message
    assert ((await place(driver))[1], message) == ("UpdateEmailWallet", SOMETHING_WRONG)


async def test_something_wrong_leads_back_to_the_address(driver: Driver) -> None:
    await confirming(driver)
    await driver.fire(EmailUpdateState.begin_again)
    assert ((await place(driver))[1], await mailed(driver)) == ("UpdateEmailWallet", {})


async def test_closing_forgets_the_change(driver: Driver) -> None:
    await confirming(driver)
    await driver.fire(ShellState.close)
    assert (await mailed(driver), await asked(driver)) == ({}, {})


@pytest.mark.parametrize(
    ("user", "person"),
    [
        ({"email": EMAIL}, {"login": "email", "label": EMAIL, "email": EMAIL}),
        (
            {"email": EMAIL, "name": "Kim", "provider": "google"},
            {"login": "google", "label": "Kim", "email": EMAIL},
        ),
        ({"email": "", "name": "kim#0", "provider": "discord"}, {"login": "discord", "label": "kim", "email": ""}),
        ({"email": "", "name": "", "provider": "passkey"}, {"login": "passkey", "label": "", "email": ""}),
        ({"email": "", "name": "Kim", "provider": "elsewhere"}, {}),
    ],
)
async def test_who_is_logged_in_is_named(driver: Driver, user: dict[str, str], person: dict[str, str]) -> None:
    await driver.load(sessions={"eip155": logged_in(user=user)})
    assert (await driver.state(EmbeddedState)).get_value("person") == person
