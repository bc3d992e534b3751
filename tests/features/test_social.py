"""Login with an account at a provider: what is offered, and every way in which its window can end."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from tests.features.embedded_stage import answer as answer_by_mail
from tests.features.embedded_stage import clock, code, mail, place, secure_site, sessions, told
from tests.features.returning import returns
from walletmodal.core.clock import MovableClock
from walletmodal.features.connect.methods import MethodsState
from walletmodal.features.embedded.social import LOST, SocialState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState

__all__ = ["clock", "secure_site"]

pytestmark = [pytest.mark.usefixtures("socials"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

ATTEMPT = "a" * 32
OFFERED = {"features": {"socials": ["github", "google", "apple"]}}


@pytest.fixture
def socials(secure_site: None, configure: Configure) -> None:
    """A secure site with two of the providers."""
    configure(SECURE_SOCIALS="google,github")


async def begin(driver: Driver, **changes: Any) -> None:
    """A visitor has clicked on a provider's button."""
    await driver.load(options=OFFERED, wallets=[])
    await driver.call("open")
    await driver.fire(SocialState.begin({"provider": "google", "attempt": ATTEMPT, "opened": True, **changes}))


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await driver.state(SocialState)).get_value("question"))


async def answer(driver: Driver, message: str = "") -> None:
    """The secure site's frame says how the login has ended."""
    error = {"code": -32603, "message": message, "reason": "denied"} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": not message, "value": {}, "error": error}
    await driver.fire(SocialState.on_answer(outcome))


@pytest.mark.parametrize(
    ("options", "offered"),
    [
        (OFFERED, ["github", "google"]),
        ({"features": {"socials": ["apple"]}}, []),
        ({"features": {"socials": False}}, []),
        ({**OFFERED, "adapters": ["bip122"]}, []),
    ],
)
async def test_what_the_host_wants_and_the_site_has_is_offered(
    driver: Driver, options: dict[str, Any], offered: list[str]
) -> None:
    await driver.load(options=options, wallets=[])
    assert list((await driver.state(SocialState)).offered) == offered
    assert ("social" in (await driver.state(MethodsState)).blocks) == bool(offered)


async def test_a_login_waits_in_its_view_for_the_sites_word(driver: Driver) -> None:
    await begin(driver)
    assert await place(driver) == (True, "ConnectingSocial")
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("CONNECT_SOCIAL", {"attempt": ATTEMPT})
    assert told(driver, "SOCIAL_LOGIN_STARTED") == [{"provider": "google"}]


async def test_its_accounts_connect_and_name_the_provider(driver: Driver) -> None:
    await begin(driver)
    await answer(driver)
    (command,) = await driver.commands("wallet.connect")
    await driver.tell(sessions=sessions())
    await driver.reply(command, value={"sessions": sessions()})
    assert [one["method"] for one in told(driver, "CONNECT_SUCCESS")] == ["google"]
    assert told(driver, "SOCIAL_LOGIN_SUCCESS") == [{"provider": "google"}]
    assert not (await driver.state(ShellState)).open


async def test_a_login_by_email_after_one_that_failed_is_by_email(driver: Driver) -> None:
    await driver.load(options=OFFERED, wallets=[])
    await driver.call("open")
    await driver.fire(EmbeddedState.submit("kim@example.org"))
    await answer_by_mail(driver, mail())
    await driver.fire(SocialState.begin({"provider": "google", "attempt": ATTEMPT, "opened": True}))
    await answer(driver)
    (command,) = await driver.commands("wallet.connect")
    await driver.reply(command, code=-32603, message="Something went wrong")
    await driver.fire(ShellState.back)
    assert ((await place(driver))[1], (await driver.state(EmbeddedState)).phase) == ("EmailVerifyOtp", "idle")
    await code(driver)
    command = (await driver.commands("wallet.connect"))[-1]
    await driver.tell(sessions=sessions())
    await driver.reply(command, value={"sessions": sessions()})
    assert [one["method"] for one in told(driver, "CONNECT_SUCCESS")] == ["email"]


async def test_what_went_wrong_is_said_and_can_be_tried_again(driver: Driver) -> None:
    await begin(driver)
    await answer(driver, "You have cancelled the login")
    assert (await driver.state(SocialState)).error == "You have cancelled the login"
    assert told(driver, "SOCIAL_LOGIN_ERROR") == [{"provider": "google"}]
    await driver.fire(SocialState.begin({"provider": "google", "attempt": "b" * 32, "opened": True}))
    assert (await driver.state(SocialState)).error == ""
    assert (await asked(driver))["payload"] == {"attempt": "b" * 32}


async def test_who_goes_back_gives_the_login_up(driver: Driver) -> None:
    await begin(driver)
    await driver.fire(ShellState.back)
    assert (await place(driver))[1] != "ConnectingSocial"
    assert told(driver, "SOCIAL_LOGIN_CANCELED") == [{"provider": "google"}]
    assert await asked(driver) == {}


async def test_a_window_that_was_not_opened_is_shown_as_a_link(driver: Driver) -> None:
    await begin(driver, opened=False)
    assert (await driver.state(SocialState)).blocked


@pytest.mark.parametrize(
    "begun",
    [
        {"provider": "apple"},
        {"provider": ["google"]},
        {"attempt": "../../x"},
        {"attempt": None},
        {"attempt": "a" * 31 + "\n"},
    ],
)
async def test_what_no_button_begins_is_ignored(driver: Driver, begun: dict[str, Any]) -> None:
    await begin(driver, **begun)
    assert await place(driver) == (True, "Connect")
    assert await asked(driver) == {}


async def test_an_answer_that_nobody_waits_for_is_ignored(driver: Driver) -> None:
    await begin(driver)
    await driver.fire(SocialState.on_answer({"id": "other", "ok": True, "value": {}}))
    assert await driver.commands("wallet.connect") == []
    assert (await driver.state(EmbeddedState)).phase == "idle"


async def test_a_lost_session_goes_on_waiting(driver: Driver, heir: Driver) -> None:
    await begin(driver)
    before = await asked(driver)
    await returns(heir, driver, options=OFFERED)
    assert (await place(heir), await asked(heir)) == ((True, "ConnectingSocial"), before)


@pytest.mark.parametrize("lost", [False, True])
async def test_a_login_is_gone_on_with_where_its_page_was_loaded_anew(driver: Driver, heir: Driver, lost: bool) -> None:
    await begin(driver)
    if lost:
        await returns(heir, driver, options=OFFERED, wallets=[])
    here = heir if lost else driver
    await here.reload(options=OFFERED, wallets=[])
    assert await asked(here) == {}
    await here.call("open", call_id="again")
    question = await asked(here)
    assert await place(here) == (True, "ConnectingSocial")
    assert (question["type"], question["payload"]) == ("CONNECT_SOCIAL", {"attempt": ATTEMPT})
    assert (await here.state(SocialState)).resumed
    await answer(here)
    assert len(await here.commands("wallet.connect")) == 1


@pytest.mark.parametrize("ended", ["answer", "back", "close", "late", "other page", "not offered"])
async def test_a_login_that_is_over_is_not_gone_on_with(driver: Driver, clock: MovableClock, ended: str) -> None:
    await begin(driver)
    if ended == "answer":
        await answer(driver, "You did not allow Google to log you in.")
    elif ended == "back":
        await driver.fire(ShellState.back)
    elif ended == "close":
        await driver.fire(ShellState.close)
    elif ended == "late":
        clock.advance(600)
    options = {"features": {"socials": ["github"]}} if ended == "not offered" else OFFERED
    if ended == "other page":
        await driver.arrive(driver.init(origin="http://127.0.0.1:8700", options=options, wallets=[]))
    else:
        await driver.reload(options=options, wallets=[])
    await driver.call("open", call_id="again")
    assert (await place(driver), await asked(driver)) == ((True, "Connect"), {})


async def test_a_card_in_the_pages_flow_goes_on_with_a_login_at_once(driver: Driver) -> None:
    options = {**OFFERED, "enableEmbedded": True}
    await driver.load(options=options, wallets=[])
    await driver.fire(SocialState.begin({"provider": "google", "attempt": ATTEMPT, "opened": True}))
    await driver.tell(wallets=[])
    assert not (await driver.state(SocialState)).resumed
    await driver.reload(options=options, wallets=[])
    assert ((await driver.state(ShellState)).view, (await asked(driver))["payload"]) == (
        "ConnectingSocial",
        {"attempt": ATTEMPT},
    )
    await driver.fire(ShellState.back)
    await driver.tell(wallets=[])
    assert (await driver.state(ShellState)).view == "Connect"


async def test_a_host_that_opens_the_modal_again_leaves_a_login_where_it_is(driver: Driver) -> None:
    await begin(driver)
    question = await asked(driver)
    await driver.call("open", call_id="again")
    assert (await place(driver), await asked(driver)) == ((True, "ConnectingSocial"), question)
    assert not (await driver.state(SocialState)).resumed


async def test_a_browser_that_has_kept_nothing_of_a_login_is_told_so(driver: Driver) -> None:
    await begin(driver)
    await driver.reload(options=OFFERED, wallets=[])
    await driver.call("open", call_id="again")
    error = {"code": -32603, "message": "This login was begun on another device.", "reason": "started_elsewhere"}
    await driver.fire(SocialState.on_answer({"id": (await asked(driver))["id"], "ok": False, "error": error}))
    assert (await driver.state(SocialState)).error == LOST


async def test_another_try_is_no_resumed_login(driver: Driver) -> None:
    await begin(driver)
    await driver.reload(options=OFFERED, wallets=[])
    await driver.call("open", call_id="again")
    await driver.fire(SocialState.begin({"provider": "google", "attempt": "b" * 32, "opened": True}))
    assert not (await driver.state(SocialState)).resumed
    assert (await asked(driver))["payload"] == {"attempt": "b" * 32}
