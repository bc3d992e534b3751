"""The first visit on a slow network and processor: nothing cached, from the click to the list of wallets."""

from playwright.sync_api import Browser, Page

from bench.apps import App
from bench.browser import HOST_BUTTON, ROW, fresh_page, settle, wait_for
from bench.figures import Figure, Floor, figure
from walletmodal.commands.project import CommandError, say

VISITS = 5
_LATENCY_MS = 150
_BYTES_PER_SECOND = 1_600_000 / 8
_SLOWER = 4
# Before anything else in the frame, which is there only after the click.
_WATCH = f"if (window.parent !== window) __probe.watchElement({ROW!r});"


def slow_network(browser: Browser, app: App, host: str) -> list[Figure]:
    """The row of the slow 4G: five new visitors, one after the other."""
    say(f"slow network: {_LATENCY_MS} ms, 1.6 Mbit/s, a processor {_SLOWER} times slower, {VISITS} new visitors")
    shown: list[float] = []
    waterfall = ""
    for _ in range(VISITS):
        with fresh_page(browser) as page:
            page.add_init_script(_WATCH)
            milliseconds, waterfall = _visit(page, app, host)
            shown.append(milliseconds)
    return [
        figure(
            "slow_network_ms",
            "click to list of wallets, slow 4G and CPU / 4",
            "ms",
            shown,
            floor=Floor(1500),
            note=f"the last visit's files, from the click: {waterfall}",
        )
    ]


def _visit(page: Page, app: App, host: str) -> tuple[float, str]:
    page.goto(f"{host}/none")
    settle(page)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": _LATENCY_MS,
            "downloadThroughput": _BYTES_PER_SECOND,
            "uploadThroughput": _BYTES_PER_SECOND,
        },
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    with page.expect_event("framenavigated", lambda frame: frame.url.startswith(app.url)) as navigated:
        page.click(HOST_BUTTON)
    frame = navigated.value
    painted = wait_for(page, frame, "window.__probe?.painted", "the list of wallets on a slow network")
    clicked = page.evaluate("__probe.clicked")
    if painted <= clicked:
        raise CommandError("the list of wallets was painted before the click")
    entries = frame.evaluate(
        """(clicked) => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((entry) => {
          const from = (time) => Math.round(performance.timeOrigin + time - clicked);
          return `${new URL(entry.name).pathname.split("/").pop() || "/"} ${from(entry.startTime)}-${from(entry.responseEnd)}`;
        }).join(", ")""",
        clicked,
    )
    return painted - clicked, entries
