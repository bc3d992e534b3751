"""Chromium, and the parts of a measured page that every measurement needs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Frame, Page, sync_playwright

from bench.host_page import PAGES
from scripts.chromium import CHROMIUM_FLAGS, chromium_path
from walletmodal.commands.project import CommandError

PATIENCE_MS = 30_000
ROW = '[data-testid^="wallet-selector-"]:not([data-testid="wallet-selector-walletconnect"])'
HOST_BUTTON = "wallet-modal-button"
# Who watches a page by DevTools, as Playwright does, has V8 parse a script again for the places in a stack trace, which took 140 ms of the
# slow network's row and which no visitor's browser does. V8 notes the places at the first parsing instead, which costs less, but is paid.
_PLACES = "--js-flags=--no-enable-lazy-source-positions"


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser of this machine: CHROMIUM_PATH, else Debian's.

    Raises:
        CommandError: there is none.
    """
    program = chromium_path()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=[*CHROMIUM_FLAGS, _PLACES])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def fresh_page(browser: Browser, *, headers: dict[str, str] | None = None) -> Iterator[Page]:
    """A page of a visitor who was never here: nothing cached, nothing stored. `headers`: of all that it asks for."""
    context = browser.new_context(extra_http_headers=headers)
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(path=PAGES / "probe.js")
    try:
        yield context.new_page()
    finally:
        context.close()


def frame_of(page: Page, origin: str) -> Frame:
    """The modal's frame in a host page.

    Raises:
        CommandError: there is none.
    """
    found = next((frame for frame in page.frames if frame.url.startswith(origin)), None)
    if found is None:
        raise CommandError("the host page has no frame of the modal")
    return found


def settle(window: Page | Frame) -> None:
    """Wait until a page, or a frame of it, has nothing left to load.

    A page that was at rest before a frame joined it never counts as idle again for Playwright: ask the frame then.
    """
    window.wait_for_load_state("networkidle")


def wait_for(page: Page, frame: Page | Frame, expression: str, what: str) -> Any:
    """The value of a JavaScript expression in a window as soon as it is true there.

    Playwright's own wait evaluates a string in the page, which the frame's policy forbids.

    Raises:
        CommandError: it was not within half a minute.
    """
    for _ in range(PATIENCE_MS // 10):
        value = frame.evaluate(expression)
        if value:
            return value
        page.wait_for_timeout(10)
    raise CommandError(f"{what} did not happen within {PATIENCE_MS // 1000} s")


def preloaded(page: Page, host: str, modal: str, *, path: str = "eager") -> Frame:
    """Open a host page that loads the frame at once, and wait until the frame waits for its visitor."""
    page.goto(f"{host}/{path}")
    wait_for(page, page, "modal.getState().initialized", "the preloaded frame's first state")
    frame = frame_of(page, modal)
    settle(frame)
    return frame
