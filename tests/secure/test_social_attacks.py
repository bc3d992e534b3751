"""What must not log anybody in: foreign and used results, injected codes and states, other browsers."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import pytest_asyncio

from tests.secure.mailbox import Mailbox
from tests.secure.social_stage import LOGIN, OPENED_BY_US, Stage, new_attempt, staged
from tests.secure.world import ORIGIN
from tests.social_login import decide, told

CROSS_SITE: Final = {"sec-fetch-site": "cross-site"}


@pytest_asyncio.fixture
async def stage(secure_url: str, mailbox: Mailbox) -> AsyncIterator[Stage]:
    async with staged(secure_url, mailbox) as found:
        yield found


async def finished(stage: Stage, attempt: str, device: Any) -> str:
    return str((await device.refused("/v1/oauth/finish", {"attempt": attempt})).code)


# --- whose result it is ---


async def test_another_device_does_not_get_the_result_and_its_own_still_does(stage: Stage) -> None:
    device, other = stage.world.device(), stage.world.device()
    attempt, _ = await stage.go_through("google", device)
    refused = await other.refused("/v1/oauth/finish", {"attempt": attempt})
    assert (refused.status, refused.code) == (403, "started_elsewhere")
    assert "session" in await device.call("/v1/oauth/finish", {"attempt": attempt})


async def test_a_result_is_given_once(stage: Stage) -> None:
    device = stage.world.device()
    attempt, _ = await stage.go_through("google", device)
    await device.call("/v1/oauth/finish", {"attempt": attempt})
    refused = await device.refused("/v1/oauth/finish", {"attempt": attempt})
    assert (refused.status, refused.code) == (410, "taken")


async def test_two_calls_at_once_get_one_session(stage: Stage) -> None:
    device = stage.world.device()
    attempt, _ = await stage.go_through("google", device)
    answers = await asyncio.gather(*(device.raw("/v1/oauth/finish", {"attempt": attempt}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 410, 410, 410]


async def test_an_unknown_attempt_has_no_result(stage: Stage) -> None:
    refused = await stage.world.device().refused("/v1/oauth/finish", {"attempt": new_attempt()})
    assert (refused.status, refused.code) == (404, "attempt")


async def test_an_attempt_is_not_begun_by_a_second_device(stage: Stage) -> None:
    attempt, _ = await stage.begin("google", stage.world.device())
    refused = await stage.world.device().refused("/v1/oauth/start", {"provider": "google", "attempt": attempt})
    assert (refused.status, refused.code) == (409, "attempt")


async def test_the_session_counts_on_the_device_that_began_alone(stage: Stage) -> None:
    found = await stage.log_in("google")
    thief = stage.world.device()
    thief.session = found["session"]
    assert (await thief.refused("/v1/me")).code == "session"


async def test_a_network_begins_sixty_logins_at_once_and_then_one_each_two_seconds(
    secure_url: str, mailbox: Mailbox
) -> None:
    async with staged(secure_url, mailbox, trusted_proxies="127.0.0.1") as stage:

        async def begin(line: str) -> int:
            device, content = (
                stage.world.device(),
                json.dumps({"provider": "google", "attempt": new_attempt()}).encode(),
            )
            headers = device.headers("/v1/oauth/start", content) | {"x-forwarded-for": line}
            return (await device.client.post("/v1/oauth/start", content=content, headers=headers)).status_code

        assert [await begin(f"203.0.113.{number}") for number in range(61)] == [200] * 60 + [429]
        assert await begin("198.51.100.1") == 200
        stage.clock.advance(2)
        assert [await begin("203.0.113.1") for _ in range(2)] == [200, 429]


# --- whose browser it is ---


@pytest.mark.parametrize("headers", [CROSS_SITE, {"sec-fetch-site": "none"}, {}])
async def test_a_visitor_whom_somebody_else_sends_is_asked_first(stage: Stage, headers: dict[str, str]) -> None:
    _, url = await stage.begin("google", stage.world.device())
    page = await stage.browser().get(url, headers=headers)
    assert (page.status_code, "close this window: they would be logged in as you" in page.text) == (200, True)


async def test_another_page_does_not_answer_in_the_visitors_place(stage: Stage) -> None:
    _, url = await stage.begin("google", stage.world.device())
    page = await stage.browser().post(url, headers=CROSS_SITE)
    assert (page.status_code, "close this window" in page.text) == (200, True)


async def test_the_visitor_may_go_on(stage: Stage) -> None:
    _, url = await stage.begin("google", stage.world.device())
    answer = await stage.browser().post(url, headers={"sec-fetch-site": "same-origin"})
    assert answer.headers["location"].startswith(f"{LOGIN}/google?")


async def test_the_page_that_asks_lets_its_form_lead_to_the_provider_alone(stage: Stage) -> None:
    _, url = await stage.begin("google", stage.world.device())
    policy = (await stage.browser().get(url, headers=CROSS_SITE)).headers["content-security-policy"]
    assert "form-action 'self' http://localhost:8700;" in policy


@pytest.mark.parametrize("provider", ["google", "apple"])
async def test_a_code_is_not_taken_from_a_browser_that_was_not_led_away(stage: Stage, provider: str) -> None:
    _, url = await stage.begin(provider, stage.world.device())
    authorize = await stage.led_away(stage.browser(), url)
    victim = await stage.return_of(stage.browser(), authorize, name="Vic Tim")
    assert (victim.status_code, "another browser" in victim.text) == (400, True)
    assert not any(path.endswith("/token") for path in stage.line.asked)


async def test_an_attempt_leads_one_window_away(stage: Stage) -> None:
    _, url = await stage.begin("google", stage.world.device())
    await stage.led_away(stage.browser(), url)
    assert (await stage.browser().get(url, headers=OPENED_BY_US)).status_code == 404


async def test_the_cookie_is_for_the_way_back_alone_and_no_script_reads_it(stage: Stage) -> None:
    _, url = await stage.begin("google", stage.world.device())
    cookie = (await stage.browser().get(url, headers=OPENED_BY_US)).headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=lax", "path=/oauth/back", "max-age=600"))


async def test_on_https_the_cookie_is_secure(secure_url: str, mailbox: Mailbox) -> None:
    async with staged(secure_url, mailbox, secure_public_url="https://wallet.example") as stage:
        attempt, device = new_attempt(), stage.world.device()
        await device.call("/v1/oauth/start", {"provider": "google", "attempt": attempt})
        answer = await stage.world.client.get(f"/oauth/go/google/{attempt}", headers=OPENED_BY_US)
        assert "secure" in answer.headers["set-cookie"].lower()


# --- state, code, provider ---


async def test_an_answer_counts_once(stage: Stage) -> None:
    browser = stage.browser()
    _, url = await stage.begin("google", stage.world.device())
    answer = await decide(browser, await stage.led_away(browser, url))
    back = answer.headers["location"]
    assert "You are logged in" in (await browser.get(back)).text
    assert "This login is over" in (await browser.get(back)).text


async def test_states_that_are_swapped_count_for_nothing(stage: Stage) -> None:
    browsers = [stage.browser(), stage.browser()]
    answers = []
    for browser, name in zip(browsers, ("Kim", "Lee"), strict=True):
        _, url = await stage.begin("google", stage.world.device())
        answers.append(told(await decide(browser, await stage.led_away(browser, url), name=name)))
    for browser, state, code in ((browsers[0], answers[1], answers[0]), (browsers[1], answers[0], answers[1])):
        query = urlencode({"code": code["code"], "state": state["state"]})
        assert "This login is over" in (await browser.get(f"{ORIGIN}/oauth/back/google?{query}")).text


async def test_a_code_of_somebody_elses_login_is_refused(stage: Stage) -> None:
    """PKCE, and the nonce: the attacker's code comes with the victim's own state, in the victim's own browser."""
    attacker, victim = stage.browser(), stage.browser()
    device = stage.world.device()
    _, its_url = await stage.begin("google", stage.world.device())
    stolen = told(await decide(attacker, await stage.led_away(attacker, its_url), name="Mal Lory"))["code"]
    attempt, url = await stage.begin("google", device)
    state = dict(parse_qsl(urlsplit(await stage.led_away(victim, url)).query))["state"]
    await victim.get(f"{ORIGIN}/oauth/back/google?{urlencode({'code': stolen, 'state': state})}")
    assert await finished(stage, attempt, device) == "provider"


async def test_a_code_of_discord_which_knows_no_pkce_is_bound_to_its_browser(stage: Stage) -> None:
    _, url = await stage.begin("discord", stage.world.device())
    authorize = await stage.led_away(stage.browser(), url)
    assert "code_challenge" not in authorize
    answer = await decide(stage.browser(), authorize)
    assert (await stage.browser().get(answer.headers["location"])).status_code == 400


async def test_a_state_does_not_count_at_another_provider(stage: Stage) -> None:
    browser = stage.browser()
    _, url = await stage.begin("google", stage.world.device())
    answer = told(await decide(browser, await stage.led_away(browser, url)))
    mixed = await browser.get(f"{ORIGIN}/oauth/back/github?{urlencode(answer)}")
    assert "This login is over" in mixed.text


async def test_an_answer_that_names_another_issuer_is_refused(stage: Stage) -> None:
    browser, device = stage.browser(), stage.world.device()
    attempt, url = await stage.begin("google", device)
    answer = told(await decide(browser, await stage.led_away(browser, url)))
    await browser.get(f"{ORIGIN}/oauth/back/google?{urlencode({**answer, 'iss': 'https://evil.example'})}")
    assert await finished(stage, attempt, device) == "provider"
    assert not any(path.endswith("/token") for path in stage.line.asked)


async def test_an_attempt_does_not_go_to_another_provider_than_its_own(stage: Stage) -> None:
    attempt, _ = await stage.begin("google", stage.world.device())
    answer = await stage.browser().get(f"{ORIGIN}/oauth/go/github/{attempt}", headers=OPENED_BY_US)
    assert answer.status_code == 404


async def test_each_provider_has_a_redirect_uri_and_a_state_of_its_own(stage: Stage) -> None:
    device, found = stage.world.device(), []
    for provider in ("google", "apple", "facebook", "github", "x", "discord"):
        _, url = await stage.begin(provider, device)
        found.append(dict(parse_qsl(urlsplit(await stage.led_away(stage.browser(), url)).query)))
        assert found[-1]["redirect_uri"] == f"{ORIGIN}/oauth/back/{provider}"
    assert len({one["state"] for one in found}) == len(found)


async def test_the_state_is_another_secret_than_the_attempt(stage: Stage) -> None:
    attempt, url = await stage.begin("google", stage.world.device())
    assert attempt not in await stage.led_away(stage.browser(), url)


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example", "javascript:alert(1)"])
async def test_nobody_is_led_anywhere_else(stage: Stage, target: str) -> None:
    browser = stage.browser()
    _, url = await stage.begin("google", stage.world.device())
    query = urlencode({"redirect_uri": target, "next": target, "return_to": target, "url": target})
    location = (await browser.get(f"{url}?{query}", headers=OPENED_BY_US)).headers["location"]
    assert urlsplit(location).netloc == "localhost:8700"
    assert "evil" not in location
    for path in ("back/google", f"go/{target}/x"):
        assert "location" not in (await browser.get(f"{ORIGIN}/oauth/{path}?{query}")).headers


async def test_a_form_across_sites_leads_to_our_own_page_alone(stage: Stage) -> None:
    fields = {"code": "a", "state": "b", "user": "{}", "next": "https://evil.example"}
    answer = await stage.browser().post(f"{ORIGIN}/oauth/back/apple", data=fields, headers=CROSS_SITE)
    assert answer.headers["location"] == f"/oauth/back/apple?{urlencode({'code': 'a', 'state': 'b', 'user': '{}'})}"


async def test_a_form_that_is_too_long_is_refused(stage: Stage) -> None:
    answer = await stage.browser().post(f"{ORIGIN}/oauth/back/apple", data={"code": "a" * 3000, "state": "b"})
    assert (answer.status_code, "location" in answer.headers) == (400, False)


async def test_texts_of_the_provider_do_not_become_part_of_a_page(stage: Stage) -> None:
    browser = stage.browser()
    _, url = await stage.begin("google", stage.world.device())
    state = dict(parse_qsl(urlsplit(await stage.led_away(browser, url)).query))["state"]
    query = urlencode({"state": state, "error": "<script>x</script>", "error_description": "<b>evil</b>"})
    page = await browser.get(f"{ORIGIN}/oauth/back/google?{query}")
    assert "<script>x" not in page.text
    assert "evil" not in page.text


async def test_a_name_in_apples_form_is_cut_to_one_short_line(stage: Stage) -> None:
    browser, device = stage.browser(), stage.world.device()
    attempt, url = await stage.begin("apple", device)
    answer = told(await decide(browser, await stage.led_away(browser, url)))
    answer["user"] = json.dumps({"name": {"firstName": "K\x00\n\u202eim" + "m" * 100, "lastName": 7}})
    await browser.get(f"{ORIGIN}/oauth/back/apple?{urlencode(answer)}")
    name = (await device.call("/v1/oauth/finish", {"attempt": attempt}))["userName"]
    assert (name[:4], len(name), name.isprintable()) == ("K im", 64, True)
