"""Logging in with an account at one of the six providers."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from starlette.datastructures import Headers

from tests.secure.mailbox import Mailbox
from tests.secure.social_stage import IDLE, OPENED_BY_US, Stage, new_attempt, passed, staged
from tests.secure.test_email_update import NEW, to_the_second_code
from tests.secure.test_passwords import code_of_proof
from tests.secure.world import ADA, ORIGIN
from tests.services_fixtures import PostgresServer
from tests.social_login import decide
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.secure.db.upgrade import upgrade
from walletmodal.secure.social.origins import is_opened_by_us
from walletmodal.secure.sweep import sweep

SIX = ("google", "apple", "facebook", "github", "x", "discord")


@pytest_asyncio.fixture
async def stage(secure_url: str, mailbox: Mailbox) -> AsyncIterator[Stage]:
    async with staged(secure_url, mailbox) as found:
        yield found


@pytest.mark.parametrize("provider", SIX)
async def test_an_account_at_a_provider_logs_in_and_is_the_same_user_the_next_time(stage: Stage, provider: str) -> None:
    device = stage.world.device()
    first = await stage.log_in(provider, device)
    assert first["userName"]
    device.session = first["session"]
    assert (await device.call("/v1/me"))["user"] == first["user"]
    again = await stage.log_in(provider, email="new@example.org")
    assert again["user"]["id"] == first["user"]["id"]


async def test_logins_on_postgresql(postgres_server: PostgresServer, mailbox: Mailbox) -> None:
    url = postgres_server.create_database()
    upgrade(url)
    async with staged(url, mailbox) as stage:
        both = await asyncio.gather(*(stage.log_in("google") for _ in range(2)))
        assert both[0]["user"]["id"] == both[1]["user"]["id"]
        window = await stage.go_through("github", device := stage.world.device(), "deny")
        assert (await device.refused("/v1/oauth/finish", {"attempt": window[0]})).code == "denied"


@pytest.mark.parametrize("provider", SIX)
async def test_another_account_is_another_user(stage: Stage, provider: str) -> None:
    kim, lee = await stage.log_in(provider), await stage.log_in(provider, name="Lee Roe")
    assert kim["user"]["id"] != lee["user"]["id"]


@pytest.mark.parametrize("provider", SIX)
async def test_a_visitor_who_cancels_is_told_so(stage: Stage, provider: str) -> None:
    device = stage.world.device()
    attempt, page = await stage.go_through(provider, device, "deny")
    assert "You did not log in" in page.text
    refused = await device.refused("/v1/oauth/finish", {"attempt": attempt})
    assert (refused.status, refused.code, refused.error["reason"]) == (400, "denied", "access_denied")


@pytest.mark.parametrize(
    ("provider", "verified", "gives_email", "email"),
    [
        ("google", True, True, "kim@example.org"),
        ("google", False, True, ""),
        ("google", True, False, ""),
        ("apple", True, True, "kim@example.org"),
        ("apple", False, True, ""),
        ("facebook", True, True, ""),
        ("github", True, True, "kim@example.org"),
        ("github", False, True, ""),
        ("x", True, True, "kim@example.org"),
        ("x", False, True, ""),
        ("discord", True, True, "kim@example.org"),
        ("discord", False, True, ""),
        ("discord", True, False, ""),
    ],
)
async def test_a_mail_is_taken_only_where_the_provider_says_that_it_is_verified(
    stage: Stage, provider: str, verified: bool, gives_email: bool, email: str
) -> None:
    found = await stage.log_in(provider, verified=verified, gives_email=gives_email)
    assert found["user"]["email"] == email


async def test_apples_relay_address_is_a_mail(stage: Stage) -> None:
    found = await stage.log_in("apple", gives_email=False)
    assert found["user"]["email"].endswith("@privaterelay.appleid.com")


async def test_no_account_is_found_by_a_mail(stage: Stage) -> None:
    by_mail = (await (await stage.world.login(ADA)).call("/v1/me"))["user"]["id"]
    found = {(await stage.log_in(provider, email=ADA))["user"]["id"] for provider in SIX}
    assert len(found | {by_mail}) == 1 + len(SIX)


async def test_a_code_by_mail_does_not_lead_to_the_account_of_a_provider(stage: Stage) -> None:
    social = await stage.log_in("google", email=ADA)
    by_mail = (await (await stage.world.login(ADA)).call("/v1/me"))["user"]["id"]
    assert by_mail != social["user"]["id"]


async def test_it_was_not_me_in_a_mail_with_a_code_freezes_the_account_of_a_provider(stage: Stage) -> None:
    device = stage.world.device()
    device.session = (await stage.log_in("google", device, email=ADA))["session"]
    stage.clock.advance(1)
    body = await code_of_proof(stage.world, device, "delete", ADA)
    await stage.world.client.post(stage.world.mailbox.last(ADA).link("/not-me"))
    assert (await device.refused("/v1/proof/finish", body)).code == "invalid_code"
    assert (await device.refused("/v1/proof/start", {"purpose": "delete"})).code == "frozen"


async def test_it_was_not_me_ends_a_change_of_address_of_an_account_of_a_provider(stage: Stage) -> None:
    world, device = stage.world, stage.world.device()
    device.session = (await stage.log_in("google", device, email=ADA))["session"]
    stage.clock.advance(1)
    second = await to_the_second_code(world, device)
    mail = next(mail for mail in world.mailbox.of(ADA) if "moves your account" in mail.subject)
    body = {"attempt": second["attempt"], "otp": world.mailbox.newest_code(NEW)}
    await world.client.post(mail.link("/not-me"))
    assert (await device.refused("/v1/email/secondary", body)).code == "invalid_code"
    assert (await device.call("/v1/me"))["user"]["email"] == ADA


async def test_who_has_no_mail_cannot_be_mailed_a_code_to_change_it(stage: Stage) -> None:
    device = stage.world.device()
    device.session = (await stage.log_in("github", device, verified=False))["session"]
    refused = await device.refused("/v1/email/update", {"email": ADA})
    assert (refused.status, refused.code) == (409, "no_email")


async def test_the_window_may_come_before_the_call_of_its_device(stage: Stage) -> None:
    attempt, browser, device = new_attempt(), stage.browser(), stage.world.device()
    window = asyncio.ensure_future(browser.get(f"{ORIGIN}/oauth/go/google/{attempt}", headers=OPENED_BY_US))
    await stage.clock.asleep(IDLE + 1)
    await device.call("/v1/oauth/start", {"provider": "google", "attempt": attempt})
    assert (await window).status_code == 303


async def test_a_window_whose_device_never_calls_is_told_so_after_ten_seconds(stage: Stage) -> None:
    browser = stage.browser()
    window = asyncio.ensure_future(browser.get(f"{ORIGIN}/oauth/go/google/{new_attempt()}", headers=OPENED_BY_US))
    await passed(stage.clock, 11, window)
    assert ((await window).status_code, "This login is over" in (await window).text) == (404, True)


async def test_the_device_waits_until_its_window_is_back(stage: Stage) -> None:
    device, browser = stage.world.device(), stage.browser()
    attempt, url = await stage.begin("google", device)
    waiting = asyncio.ensure_future(device.call("/v1/oauth/finish", {"attempt": attempt}))
    await stage.return_of(browser, await stage.led_away(browser, url))
    assert "session" in await waiting


async def test_a_page_that_waits_no_more_does_not_take_the_result(stage: Stage) -> None:
    """It was loaded anew: its call is still under way here, and the result, which is given once, is for the next page's."""
    device, browser, left = stage.world.device(), stage.browser(), asyncio.Event()
    attempt, url = await stage.begin("google", device)
    path, body = "/v1/oauth/finish", json.dumps({"attempt": attempt}).encode()
    parts = iter(({"type": "http.request", "body": body, "more_body": False},))

    async def receive() -> Any:
        if part := next(parts, None):
            return part
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(_: Any) -> None:
        pass

    headers = [(name.encode(), value.encode()) for name, value in device.headers(path, body).items()]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers, "client": None}
    former = asyncio.ensure_future(stage.world.app({**scope, "scheme": "http", "server": None}, receive, send))
    await stage.clock.asleep(IDLE + 1)
    left.set()
    await stage.return_of(browser, await stage.led_away(browser, url))
    await former
    assert "session" in await device.call(path, {"attempt": attempt})


async def test_a_device_that_waits_for_nothing_is_told_after_25_seconds_and_may_ask_again(stage: Stage) -> None:
    device, browser = stage.world.device(), stage.browser()
    attempt, url = await stage.begin("google", device)
    waiting = asyncio.ensure_future(device.call("/v1/oauth/finish", {"attempt": attempt}))
    await passed(stage.clock, 26, waiting)
    assert await waiting == {"pending": True}
    await stage.return_of(browser, await stage.led_away(browser, url))
    assert "session" in await device.call("/v1/oauth/finish", {"attempt": attempt})


async def test_the_last_page_says_nothing_but_where_it_came_back_to_the_pages_that_may_know(stage: Stage) -> None:
    attempt, page = await stage.go_through("google", stage.world.device())
    assert "You can close this window" in page.text
    assert f'name="walletmodal-result" content="{ORIGIN}/oauth/done/google"' in page.text
    openers = page.text.partition('name="walletmodal-openers" content="')[2].partition('"')[0].split()
    assert set(openers) == {ORIGIN, "http://localhost:3000", "http://localhost:8700"}
    assert attempt not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy


async def test_scripts_and_styles_of_the_pages_are_there_and_nothing_else(stage: Stage) -> None:
    browser = stage.browser()
    found = [(await browser.get(f"{ORIGIN}/oauth/{name}")).status_code for name in ("back.js", "pages.css", "site.py")]
    assert found == [200, 200, 404]


async def test_what_is_not_set_is_not_offered(secure_url: str, mailbox: Mailbox) -> None:
    off = {"social_google_client_id": None, "social_google_client_secret": None}
    async with staged(secure_url, mailbox, **off) as stage:
        device = stage.world.device()
        refused = await device.refused("/v1/oauth/start", {"provider": "google", "attempt": new_attempt()})
        assert (refused.status, refused.code) == (400, "not_offered")
        page = await stage.browser().get(f"{ORIGIN}/oauth/go/google/{new_attempt()}", headers=OPENED_BY_US)
        assert page.status_code == 404


@pytest.mark.parametrize("attempt", ["", "short", "!" * 32, "A" * 31, "A" * 33])
async def test_an_attempt_is_24_random_bytes(stage: Stage, attempt: str) -> None:
    refused = await stage.world.device().refused("/v1/oauth/start", {"provider": "google", "attempt": attempt})
    assert (refused.status, refused.code) == (400, "params")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({}, False),
        ({"sec-fetch-site": "cross-site", "referer": "https://modal.example/"}, True),
        ({"sec-fetch-site": "same-site", "referer": "https://evil.example/modal.example"}, False),
        ({"referer": "https://modal.example.evil.example/"}, False),
    ],
)
def test_a_window_is_ours_when_its_browser_says_so(headers: dict[str, str], expected: bool) -> None:
    assert is_opened_by_us(Headers(headers), {"https://modal.example"}) is expected


async def test_ten_minutes_later_an_attempt_is_over(stage: Stage) -> None:
    device, browser = stage.world.device(), stage.browser()
    attempt, url = await stage.begin("google", device)
    authorize = await stage.led_away(browser, url)
    stage.clock.advance(601)
    answer = await decide(browser, authorize)
    assert "This login is over" in (await browser.get(answer.headers["location"])).text
    assert (await device.refused("/v1/oauth/finish", {"attempt": attempt})).status == 404


async def test_two_windows_of_one_browser_do_not_disturb_each_other(stage: Stage) -> None:
    device, browser = stage.world.device(), stage.browser()
    begun = [await stage.begin(provider, device) for provider in ("google", "github")]
    led = [await stage.led_away(browser, url) for _, url in begun]
    for authorize in reversed(led):
        assert "You are logged in" in (await stage.return_of(browser, authorize)).text
    for attempt, _ in begun:
        assert "session" in await device.call("/v1/oauth/finish", {"attempt": attempt})


async def test_attempts_are_swept_away(stage: Stage) -> None:
    await stage.begin("google", stage.world.device())
    assert await _attempts(stage) == 1
    stage.clock.advance(10 * 60 + 3600)
    engine = open_engine(stage.world.settings.secure_database_url)
    await sweep(engine, stage.clock, expired_ms=3_600_000, audit_days=90)
    await close_engine(engine)
    assert await _attempts(stage) == 0


async def _attempts(stage: Stage) -> int:
    [(found,)] = await stage.world.sql("SELECT count(*) FROM social_attempts")
    assert isinstance(found, int)
    return found
