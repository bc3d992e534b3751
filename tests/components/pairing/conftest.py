"""Fixtures: the relay with the test page, a browser, one phone, and a new visitor for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.conftest import CHROMIUM_FLAGS, chromium_path
from tests.browser.patient import patient_async
from tests.components.pairing.phone import Phone
from tests.components.pairing.phone.python_wallet import PythonWallet
from tests.components.pairing.stage import Frame, Theatre, bundle, open_frame


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Theatre]:
    folder = tmp_path_factory.mktemp("page")
    bundle(folder)
    theatre = Theatre(folder)
    await theatre.start()
    yield theatre
    await theatre.stop()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as driver:
        launched = await driver.chromium.launch(executable_path=chromium_path(), args=list(CHROMIUM_FLAGS))
        yield patient_async(launched)
        await launched.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def phone(served: Theatre) -> AsyncIterator[Phone]:
    """The wallet that all tests share; it may hold sessions of tests before."""
    running = Phone(served.relay_url)
    await running.start()
    yield running
    await running.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def theatre(served: Theatre) -> AsyncIterator[Theatre]:
    """The relay without faults, with an attestation host that answers nothing."""
    served.attests = ""
    yield served
    served.faults.clear()
    served.clock.ahead = 0


@pytest_asyncio.fixture(loop_scope="session")
async def frame(theatre: Theatre, chromium: Browser) -> AsyncIterator[Frame]:
    """A visitor's page."""
    visitor = await open_frame(theatre, chromium)
    await visitor.load()
    yield visitor
    await visitor.page.context.close()
    assert visitor.outside == []
    assert visitor.problems == []


@pytest_asyncio.fixture(loop_scope="session")
async def python_wallet(theatre: Theatre, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PythonWallet]:
    """A wallet of other makers."""
    wallet = PythonWallet(theatre.relay_url, monkeypatch)
    yield wallet
    await wallet.end()
