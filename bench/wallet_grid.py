"""The grid of all wallets: how soon its first page is painted, and whether scrolling through all of it keeps up with the screen."""

import json
from dataclasses import replace

from playwright.sync_api import Browser, Frame, Page

from bench.apps import App, served
from bench.browser import fresh_page, preloaded, wait_for
from bench.figures import Figure, Floor, figure
from bench.host_page import EVERYWHERE, PAGES
from bench.sandbox_start import running_sandbox
from scripts.build import build_sandbox
from scripts.project import CommandError, say
from walletmodal.core.networks import bundled_networks

VISITS = 10
SCROLLS = 3
WALLETS = 600
_LISTED = '[data-key^="listed "]'
_LIST = '[data-testid="wallet-list"]'
_WHEEL_PX = 120
_COLUMNS = 3
_TASK = "ThreadControllerImpl::RunTask"
_PLAIN = """<!doctype html><title>Plain</title><style>p { height: 112px; margin: 0 }</style>
<div id="plain" style="width: 360px; height: 400px; overflow: auto">TEXTS</div>"""


def wallet_grid(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures, of a directory of more than 600 wallets with pictures.

    Raises:
        CommandError: the sandbox did not start, or the grid did not show what it should.
    """
    say(f"all wallets: {VISITS} visitors open the grid, {SCROLLS} scroll through {WALLETS}")
    build_sandbox()
    painted: list[float] = []
    tasks: list[float] = []
    ours: list[float] = []
    plain: list[float] = []
    with running_sandbox() as sandbox:
        # Few of the directory's wallets serve none of the networks that the modal knows.
        changed = {"DIRECTORY_URL": f"{sandbox.url}/directory", "NETWORKS": ",".join(bundled_networks())}
        listing = replace(app, environment={**app.environment, **changed})
        with served(listing):
            for number in range(VISITS):
                with fresh_page(browser) as page:
                    frame, milliseconds = _open(page, app, host)
                    painted.append(milliseconds)
                    if number >= VISITS - SCROLLS:
                        browser.start_tracing(page=page, categories=["toplevel"])
                        ours += _scroll(page, frame, _LIST)
                        tasks += _main_tasks(browser.stop_tracing())
                        seen = frame.locator(_LISTED).count()
                        if seen < WALLETS:
                            raise CommandError(f"only {seen} of the wallets can be scrolled to")
                if number >= VISITS - SCROLLS:
                    with fresh_page(browser) as page:
                        plain += _scroll_plain(page)
    beside = f"beside it as many plain texts in an element that scrolls; {len(ours)} frames in {SCROLLS} passes"
    return [
        figure("grid_first_page_ms", "all wallets: first page painted after its data", "ms", painted, floor=Floor(100)),
        figure("grid_task_ms", f"all wallets: tasks while {WALLETS} are scrolled through", "ms of processor", tasks, floor=Floor(50, on="max")),
        figure("grid_gap_ms", "all wallets: from frame to frame", "ms", ours, reference=plain, note=beside),
    ]  # fmt: skip


def _main_tasks(trace: bytes) -> list[float]:
    """The processor time in milliseconds of each task of the page's main thread; what waits for other programs is not counted."""
    events = json.loads(trace)["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    found = [
        event["tdur"] / 1000
        for event in events
        if event["name"] == _TASK and "tdur" in event and (event["pid"], event["tid"]) in main
    ]
    if not found:
        raise CommandError("the browser's trace has no tasks")
    return found


def _open(page: Page, app: App, host: str) -> tuple[Frame, float]:
    page.context.add_init_script(path=PAGES / "grid.js")
    frame = preloaded(page, host, app.url, path=EVERYWHERE)
    frame.evaluate("(selector) => __probe.watchElement(selector)", _LISTED)
    page.evaluate("modal.open({ view: 'AllWallets' }), null")
    painted = wait_for(page, frame, "__probe.painted", "the painting of the first page")
    took = painted - frame.evaluate("__grid.data")
    if not 0 < took < painted:
        raise CommandError(f"the first page was painted {took:.1f} ms after its data, which makes no sense")
    return frame, took


def _scroll(page: Page, window: Page | Frame, selector: str) -> list[float]:
    """Turns the wheel over an element until its end is in view; the milliseconds from each frame to the next."""
    box = window.locator(selector).bounding_box()
    if box is None:
        raise CommandError("what is to be scrolled has no place")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    window.evaluate("__grid.record()")
    while not window.evaluate("(selector) => __grid.ended(selector)", selector):
        page.mouse.wheel(0, _WHEEL_PX)
        page.wait_for_timeout(8)
    recorded: list[float] = window.evaluate("__grid.stop()")
    return recorded


def _scroll_plain(page: Page) -> list[float]:
    """The same over as many texts as there are wallets, in the same height: what this machine can do at this moment."""
    page.context.add_init_script(path=PAGES / "grid.js")
    texts = "".join(f"<p>Wallet {number}</p>" for number in range(WALLETS // _COLUMNS))
    page.route("**/*", lambda route: route.fulfill(body=_PLAIN.replace("TEXTS", texts), content_type="text/html"))
    page.goto("http://localhost/")
    return _scroll(page, page, "#plain")
