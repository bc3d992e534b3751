"""Login with Farcaster: its code, its link, and every answer that the secure site's frame can give."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from tests.features.embedded_stage import place, secure_site, sessions, told
from tests.features.returning import returns
from walletmodal.features.embedded.social import CODE_EXPIRED, SocialState
from walletmodal.features.shell.state import ShellState

__all__ = ["secure_site"]

pytestmark = [pytest.mark.usefixtures("farcaster"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

ATTEMPT = "a" * 32
LINK = "https://farcaster.xyz/~/siwf?channelToken=ABC"
OPTIONS = {"features": {"socials": ["google", "farcaster"]}}


@pytest.fixture
def farcaster(secure_site: None, configure: Configure) -> None:
    """A secure site that has Farcaster's relay."""
    configure(SECURE_SOCIALS="google,farcaster")


async def own(driver: Driver) -> Any:
    return await driver.state(SocialState)


async def asked(driver: Driver) -> dict[str, Any]:
    return dict((await own(driver)).get_value("question"))


async def answer(driver: Driver, value: Any = None, *, message: str = "", reason: str = "") -> None:
    error = {"code": -32603, "message": message, "reason": reason} if message else None
    outcome = {"id": (await asked(driver))["id"], "ok": error is None, "value": value, "error": error}
    await driver.fire(SocialState.on_answer(outcome))


async def begin(driver: Driver, **parts: Any) -> None:
    """A visitor has chosen Farcaster in Connect."""
    await driver.load(options=OPTIONS, wallets=[], **parts)
    await driver.call("open")
    await driver.fire(SocialState.begin_farcaster)


async def shown(driver: Driver) -> None:
    """The code is there."""
    await begin(driver)
    await answer(driver, {"attempt": ATTEMPT, "url": LINK, "expiresAt": 1})


async def test_a_link_is_asked_for(driver: Driver) -> None:
    await begin(driver)
    assert (await place(driver), (await asked(driver))["type"]) == ((True, "ConnectingFarcaster"), "GET_FARCASTER_URI")
    assert told(driver, "SOCIAL_LOGIN_STARTED") == [{"provider": "farcaster"}]


async def test_the_link_is_shown_while_the_app_is_waited_for(driver: Driver) -> None:
    await shown(driver)
    question = await asked(driver)
    assert (await own(driver)).link == LINK
    assert (question["type"], question["payload"]) == ("CONNECT_FARCASTER", {"attempt": ATTEMPT})


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"attempt": "x", "url": LINK},
        {"attempt": ATTEMPT, "url": "javascript:alert(1)"},
        {"attempt": ATTEMPT, "url": "http://evil.example/"},
        {"attempt": ATTEMPT, "url": "https://a b"},
    ],
)
async def test_a_link_that_is_none_is_not_shown(driver: Driver, value: Any) -> None:
    await begin(driver)
    await answer(driver, value)
    state = await own(driver)
    assert (state.link, state.error) == ("", "Something went wrong")


async def test_its_accounts_connect_and_name_it(driver: Driver) -> None:
    await shown(driver)
    await answer(driver, {})
    (command,) = await driver.commands("wallet.connect")
    await driver.tell(sessions=sessions(), options=OPTIONS)
    await driver.reply(command, value={"sessions": sessions()})
    assert [one["method"] for one in told(driver, "CONNECT_SUCCESS")] == ["farcaster"]
    assert (await place(driver))[0] is False


async def test_a_code_that_was_not_used_in_time_can_be_had_anew(driver: Driver) -> None:
    await shown(driver)
    await answer(driver, message="This login is over.", reason="attempt")
    state = await own(driver)
    assert (state.error, state.link) == (CODE_EXPIRED, "")
    await driver.fire(SocialState.begin_farcaster)
    assert ((await asked(driver))["type"], (await own(driver)).error) == ("GET_FARCASTER_URI", "")


async def test_a_relay_that_is_away_is_told(driver: Driver) -> None:
    await begin(driver)
    await answer(driver, message="Farcaster cannot be reached right now.", reason="provider")
    assert (await own(driver)).error == "Farcaster cannot be reached right now."


async def test_who_goes_back_gives_it_up(driver: Driver) -> None:
    await shown(driver)
    await driver.fire(ShellState.back)
    assert (await place(driver), await asked(driver), (await own(driver)).link) == ((True, "Connect"), {}, "")
    assert told(driver, "SOCIAL_LOGIN_CANCELED") == [{"provider": "farcaster"}]


async def test_where_it_is_not_offered_nothing_begins(driver: Driver, configure: Configure) -> None:
    configure(SECURE_SOCIALS="google")
    await begin(driver)
    assert (await place(driver), await asked(driver)) == ((True, "Connect"), {})


async def test_no_window_is_opened_for_it(driver: Driver) -> None:
    await driver.load(options=OPTIONS, wallets=[])
    await driver.call("open")
    await driver.fire(SocialState.begin({"provider": "farcaster", "attempt": ATTEMPT, "opened": True}))
    assert await asked(driver) == {}


async def test_a_lost_session_goes_on_with_the_same_code(driver: Driver, heir: Driver) -> None:
    await shown(driver)
    before = await asked(driver)
    await returns(heir, driver, options=OPTIONS)
    assert (await place(heir), await asked(heir)) == ((True, "ConnectingFarcaster"), before)
    assert ((await own(heir)).link, (await own(heir)).provider) == (LINK, "farcaster")


async def test_a_code_is_shown_again_where_its_page_was_loaded_anew(driver: Driver) -> None:
    await shown(driver)
    await driver.reload(options=OPTIONS, wallets=[])
    await driver.call("open", call_id="again")
    question = await asked(driver)
    assert (await place(driver), (await own(driver)).link) == ((True, "ConnectingFarcaster"), LINK)
    assert (question["type"], question["payload"]) == ("CONNECT_FARCASTER", {"attempt": ATTEMPT})


async def test_a_code_that_was_not_there_yet_is_asked_for_again(driver: Driver) -> None:
    await begin(driver)
    await driver.reload(options=OPTIONS, wallets=[])
    await driver.call("open", call_id="again")
    assert (await place(driver), (await asked(driver))["type"]) == ((True, "ConnectingFarcaster"), "GET_FARCASTER_URI")
