"""A secure site with the sandbox's providers at the other side, and browsers that go between them."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import httpx
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.world import ORIGIN, World, running, settings_for
from tests.social_login import decide, told
from walletmodal.core.clock import MovableClock
from walletmodal.sandbox.social import SocialService, social_settings
from walletmodal.secure.encoding import encode
from walletmodal.secure.settings import Settings

SANDBOX: Final = "http://localhost:8700"
LOGIN: Final = f"{SANDBOX}/login"
IDLE: Final = 2
"""Sleepers of a site to which nobody calls: the sweep, and the notices."""
OPENED_BY_US: Final = {"referer": "http://localhost:3000/"}
SOCIAL_SETTINGS: Final = {name.lower(): value for name, value in social_settings(SANDBOX).items()}

Answer = Callable[[httpx.Request], httpx.Response | None]


class Line(httpx.AsyncBaseTransport):
    """The way from the site to the providers, on which a test may answer in their place.

    Attributes:
        answer: gives an answer, or None to let the request pass; it may raise.
        change: gets what a token endpoint answers, and gives what arrives.
        asked: paths that were asked for.
    """

    def __init__(self, app: Starlette) -> None:
        self._app = httpx.ASGITransport(app)
        self.answer: Answer = lambda _: None
        self.change: Callable[[dict[str, Any]], Any] = lambda said: said
        self.asked: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.path)
        given = self.answer(request)
        if given is not None:
            return given
        response = await self._app.handle_async_request(request)
        if not request.url.path.endswith("/token"):
            return response
        await response.aread()
        return httpx.Response(response.status_code, json=self.change(json.loads(response.content)))


@dataclass
class Stage:
    """What a test has."""

    world: World
    providers: SocialService
    line: Line
    app: Starlette
    browsers: list[httpx.AsyncClient] = field(default_factory=list)

    @property
    def clock(self) -> MovableClock:
        return self.world.clock

    def browser(self) -> httpx.AsyncClient:
        """A browser with cookies of its own."""
        ways = {SANDBOX: httpx.ASGITransport(self.app), ORIGIN: httpx.ASGITransport(self.world.app)}
        made = httpx.AsyncClient(mounts={f"all://{url.partition('//')[2]}": way for url, way in ways.items()})
        self.browsers.append(made)
        return made

    async def begin(self, provider: str, device: Device) -> tuple[str, str]:
        """An attempt of a device, and the address that a window goes to."""
        attempt = new_attempt()
        answer = await device.call("/v1/oauth/start", {"provider": provider, "attempt": attempt})
        return attempt, str(answer["url"])

    async def led_away(self, browser: httpx.AsyncClient, url: str) -> str:
        """Where a window is led."""
        answer = await browser.get(url, headers=OPENED_BY_US)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    async def return_of(
        self, browser: httpx.AsyncClient, authorize: str, decision: str = "allow", **account: Any
    ) -> httpx.Response:
        """The page that a browser sees when it is back."""
        answer = await decide(browser, authorize, decision, **account)
        if answer.status_code == 303:
            return await browser.get(answer.headers["location"])
        back = await form_post(browser, authorize, told(answer))
        return await browser.get(ORIGIN + back.headers["location"])

    async def go_through(
        self, provider: str, device: Device, decision: str = "allow", **account: Any
    ) -> tuple[str, httpx.Response]:
        """A login up to the window's last page; returns its attempt and that page."""
        attempt, url = await self.begin(provider, device)
        browser = self.browser()
        page = await self.return_of(browser, await self.led_away(browser, url), decision, **account)
        return attempt, page

    async def log_in(self, provider: str, device: Device | None = None, **account: Any) -> dict[str, Any]:
        """What the device is told at the end."""
        device = device or self.world.device()
        attempt, _ = await self.go_through(provider, device, **account)
        answer: dict[str, Any] = await device.call("/v1/oauth/finish", {"attempt": attempt})
        return answer

    async def failure(self, provider: str, **account: Any) -> str:
        """The error that the device is told at the end."""
        device = self.world.device()
        attempt, _ = await self.go_through(provider, device, **account)
        return (await device.refused("/v1/oauth/finish", {"attempt": attempt})).code


async def form_post(browser: httpx.AsyncClient, authorize: str, fields: dict[str, str]) -> httpx.Response:
    """The provider's own form, sent across sites: without the cookies that a browser keeps back then."""
    target = dict(parse_qsl(urlsplit(authorize).query))["redirect_uri"]
    request = browser.build_request("POST", target, data=fields, headers={"sec-fetch-site": "cross-site"})
    request.headers.pop("cookie", None)
    return await browser.send(request)


def new_attempt() -> str:
    return encode(os.urandom(24))


async def passed(clock: MovableClock, seconds: float, waiting: asyncio.Task[Any]) -> None:
    """Lets time pass for a call that waits, until that many seconds are over or it has ended."""
    for _ in range(round(seconds)):
        ended = asyncio.ensure_future(asyncio.wait([waiting]))
        asleep = asyncio.ensure_future(clock.asleep(IDLE + 1))
        await asyncio.wait([ended, asleep], return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        asleep.cancel()
        clock.advance(1)


@asynccontextmanager
async def staged(database_url: str, mailbox: Mailbox, **changed: Any) -> AsyncIterator[Stage]:
    """A site with its providers; `changed`: settings."""
    clock = MovableClock()
    providers = SocialService(LOGIN, ORIGIN, clock)
    app = Starlette(routes=[Mount("/login", providers)])
    line = Line(app)
    settings: Settings = settings_for(database_url, mailbox.url, **(SOCIAL_SETTINGS | changed))
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(running(settings, mailbox, clock=clock, social=line))
        stage = Stage(world, providers, line, app)
        yield stage
        for browser in stage.browsers:
            await browser.aclose()
