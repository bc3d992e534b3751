"""A login at a provider from within Telegram, which opens no windows: the host page goes there itself, and comes back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.embedded_stage import place, secure_site, sessions, told
from tests.features.test_social import OFFERED, answer, asked, socials
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.social import LOGIN_LOST, SocialState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState

__all__ = ["secure_site", "socials"]

pytestmark = [pytest.mark.usefixtures("socials"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

ATTEMPT = "a" * 32
DONE = "https%3A%2F%2Fsecure.example%2Foauth%2Fdone%2F"
PAGE = "https://app.example.com/shop?item=7"
LEFT = {"provider": "google", "attempt": ATTEMPT, "opened": False, "left": True, "error": None}


async def arrive(
    driver: Driver, url: str = PAGE, *, telegram: bool = True, connector: str = "ID_AUTH", **parts: Any
) -> None:
    """A host page loads within Telegram, which was left for a login before."""
    interrupted = {"namespace": "", "connector": connector, "wallet": None} if connector else None
    storage: dict[str, Any] = {
        "activeNetworkId": None,
        "activeNamespace": None,
        "recent": [],
        "interrupted": interrupted,
    }
    init = driver.init(options=OFFERED, storage=storage, **{"wallets": [], **parts})
    await driver.arrive({**init, "host": {**init["host"], "url": url, "telegram": telegram}})


async def state(driver: Driver) -> Any:
    return await driver.state(SocialState)


async def returned(driver: Driver, value: Any) -> None:
    """The frame says for which login the page was left."""
    outcome = {"id": (await asked(driver))["id"], "ok": True, "value": value, "error": None}
    await driver.fire(SocialState.on_answer(outcome))


@pytest.mark.parametrize(
    ("url", "back"),
    [
        (PAGE, PAGE),
        (f"{PAGE}#tgWebAppData=secret", PAGE),
        (f"{PAGE}&result_uri={DONE}google", PAGE),
        (f"https://app.example.com/?result_uri={DONE}google", "https://app.example.com/"),
        (f"{PAGE}&more={'x' * 2000}", "https://app.example.com/"),
    ],
)
async def test_the_browser_is_told_where_the_page_comes_back_to(driver: Driver, url: str, back: str) -> None:
    await arrive(driver, url, connector="")
    assert (await state(driver)).back == back


async def test_outside_telegram_a_window_is_opened(driver: Driver) -> None:
    await arrive(driver, telegram=False, connector="")
    assert (await state(driver)).back == ""


async def test_of_a_page_that_goes_nothing_is_asked(driver: Driver) -> None:
    await arrive(driver, connector="")
    await driver.call("open")
    await driver.fire(SocialState.begin(LEFT))
    own = await state(driver)
    assert (await asked(driver), own.left, own.blocked, own.error) == ({}, True, False, "")
    assert await place(driver) == (True, "ConnectingSocial")
    assert told(driver, "SOCIAL_LOGIN_STARTED") == [{"provider": "google"}]


async def test_a_page_that_could_not_go_says_why(driver: Driver) -> None:
    await arrive(driver, connector="")
    await driver.call("open")
    error = {"code": -32603, "message": "The wallet service cannot be reached", "reason": "unreachable"}
    await driver.fire(SocialState.begin({**LEFT, "error": error}))
    own = await state(driver)
    assert (own.left, own.error) == (False, "The wallet service cannot be reached")


async def test_a_server_that_knows_the_page_later_says_why_as_well(driver: Driver) -> None:
    await driver.fire(SocialState.begin({**LEFT, "error": {"message": "The wallet service cannot be reached"}}))
    await arrive(driver, connector="")
    own = await state(driver)
    assert (own.left, own.error) == (False, "The wallet service cannot be reached")


async def test_outside_telegram_nobody_leaves(driver: Driver) -> None:
    await arrive(driver, telegram=False, connector="")
    await driver.call("open")
    await driver.fire(SocialState.begin(LEFT))
    assert (await asked(driver))["type"] == "CONNECT_SOCIAL"


async def test_a_page_that_is_back_goes_on_with_its_login(driver: Driver) -> None:
    await arrive(driver, f"{PAGE}&result_uri={DONE}google")
    assert await place(driver) == (True, "ConnectingSocial")
    assert (await asked(driver))["type"] == "GET_SOCIAL_RETURN"
    await returned(driver, {"attempt": ATTEMPT, "provider": "google"})
    question = await asked(driver)
    assert (question["type"], question["payload"]) == ("CONNECT_SOCIAL", {"attempt": ATTEMPT})
    await answer(driver)
    assert len(await driver.commands("wallet.connect")) == 1
    assert told(driver, "SOCIAL_LOGIN_REQUEST_USER_DATA") == [{"provider": "google"}]
    assert (await driver.state(EmbeddedState))._way == "google"


async def test_it_goes_on_once(driver: Driver) -> None:
    await arrive(driver, f"{PAGE}&result_uri={DONE}google")
    await returned(driver, {})
    interrupted = {"namespace": "", "connector": "ID_AUTH", "wallet": None}
    storage: dict[str, Any] = {
        "activeNetworkId": None,
        "activeNamespace": None,
        "recent": [],
        "interrupted": interrupted,
    }
    await driver.fire(BridgeState.on_snapshot(driver.snapshot(storage=storage)))
    assert await asked(driver) == {}


@pytest.mark.parametrize(
    "value", [{}, None, {"attempt": "x", "provider": "google"}, {"attempt": ATTEMPT, "provider": "apple"}, 7]
)
async def test_a_login_that_the_frame_does_not_know_is_told(driver: Driver, value: Any) -> None:
    await arrive(driver, f"{PAGE}&result_uri={DONE}google")
    await returned(driver, value)
    own = await state(driver)
    assert (own.error, await asked(driver)) == (LOGIN_LOST, {})


async def test_a_provider_that_refuses_is_told(driver: Driver) -> None:
    await arrive(driver, f"{PAGE}&result_uri={DONE}google")
    await returned(driver, {"attempt": ATTEMPT, "provider": "google"})
    await answer(driver, "You did not allow Google to log you in.")
    assert (await state(driver)).error == "You did not allow Google to log you in."
    assert told(driver, "SOCIAL_LOGIN_ERROR") == [{"provider": "google"}]


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        f"{PAGE}&result_uri=https%3A%2F%2Fevil.example%2Foauth%2Fdone%2Fgoogle",
        f"{PAGE}&result_uri={DONE}apple",
        f"{PAGE}&result_uri={DONE}",
        f"{PAGE}&result_uri=google",
    ],
)
async def test_a_page_without_the_sites_mark_goes_on_with_nothing(driver: Driver, url: str) -> None:
    await arrive(driver, url)
    assert (await asked(driver), (await driver.state(ShellState)).open) == ({}, False)


@pytest.mark.parametrize("parts", [{"connector": ""}, {"telegram": False}, {"sessions": sessions()}])
async def test_nor_does_one_that_was_not_left_for_it(driver: Driver, parts: dict[str, Any]) -> None:
    await arrive(driver, f"{PAGE}&result_uri={DONE}google", **parts)
    assert (await asked(driver), (await driver.state(ShellState)).open) == ({}, False)
