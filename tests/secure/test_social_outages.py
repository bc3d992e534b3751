"""Providers that are down, slow or lie, and what is logged of them."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, Final

import httpx
import pytest
import pytest_asyncio

from tests.secure.mailbox import Mailbox
from tests.secure.social_stage import Stage, staged
from tests.social_login import decide, told
from walletmodal.secure.social.http import MAX_ANSWER


@pytest_asyncio.fixture
async def stage(secure_url: str, mailbox: Mailbox) -> AsyncIterator[Stage]:
    async with staged(secure_url, mailbox) as found:
        yield found


def always(path: str, give: Callable[[], httpx.Response]) -> Callable[[httpx.Request], httpx.Response | None]:
    return lambda request: give() if request.url.path.endswith(path) else None


def down() -> httpx.Response:
    raise httpx.ConnectError("refused")


def slow() -> httpx.Response:
    raise httpx.ReadTimeout("slow")


BROKEN: Final[dict[str, Callable[[], httpx.Response]]] = {
    "down": down,
    "slow": slow,
    "failing": lambda: httpx.Response(500, text="Internal Server Error"),
    "no JSON": lambda: httpx.Response(200, text="<html>"),
    "another shape": lambda: httpx.Response(200, json=["access_token"]),
    "an empty shape": lambda: httpx.Response(200, json={}),
    "wrong types": lambda: httpx.Response(
        200, json={"access_token": 7, "id_token": {}, "keys": 7, "id": [], "data": 7}
    ),
    "too large": lambda: httpx.Response(200, text='{"a": "' + "a" * MAX_ANSWER + '"}'),
    "led elsewhere": lambda: httpx.Response(302, headers={"location": "http://localhost:1/"}),
}


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize(
    ("provider", "path"),
    [
        ("google", "/token"),
        ("google", "/jwks"),
        ("github", "/token"),
        ("github", "/user"),
        ("x", "/me"),
        ("discord", "/@me"),
    ],
)
async def test_a_provider_that_does_not_work_logs_nobody_in(stage: Stage, provider: str, path: str, how: str) -> None:
    stage.line.answer = always(path, BROKEN[how])
    device = stage.world.device()
    attempt, page = await stage.go_through(provider, device)
    assert (page.status_code, "could not log you in" in page.text) == (200, True)
    assert (await device.refused("/v1/oauth/finish", {"attempt": attempt})).code == "provider"


async def test_an_answer_that_never_ends_is_not_waited_for(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    class _Endless(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                yield b" "
                await asyncio.sleep(0)

    monkeypatch.setattr("walletmodal.secure.social.http.SECONDS", 0.05)
    monkeypatch.setattr("walletmodal.secure.social.http.MAX_ANSWER", 2**62)
    stage.line.answer = always("/token", lambda: httpx.Response(200, stream=_Endless()))
    assert await stage.failure("google") == "provider"


async def test_githubs_mails_that_cannot_be_read_are_no_mail(stage: Stage) -> None:
    stage.line.answer = always("/emails", lambda: httpx.Response(200, json={"email": "kim@example.org"}))
    assert (await stage.log_in("github"))["user"]["email"] == ""


async def test_a_subject_that_is_truth_or_a_list_is_nobody(stage: Stage) -> None:
    for subject in (True, [1], None, "", "a" * 256):
        said = json.dumps({"id": subject})
        stage.line.answer = always("/@me", partial(httpx.Response, 200, text=said))
        assert await stage.failure("discord") == "provider"


async def test_nothing_secret_is_logged(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="walletmodal.secure")
    device, browser = stage.world.device(), stage.browser()
    seen: list[str] = []

    def spoil(said: dict[str, Any]) -> dict[str, Any]:
        seen.extend([said["access_token"], said["id_token"]])
        return said | {"id_token": "x.y.z"}

    stage.line.change = spoil
    attempt, url = await stage.begin("google", device)
    answer = await decide(browser, await stage.led_away(browser, url))
    await browser.get(answer.headers["location"])
    secrets = [*seen, *told(answer).values(), attempt, "kim@example.org", "Kim Doe"]
    written = " ".join(record.getMessage() for record in caplog.records if record.name.startswith("walletmodal.secure"))
    assert "google" in written
    assert [one for one in secrets if one in written] == []
