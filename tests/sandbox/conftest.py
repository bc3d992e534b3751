"""One real sandbox on free ports for all tests here, and a browser to look at its page."""

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, async_playwright

from tests.browser.conftest import CHROMIUM_FLAGS, chromium_path
from tests.browser.patient import patient_async
from tests.patience import PATIENCE
from tests.ports import sandbox_settings
from walletmodal.sandbox import Sandbox

# Stands where the modal's loader would: it keeps what the page hands over, and answers like a
# modal that nobody has connected.
RECORDER = """
window.WalletModal = { create(options) {
  window.created = [...(window.created ?? []), options];
  const told = { addNetwork: async (...network) => { window.added = network; } };
  return new Proxy(told, { get: (_, name) => (name === 'then' ? undefined : (told[name] ?? (() => undefined))) });
} };
"""

Rpc = Callable[..., Awaitable[object]]
OpenPage = Callable[..., Awaitable[Page]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(sandbox_settings()) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def connections(sandbox: Sandbox) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=sandbox.url, trust_env=False, timeout=PATIENCE) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def http(connections: httpx.AsyncClient) -> httpx.AsyncClient:
    """A client of a sandbox that was just reset."""
    (await connections.post("/sandbox/reset")).raise_for_status()
    return connections


@pytest_asyncio.fixture(loop_scope="session")
async def unchanging_http(connections: httpx.AsyncClient) -> httpx.AsyncClient:
    """A client of a sandbox without faults, for tests that leave chains and log as they are."""
    (await connections.delete("/sandbox/faults")).raise_for_status()
    return connections


@pytest.fixture
def rpc(http: httpx.AsyncClient, sandbox: Sandbox) -> Rpc:
    """Ask a chain through the gateway; gives the result."""

    async def ask(chain: str, method: str, *params: object) -> object:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        answer = (await http.post(sandbox.rpc_url(chain), json=body)).json()
        assert "error" not in answer, answer
        return answer["result"]

    return ask


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=list(CHROMIUM_FLAGS))
        yield patient_async(browser)
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(chromium: Browser, sandbox: Sandbox, http: httpx.AsyncClient) -> AsyncIterator[OpenPage]:
    """Open the demo page in a browser without history.

    `loader=False` leaves the modal's server away, as when it does not run.
    """
    context = await chromium.new_context()

    async def opened(path: str = "/", loader: bool = True) -> Page:
        page = await context.new_page()

        async def answer(route: Route) -> None:
            if loader:
                await route.fulfill(body=RECORDER, content_type="text/javascript")
            else:
                await route.abort()

        await page.route("**/walletmodal.js", answer)
        await page.goto(sandbox.url + path)
        return page

    yield opened
    await context.close()
