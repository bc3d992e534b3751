"""Fixtures: the running system once, a browser once, and a new visitor for each test.

Everything that outlives a test is of package scope: Playwright's synchronous interface keeps an event loop running in this
thread, and the asynchronous tests of other folders need that gone.
"""

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from scripts.chromium import CHROMIUM_FLAGS as CHROMIUM_FLAGS
from scripts.chromium import chromium_path as installed_chromium
from tests.browser.chain import TestAccount, new_account
from tests.browser.patient import patient
from tests.browser.regulars import Regular, leave, reconnect
from tests.browser.snapshots import snapshots_of
from tests.browser.stack import MoveClock, Stack
from tests.browser.visiting import visiting
from tests.browser.visits import Visit, Visiting
from tests.second_try import SHOWN
from walletmodal.commands.project import CommandError

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say what every frame shows where a test fails."""
    report = yield
    browser = getattr(item, "funcargs", {}).get("chromium")
    if report.failed and report.when != "teardown" and isinstance(browser, Browser):
        for address, snapshot in snapshots_of(browser):
            report.sections.append((SHOWN + address, snapshot))
    return report


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
    try:
        return installed_chromium(names)
    except CommandError as missing:
        pytest.fail(str(missing), pytrace=False)


@pytest.fixture(scope="package")
def chromium(driver: Playwright) -> Iterator[Browser]:
    """Chromium with the storage partitioning that visitors have."""
    # One visitor after the other in the same process, which has our scripts compiled; see contexts.py.
    flags = [*CHROMIUM_FLAGS, "--process-per-site"]
    launched = driver.chromium.launch(executable_path=chromium_path(), args=flags)
    yield patient(launched)
    launched.close()


@pytest.fixture
def account() -> TestAccount:
    """A fresh account, the first of the visitor's wallet."""
    return new_account()


@pytest.fixture
def visit(stack: Stack, chromium: Browser, account: TestAccount) -> Iterator[Visiting]:
    """Makes visitors of this test, the first account of each being `account`."""
    with visiting(stack, chromium, account) as make:
        yield make


@pytest.fixture
def visitor(visit: Visiting) -> Visit:
    """A visitor of the demo page."""
    return visit()


@pytest.fixture
def connected(visitor: Visit) -> Visit:
    """A visitor of the demo page whose wallet is connected."""
    visitor.modal.connect(visitor.wallet)
    return visitor


@pytest.fixture(scope="module")
def shared_visit(stack: Stack, chromium: Browser) -> Iterator[Visiting]:
    """Makes visitors whom the tests of a file share: for tests that only look, or leave everything as it was."""
    with visiting(stack, chromium) as make:
        yield make


@pytest.fixture(scope="module")
def regular_guest(shared_visit: Visiting) -> Regular[Visit]:
    """Who is on the demo page with nobody connected."""
    return Regular(shared_visit, leave)


@pytest.fixture(scope="module")
def regular_member(shared_visit: Visiting) -> Regular[Visit]:
    """Who is on the demo page with the first account connected on Ethereum."""

    def arrive() -> Visit:
        visitor = shared_visit()
        visitor.modal.connect(visitor.wallet)
        return visitor

    return Regular(arrive, reconnect)


@pytest.fixture
def guest(regular_guest: Regular[Visit]) -> Iterator[Visit]:
    """A visitor of the demo page, whom other tests of the file had before."""
    with regular_guest.returning() as visitor:
        yield visitor


@pytest.fixture
def member(regular_member: Regular[Visit]) -> Iterator[Visit]:
    """A visitor whose wallet is connected on Ethereum, whom other tests of the file had before."""
    with regular_member.returning() as visitor:
        yield visitor


@pytest.fixture(scope="module")
def move_clock(stack: Stack) -> Iterator[MoveClock]:
    """Moves the clock of the sandbox forward by seconds; after the file's tests it is the machine's again, as modals and wallets have it."""
    yield stack.move_clock
    stack.restore_clock()


@pytest.fixture
def healthy_sandbox(stack: Stack) -> Iterator[Stack]:
    """The system, for a test that breaks a service of the sandbox: healed afterwards."""
    yield stack
    stack.heal()
