"""How soon a visitor who was connected sees the address again after a reload."""

from playwright.sync_api import Browser, Page

from bench.apps import App
from bench.browser import HOST_BUTTON, ROW, fresh_page, preloaded, wait_for
from bench.figures import Figure, Floor, figure
from bench.host_page import PAGES
from walletmodal.commands.project import CommandError, say

VISITORS = 4
RELOADS = 3


def silent_reconnect(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figure.

    Raises:
        CommandError: the address did not come back.
    """
    say(f"coming back: {VISITORS} connected visitors reload {RELOADS} times each")
    shown: list[float] = []
    for _ in range(VISITORS):
        with fresh_page(browser) as page:
            page.context.add_init_script(path=PAGES / "reconnect.js")
            frame = preloaded(page, host, app.url)
            page.click(HOST_BUTTON)
            frame.locator(ROW).first.click()
            wait_for(page, page, "window.__connected", "the address at the host")
            # A visitor comes to the page as it is by default, and its files are in the browser's cache by then.
            page.goto(f"{host}/auto")
            _shown(page)
            for _ in range(RELOADS):
                page.reload()
                shown.append(_shown(page))
    return [
        figure("reconnect_ms", "reload to address at the host and on its button", "ms", shown, floor=Floor(500)),
    ]


def _shown(page: Page) -> float:
    """Milliseconds from the beginning of the navigation until both."""
    painted = wait_for(page, page, "__probe.painted", "the address on the host's button")
    known = wait_for(page, page, "window.__connected", "the address at the host")
    took: float = max(painted, known) - page.evaluate("performance.timeOrigin")
    if not page.evaluate("modal.getAddress()") or not 0 < took < painted:
        raise CommandError(f"the address was there {took:.1f} ms after the reload, which makes no sense")
    return took
