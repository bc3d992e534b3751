"""Fixtures: the running system once, a browser once, and a new visitor for each test.

Everything that outlives a test is of package scope: Playwright's synchronous interface keeps an event loop running in this
thread, and the asynchronous tests of other folders need that gone.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from tests.browser.chain import TestAccount, new_account
from tests.browser.host_pages import embedding_page
from tests.browser.modal import Modal
from tests.browser.observed import Problems
from tests.browser.servers import ModalServer
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting, demo_address
from tests.browser.wallet import TestWallet, WalletSetup

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Playwright switches storage partitioning off in this very flag; its own list must not stand.
    "--disable-features=Translate",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The running system."""
    running = Stack(tmp_path_factory.mktemp("stack"))
    try:
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    """Playwright's driver."""
    with sync_playwright() as started:
        yield started


def chromium_path(names: Sequence[str] = CHROMIUM_NAMES) -> str:
    """The browser: CHROMIUM_PATH, else Debian's, the first of `names` that is there.

    Raises:
        pytest.fail.Exception: there is none.
    """
    named = os.environ.get("CHROMIUM_PATH")
    found = named or next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.fail(f"no Chromium: install Debian's {names[0]}, or set CHROMIUM_PATH", pytrace=False)
    return found


@pytest.fixture(scope="package")
def chromium(driver: Playwright) -> Iterator[Browser]:
    """Chromium with the storage partitioning that visitors have."""
    launched = driver.chromium.launch(executable_path=chromium_path(), args=list(CHROMIUM_FLAGS))
    yield launched
    launched.close()


@pytest.fixture
def account() -> TestAccount:
    """A fresh account, the first of the visitor's wallet."""
    return new_account()


@pytest.fixture
def visit(stack: Stack, chromium: Browser, account: TestAccount) -> Iterator[Visiting]:
    """Makes visitors, each in a browser context of its own.

    By default a visitor has a wallet with two accounts on Ethereum, which knows Ethereum and Polygon, and is on the demo page.
    `address`: another host page. `options`, `query`: of the demo page. `server`: another modal server, on a page of our own; `modal_url`: one that is not ours.
    `wallet`: changes to its setup. `before`: scripts that run before the page's. `prepare`: what to do with the context first.
    """
    made: list[BrowserContext] = []
    other = new_account()

    def make(
        address: str | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        server: ModalServer | None = None,
        modal_url: str | None = None,
        wallet: Mapping[str, Any] | None = None,
        before: Sequence[str] = (),
        prepare: Callable[[BrowserContext], None] | None = None,
        context: BrowserContext | None = None,
        load: bool = True,
        **context_options: Any,
    ) -> Visit:
        if modal_url is None:
            (server or stack.modal).revive()
        if address is None and server is not None:
            path = f"/{server.name}/{len(made)}"
            stack.hosts.put(path, embedding_page(server.url, options))
            address = stack.hosts.allowed + path
        if address is None:
            # The sandbox's own wallet stays out of most tests: then there is one wallet, and one name for it.
            chosen = {"wallet": "none", **(query or {})}
            address = demo_address(
                stack.demo, json.dumps(options) if options else "", **{k: v for k, v in chosen.items() if v}
            )
        known = {chain_id: stack.node_urls[chain_id] for chain_id in (1, 137)}
        setup = WalletSetup(**{"accounts": (account, other), "chains": known, **(wallet or {})})
        opened = context or chromium.new_context(**context_options)
        made.append(opened)
        for script in before:
            opened.add_init_script(script)
        opened.add_init_script(setup.init_script())
        if prepare:
            prepare(opened)
        page = opened.new_page()
        modal = Modal(page, modal_url or (server or stack.modal).url)
        made_visit = Visit(opened, page, modal, TestWallet(page), Problems(page), account, other, address)
        if load:
            made_visit.go()
        return made_visit

    yield make
    for opened in made:
        opened.close()


@pytest.fixture
def visitor(visit: Visiting) -> Visit:
    """A visitor of the demo page."""
    return visit()


@pytest.fixture
def connected(visitor: Visit) -> Visit:
    """A visitor of the demo page whose wallet is connected."""
    visitor.modal.connect(visitor.wallet)
    return visitor


@pytest.fixture
def healthy_sandbox(stack: Stack) -> Iterator[Stack]:
    """The system, for a test that breaks a service of the sandbox: healed afterwards."""
    yield stack
    stack.heal()
