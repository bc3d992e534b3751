"""How soon the code that a phone scans is on the screen, with the SDK of the pairing loaded before and without."""

from playwright.sync_api import Browser, Frame, Page

from bench.apps import App
from bench.browser import HOST_BUTTON, fresh_page, preloaded, wait_for
from bench.figures import Figure, Floor, figure
from walletmodal.commands.project import CommandError, say

VISITS = 6
_REST_MS = 500
"""What the SDK runs once it is there, and what the opening of the modal leaves to do."""
_ROW = '[data-testid="wallet-selector-walletconnect"]'
_CODE = '[data-testid="wui-qr-code"] svg'
# Only the SDK is that large; the views of the pairing come in a piece of their own, which both kinds of visitors load.
_HAS_SDK = "performance.getEntriesByType('resource').some(({ decodedBodySize }) => decodedBodySize > 450_000)"
# Where the SDK keeps what it makes as soon as it runs.
_HAS_STORE = "Object.keys(localStorage).some((key) => key.startsWith('walletmodal:wc@'))"


def pairing_code(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures; ours is served with the sandbox's relay.

    Raises:
        CommandError: no code was shown, or the SDK was loaded when it should not have been.
    """
    say(f"pairing: {2 * VISITS} visitors open the pane with the code, half of them with the SDK loaded")
    loaded: list[float] = []
    fetched: list[float] = []
    for _ in range(VISITS):
        with fresh_page(browser) as page:
            fetched.append(_without_sdk(page, preloaded(page, host, app.url)))
        with fresh_page(browser) as page:
            loaded.append(_with_sdk(page, preloaded(page, host, app.url)))
    return [
        figure("code_loaded_ms", "pane opened to code painted, SDK loaded", "ms", loaded, floor=Floor(300)),
        figure("code_fetched_ms", "pane opened to code painted, SDK not loaded", "ms", fetched, floor=Floor(800)),
    ]


def _with_sdk(page: Page, frame: Frame) -> float:
    """A mouse rests on the row, which has the SDK fetched, and then clicks."""
    page.click(HOST_BUTTON)
    row = frame.locator(_ROW)
    row.hover()
    wait_for(page, page, _HAS_STORE, "the loading of the SDK")
    page.wait_for_timeout(_REST_MS)
    frame.evaluate("(selector) => __probe.watchElement(selector)", _CODE)
    row.click()
    return _painted(page, frame)


def _without_sdk(page: Page, frame: Frame) -> float:
    """The click comes without a pointer or a focus before it: nothing has announced it."""
    page.click(HOST_BUTTON)
    row = frame.locator(_ROW)
    row.wait_for()
    page.wait_for_timeout(_REST_MS)
    if frame.evaluate(_HAS_SDK):
        raise CommandError("before the click the SDK was to be missing, and was there")
    frame.evaluate("(selector) => __probe.watchElement(selector)", _CODE)
    row.dispatch_event("click")
    return _painted(page, frame)


def _painted(page: Page, frame: Frame) -> float:
    painted = wait_for(page, frame, "__probe.painted", "the painting of the code")
    took: float = painted - frame.evaluate("__probe.clicked")
    if not 0 < took < painted:
        raise CommandError(f"the code was painted {took:.1f} ms after the click, which makes no sense")
    return took
