"""Rows 1 to 4: what a host page loads, what the frame loads, and how long opening and connecting take. One visitor at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, Request

from bench.apps import App
from bench.browser import HOST_BUTTON, ROW, frame_of, fresh_page, preloaded, settle, wait_for
from bench.figures import Figure, Floor, figure
from walletmodal.commands.project import CommandError, say

VISITS = 30
_KB = 1000
_LOADER_LIMIT = 8 * 1024
_COUNTED = frozenset({"script", "stylesheet", "document"})
# What every page and every competitor can be weighed with; over HTTPS browsers get Brotli, an eighth less.
_GZIP = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Loaded:
    """One file that came over the wire. `size`: bytes of its body as they were sent, so compressed where it was."""

    url: str
    kind: str
    size: int


class Traffic:
    """Everything that a page loads from one origin."""

    def __init__(self, page: Page, origin: str) -> None:
        self._origin = origin + "/"
        self._finished: list[Request] = []
        page.on("requestfinished", self._note)

    def _note(self, request: Request) -> None:
        if request.url.startswith(self._origin):
            self._finished.append(request)

    def so_far(self) -> list[Loaded]:
        """What has come until now."""
        return [_loaded(request) for request in list(self._finished)]


def _loaded(request: Request) -> Loaded:
    return Loaded(request.url, request.resource_type, request.sizes()["responseBodySize"])


def _total(files: Sequence[Loaded], kinds: frozenset[str] = _COUNTED) -> int:
    return sum(file.size for file in files if file.kind in kinds)


def before_a_click(browser: Browser, app: App, host: str) -> list[Figure]:
    """Row 1: what the loader costs a host page whose visitor never clicks."""
    say("loader: what a host page loads before a click")
    sizes: list[float] = []
    counts: list[float] = []
    for preload in ("none", "auto"):
        with fresh_page(browser, headers=_GZIP) as page:
            traffic = Traffic(page, app.url)
            page.goto(f"{host}/{preload}")
            settle(page)
            files = traffic.so_far()
            sizes.append(sum(file.size for file in files))
            counts.append(len(files))
    return [
        figure(
            "loader_bytes",
            "loader on the host page before a click",
            "B gzip",
            sizes,
            floor=Floor(_LOADER_LIMIT, on="max"),
        ),
        figure("loader_requests", "requests to the modal before a click", "requests", counts, floor=Floor(1, on="max")),
    ]


def until_interactive(browser: Browser, app: App, empty: App, host: str) -> list[Figure]:
    """Row 2: what the frame loads from the click until a wallet can be picked."""
    say("frame: what it loads until the Connect view is interactive")
    with fresh_page(browser, headers=_GZIP) as page:
        page.goto(f"{host}/none")
        settle(page)
        traffic = Traffic(page, app.url)
        page.click(HOST_BUTTON)
        modal = page.frame_locator(f'iframe[src^="{app.url}"]')
        # A trial click waits until the row is there, has stopped moving and would receive it.
        modal.locator(ROW).first.click(trial=True)
        files = traffic.so_far()
        settle(frame_of(page, app.url))
        later = _total(traffic.so_far()) - _total(files)
    with fresh_page(browser, headers=_GZIP) as page:
        traffic = Traffic(page, empty.url)
        page.goto(empty.url)
        page.click("#counter")
        wait_for(page, page, 'document.querySelector("#counter").textContent === "1"', "the empty app's first count")
        reference = traffic.so_far()
    images = sum(file.size for file in files if file.kind == "image")
    other = [file.url for file in files if file.kind not in _COUNTED | {"image"}]
    note = (
        f"scripts {_total(files, frozenset({'script'})) / _KB:.1f}, styles {_total(files, frozenset({'stylesheet'})) / _KB:.1f}, "
        f"page {_total(files, frozenset({'document'})) / _KB:.1f} kB; beside it images {images / _KB:.1f} kB, "
        f"other files {len(other)}; after that moment {later / _KB:.1f} kB more by itself"
    )
    return [
        figure(
            "frame_kilobytes",
            "frame until Connect is interactive",
            "kB gzip",
            [_total(files) / _KB],
            floor=Floor(131),
            reference=[_total(reference) / _KB],
            note=note,
        )
    ]


def open_and_connect(browser: Browser, app: App, host: str) -> list[Figure]:
    """Rows 3 and 4: for each of 30 new visitors, the first opening of a preloaded frame, and the first connection."""
    say(f"opening and connecting, {VISITS} new visitors one after the other")
    opened: list[float] = []
    connected: list[float] = []
    for number in range(VISITS):
        with fresh_page(browser) as page:
            opening, connecting = _visit(page, app, host)
            opened.append(opening)
            connected.append(connecting)
        if (number + 1) % 10 == 0:
            say(f"  {number + 1} of {VISITS}")
    return [
        figure("open_ms", "host button to Connect view painted, preloaded", "ms", opened, floor=Floor(100)),
        figure("connect_ms", "wallet row to address known at the host", "ms", connected, floor=Floor(250)),
    ]


def _visit(page: Page, app: App, host: str) -> tuple[float, float]:
    frame = preloaded(page, host, app.url)
    frame.evaluate("(selector) => __probe.watchElement(selector)", ROW)
    # The frame paints also while the host hides it; a visitor sees it once both have happened.
    page.evaluate("(selector) => __probe.watchElement(selector)", f'iframe[src^="{app.url}"]')
    page.click(HOST_BUTTON)
    painted = max(
        wait_for(page, window, "__probe.painted", "the painting of the Connect view") for window in (frame, page)
    )
    opening = painted - page.evaluate("__probe.clicked")
    frame.locator(ROW).first.click()
    known = wait_for(page, page, "window.__connected", "the address at the host")
    connecting = known - frame.evaluate("__probe.clicked")
    if not page.evaluate("modal.getAddress()") or opening <= 0 or connecting <= 0:
        raise CommandError(f"the visit makes no sense: opened in {opening:.1f} ms, connected in {connecting:.1f} ms")
    return opening, connecting
