"""The grid of all wallets: how soon its first page is painted, and whether scrolling through all of it keeps up with the screen."""

import json
import time
from typing import NamedTuple

from playwright.sync_api import Browser, Frame, Page

from bench.apps import App
from bench.browser import fresh_page, preloaded, wait_for
from bench.figures import Figure, Floor, figure
from bench.host_page import EVERYWHERE, PAGES
from walletmodal.commands.project import CommandError, say

VISITS = 10
TRACED = 1
TIMED = 3
WALLETS = 600
_LISTED = '[data-key^="listed "]'
_LIST = '[data-testid="wallet-list"]'
_GESTURE_PX = 3000
_PX_PER_SECOND = 6000
_COLUMNS = 3
_PASS_SECONDS = 60.0
_TASK = "ThreadControllerImpl::RunTask"
_PLAIN = """<!doctype html><title>Plain</title><style>p { height: 112px; margin: 0 }</style>
<div id="plain" style="width: 360px; height: 400px; overflow: auto">TEXTS</div>"""


class Ways(NamedTuple):
    """The milliseconds from each frame to the next on the way down and on the way back."""

    down: list[float]
    up: list[float]


def wallet_grid(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures, of a directory of more than 600 wallets with pictures; ours is served with the sandbox.

    Raises:
        CommandError: the grid did not show what it should, or scrolling took too long.
    """
    say(f"all wallets: {VISITS} visitors open the grid, {TRACED + TIMED} scroll through {WALLETS}")
    painted: list[float] = []
    tasks: list[float] = []
    ours: list[Ways] = []
    plain: list[Ways] = []
    for number in range(VISITS):
        with fresh_page(browser) as page:
            frame, milliseconds = _open(page, app, host)
            painted.append(milliseconds)
            # What is recorded of tasks would itself take time between two frames.
            if number < TRACED:
                browser.start_tracing(page=page, categories=["toplevel"])
                _scroll_all(page, frame)
                tasks += main_tasks(browser.stop_tracing())
            elif number < TRACED + TIMED:
                ours.append(Ways(_scroll_all(page, frame), scroll(page, frame, _LIST, up=True)))
        if len(plain) < len(ours):
            with fresh_page(browser) as page:
                plain.append(_scroll_plain(page))
    return [
        figure("grid_first_page_ms", "all wallets: first page painted after its data", "ms", painted, floor=Floor(100)),
        figure("grid_task_ms", f"all wallets: tasks while {WALLETS} are scrolled through", "ms of processor", tasks, floor=Floor(50, on="max")),
        figure("grid_gap_ms", "all wallets: longest frame of a way back", "ms", [max(ways.up) for ways in ours], floor=Floor(50), reference=[max(ways.up) for ways in plain]),
        figure("grid_coming_ms", "all wallets: from frame to frame while they come", "ms", _down(ours), reference=_down(plain), note=f"longer than 50 ms: {_share(ours)}, beside it {_share(plain)}"),
    ]  # fmt: skip


def _down(passes: list[Ways]) -> list[float]:
    return [gap for ways in passes for gap in ways.down]


def _share(passes: list[Ways]) -> str:
    gaps = _down(passes)
    return f"{sum(gap > 50 for gap in gaps)} of {len(gaps)}"


def _scroll_all(page: Page, frame: Frame) -> list[float]:
    gaps = scroll(page, frame, _LIST)
    seen = frame.locator(_LISTED).count()
    if seen < WALLETS:
        raise CommandError(f"only {seen} of the wallets can be scrolled to")
    return gaps


def main_tasks(trace: bytes) -> list[float]:
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


def scroll(page: Page, window: Page | Frame, selector: str, *, up: bool = False) -> list[float]:
    """Scrolls an element at an even pace until its end is in view, or its beginning; the milliseconds from each frame to the next.

    The browser makes the gesture itself: turned from here, the wheel would go as fast as this process gets its turn.
    """
    box = window.locator(selector).bounding_box()
    if box is None:
        raise CommandError("what is to be scrolled has no place")
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    gesture = {
        **place,
        "yDistance": _GESTURE_PX if up else -_GESTURE_PX,
        "speed": _PX_PER_SECOND,
        "preventFling": True,
        "gestureSourceType": "mouse",
    }
    devtools = page.context.new_cdp_session(page)
    deadline = time.monotonic() + _PASS_SECONDS
    window.evaluate("__grid.record()")
    arrived = "(selector) => __grid.began(selector)" if up else "(selector) => __grid.ended(selector)"
    while not window.evaluate(arrived, selector):
        if time.monotonic() > deadline:
            raise CommandError(f"scrolling to the end took longer than {_PASS_SECONDS:.0f} s")
        devtools.send("Input.synthesizeScrollGesture", gesture)
    recorded: list[float] = window.evaluate("__grid.stop()")
    devtools.detach()
    return recorded


def _scroll_plain(page: Page) -> Ways:
    """The same over as many texts as there are wallets, in the same height: what this machine can do at this moment."""
    page.context.add_init_script(path=PAGES / "grid.js")
    texts = "".join(f"<p>Wallet {number}</p>" for number in range(WALLETS // _COLUMNS))
    page.route("**/*", lambda route: route.fulfill(body=_PLAIN.replace("TEXTS", texts), content_type="text/html"))
    page.goto("http://localhost/")
    return Ways(scroll(page, page, "#plain"), scroll(page, page, "#plain", up=True))
