"""The window of a social login in a real browser: Fetch Metadata, cookies, policies on the way, and what its opener hears."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route

from tests.browser.conftest import CHROMIUM_FLAGS, chromium_path
from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.social_stage import new_attempt
from tests.secure.world import running, settings_for
from walletmodal.core.clock import SystemClock
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen
from walletmodal.sandbox.social import SocialService, social_settings

OPENER = """<!doctype html><title>opener</title><script>
window.heard = [];
addEventListener("message", (event) => heard.push([event.origin, event.data]));
function begin() {
  window.popup = open("", "login", "popup");
  const href = decodeURIComponent(location.hash.slice(1)), referrerPolicy = location.pathname === "/" ? "strict-origin" : "";
  Object.assign(document.createElement("a"), { href, target: "login", referrerPolicy }).click();
}
</script><button onclick="begin()">Log in</button>"""
"""Says who it is as the modal does; at another path than `/` it does not."""


@dataclass
class Windows:
    """A secure site, the providers and a modal's page on loopback, in front of a real browser."""

    secure: str
    modal_port: int
    client: httpx.AsyncClient
    browser: Browser

    def device(self) -> Device:
        return Device(self.client, SystemClock())

    async def begin(self, provider: str, host: str = "localhost", path: str = "/") -> tuple[Device, str, Page, Page]:
        """A device, its attempt, a page on a host, and the window that it has opened."""
        device, attempt = self.device(), new_attempt()
        url = (await device.call("/v1/oauth/start", {"provider": provider, "attempt": attempt}))["url"]
        page = await (await self.browser.new_context()).new_page()
        await page.goto(f"http://{host}:{self.modal_port}{path}#{url}")
        async with page.expect_popup() as opening:
            await page.get_by_role("button", name="Log in").click()
        return device, attempt, page, await opening.value


async def opener_page(*_: Any) -> HTMLResponse:
    return HTMLResponse(OPENER, headers={"referrer-policy": "no-referrer"})


@pytest_asyncio.fixture
async def windows(secure_url: str, mailbox: Mailbox) -> AsyncIterator[Windows]:
    secure_port, sandbox_port, modal_port = free_ports(), free_ports(), free_ports()
    secure, sandbox = (f"http://localhost:{port}" for port in (secure_port, sandbox_port))
    providers = SocialService(f"{sandbox}/login", secure, SystemClock())
    changed: dict[str, Any] = {name.lower(): value for name, value in social_settings(sandbox).items()}
    settings = settings_for(secure_url, mailbox.url, secure_port=secure_port, walletmodal_port=modal_port, **changed)
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(running(settings, mailbox, clock=SystemClock()))
        apps = (
            (world.app, secure_port),
            (Starlette(routes=[Mount("/login", providers)]), sandbox_port),
            (Starlette(routes=[Route("/{path:path}", opener_page)]), modal_port),
        )
        for app, port in apps:
            server = HttpServer(app, listen(port, "TEST_PORTS"))
            await server.start()
            stack.push_async_callback(server.stop)
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=secure, trust_env=False, timeout=PATIENCE))
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=list(CHROMIUM_FLAGS))
        stack.push_async_callback(browser.close)
        yield Windows(secure, modal_port, client, browser)


@pytest.mark.parametrize("provider", ["google", "apple"])
async def test_a_window_of_the_modal_goes_straight_there_comes_back_and_says_so(
    windows: Windows, provider: str
) -> None:
    device, attempt, page, window = await windows.begin(provider)
    await window.get_by_test_id("login-allow").click()
    assert "session" in await device.call("/v1/oauth/finish", {"attempt": attempt})
    await page.wait_for_function("heard.length && popup.closed")
    result = {"resultUri": f"{windows.secure}/oauth/done/{provider}"}
    assert await page.evaluate("heard") == [[windows.secure, result]]


async def test_a_window_of_another_site_is_asked_first_and_its_opener_hears_nothing(windows: Windows) -> None:
    device, attempt, page, window = await windows.begin("google", host="127.0.0.1")
    await expect(window.get_by_role("heading")).to_have_text("Log in with Google?")
    await window.get_by_role("button", name="Go on to Google").click()
    await window.get_by_test_id("login-allow").click()
    assert "session" in await device.call("/v1/oauth/finish", {"attempt": attempt})
    await page.wait_for_function("popup.closed")
    assert await page.evaluate("heard") == []


async def test_a_window_of_another_subdomain_that_does_not_say_who_it_is_is_asked_first(windows: Windows) -> None:
    _, _, _, window = await windows.begin("google", path="/sibling")
    await expect(window.get_by_role("heading")).to_have_text("Log in with Google?")


async def test_a_provider_that_cuts_its_window_off_changes_nothing_for_the_device(windows: Windows) -> None:
    device, attempt, page, window = await windows.begin("google")
    await window.get_by_test_id("login-coop").click()
    # The opener is told that its window is closed, while the visitor has it in front of them.
    await page.wait_for_function("popup.closed")
    await window.get_by_test_id("login-allow").click()
    assert "session" in await device.call("/v1/oauth/finish", {"attempt": attempt})
    assert await page.evaluate("heard") == []
