"""Rows 5 to 8: what one worker carries. Visitors without a browser, in a process of their own, and one visitor in Chromium among them."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil
from playwright.sync_api import Browser, Page

from bench.apps import App, Running, served
from bench.browser import HOST_BUTTON, PATIENCE_MS, ROW, fresh_page, preloaded, settle, wait_for
from bench.figures import Figure, Floor, figure
from bench.load import Script
from bench.load_process import Series, visitors
from bench.recorder import Recording, record_empty, record_ours
from walletmodal.commands.project import say

CROWD = 500
EVERY_SECONDS = 2.0
CLICKS = 50
RACERS = 32
RACE_SECONDS = 4.0
ROUNDS = 5

_WARM_UP_SECONDS = 6.0
_SETTLE_SECONDS = 3.0
_KB = 1000
_HELP = '[data-testid="w3m-header-help"]'
_BACK = '[data-testid="header-back"]'

Clicking = Callable[[Browser, App], list[float]]
"""Clicks as a visitor and returns, in ms, how long each change took to be painted. The first one is for warming up."""


@dataclass(frozen=True)
class Crowded:
    """One app with its crowd.

    Attributes:
        memory: bytes of the worker that each visitor added.
        clicks_ms: from a click in Chromium to its first visible change.
        series: what the crowd measured meanwhile.
        worker_share, browser_share: processor use meanwhile, 1 for a whole core.
    """

    memory: float
    clicks_ms: list[float]
    series: Series
    worker_share: float
    browser_share: float


def races(browser: Browser, ours: App, empty: App, host: str) -> list[Figure]:
    """Row 6: events that one worker answers when each visitor sends the next as soon as the last is answered."""
    with served(ours) as running, served(empty) as other:
        recorded, reference = record_ours(browser, ours, host), record_empty(browser, empty)
        turns, push = Race("turns", running, recorded.there_and_back), Race("push", running, recorded.script)
        bare = Race("empty", other, reference.script)
        say(f"events per second, {RACERS} visitors, {ROUNDS} rounds")
        for number in range(ROUNDS + 1):
            # One after the other in each round, so that a slow minute of the machine is everybody's.
            for race in (turns, push, bare):
                race.run(number)
    return _race_figures("turns", "view pushed and left in turn", turns, bare) + _race_figures(
        "push", "views pushed only", push, bare
    )


class Race:
    """One kind of event on one app, measured round by round.

    Attributes:
        rates: events per second, each round.
        costs: processor time of the worker for one event in µs, each round.
    """

    def __init__(self, name: str, running: Running, script: Script) -> None:
        self._name, self._running, self._script = name, running, script
        self.rates: list[float] = []
        self.costs: list[float] = []

    def run(self, number: int) -> None:
        """One round. Number 0 warms up and does not count."""
        with visitors() as load:
            load.connect(RACERS, self._script)
            used = self._running.cpu_seconds()
            series = load.race(seconds=RACE_SECONDS)
            cost = 1e6 * (self._running.cpu_seconds() - used) / series.events
            load.hang_up()
        if number:
            self.rates.append(series.rate)
            self.costs.append(cost)
            say(
                f"  round {number}, {self._name}: {series.rate:,.0f} per second, {cost:.0f} µs of the worker each; "
                f"the load on {series.cpu_share:.0%} of a core"
            )


def _race_figures(key: str, title: str, ours: Race, empty: Race) -> list[Figure]:
    percent = [100 * rate / other for rate, other in zip(ours.rates, empty.rates, strict=True)]
    return [
        figure(f"events_per_second_{key}", f"events per second, {title}", "/s", ours.rates, reference=empty.rates),
        figure(
            f"events_percent_{key}",
            f"… in percent of the empty app's ({title})",
            "%",
            percent,
            floor=Floor(60, at_least=True),
        ),
        figure(
            f"event_cost_{key}",
            f"… processor time of the worker per event ({title})",
            "µs",
            ours.costs,
            reference=empty.costs,
        ),
    ]


def crowds(browser: Browser, ours: App, empty: App, host: str) -> list[Figure]:
    """Rows 5, 7 and 8: 500 visitors, their memory, and what a click costs among them."""
    with served(empty) as running:
        reference_recording = record_empty(browser, empty)
        reference = _crowd(browser, running, reference_recording.script, click_counter)
    with served(ours) as running:
        recording = record_ours(browser, ours, host)
        measured = _crowd(browser, running, recording.script, _pushing(host))
    return (
        _latency(measured, reference) + _memory(measured, reference) + _bytes(recording, reference_recording, measured)
    )


def _crowd(browser: Browser, running: Running, script: Script, click: Clicking) -> Crowded:
    say(f"{running.app.name}: {CROWD} visitors come")
    with visitors() as load:
        time.sleep(_SETTLE_SECONDS)
        before = running.memory()
        load.connect(CROWD, script)
        time.sleep(_SETTLE_SECONDS)
        memory = (running.memory() - before) / CROWD
        say(f"{running.app.name}: each sends an event every {EVERY_SECONDS:g} s, one in Chromium clicks {CLICKS} times")
        load.start_pace(every=EVERY_SECONDS)
        clicks, shares = _among_them(browser, running, click)
        series = load.stop_pace()
        load.hang_up()
    return Crowded(memory, clicks, series, *shares)


def _among_them(browser: Browser, running: Running, click: Clicking) -> tuple[list[float], tuple[float, float]]:
    time.sleep(_WARM_UP_SECONDS)
    began, worker, chromium = time.monotonic(), running.cpu_seconds(), _chromium_seconds()
    clicks = click(browser, running.app)
    elapsed = time.monotonic() - began
    return clicks, ((running.cpu_seconds() - worker) / elapsed, max(0.0, _chromium_seconds() - chromium) / elapsed)


def _chromium_seconds() -> float:
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            if "chrom" in process.name():
                used = process.cpu_times()
                total += used.user + used.system
        except psutil.Error:
            # A renderer that has just ended.
            continue
    return total


def click_counter(browser: Browser, app: App) -> list[float]:
    """Clicks on the empty app's counter."""
    with fresh_page(browser) as page:
        page.goto(app.url)
        settle(page)

        def press() -> float:
            page.evaluate("__probe.watchText('#counter')")
            page.click("#counter")
            painted: float = wait_for(page, page, "__probe.painted", "the change of the counter")
            return painted - float(page.evaluate("__probe.clicked"))

        return _clicks(page, press)


def _pushing(host: str) -> Clicking:
    def click(browser: Browser, app: App) -> list[float]:
        with fresh_page(browser) as page:
            frame = preloaded(page, host, app.url)
            page.click(HOST_BUTTON)
            frame.locator(ROW).first.click(trial=True)

            def press() -> float:
                frame.evaluate("__probe.watchElement('[data-view=\"WhatIsAWallet\"]')")
                frame.locator(_HELP).click()
                painted: float = wait_for(page, frame, "__probe.painted", "the pushed view")
                latency = painted - float(frame.evaluate("__probe.clicked"))
                frame.locator(_BACK).click()
                frame.locator(ROW).first.click(trial=True, timeout=PATIENCE_MS)
                return latency

            return _clicks(page, press)

    return click


def _clicks(page: Page, press: Callable[[], float]) -> list[float]:
    # The first click also loads the chunk of a view that is rarely seen.
    press()
    found = []
    for number in range(CLICKS):
        found.append(press())
        # Clicks must not keep step with the periods of the crowd.
        page.wait_for_timeout(40 + 37 * number % 220)
    return found


def _latency(measured: Crowded, reference: Crowded) -> list[Figure]:
    note = (
        f"meanwhile {measured.series.rate:.0f} events per second; of one core the worker used {measured.worker_share:.0%} "
        f"(empty app {reference.worker_share:.0%}), the load {measured.series.cpu_share:.0%} ({reference.series.cpu_share:.0%}), "
        f"Chromium {measured.browser_share:.0%} ({reference.browser_share:.0%})"
    )
    return [
        figure(
            "push_visible_ms",
            f"click to first visible change, {CROWD} visitors",
            "ms",
            measured.clicks_ms,
            floor=Floor(50, on="p95"),
            reference=reference.clicks_ms,
            note=note,
        ),
        figure(
            "push_delta_ms",
            f"event to delta for those {CROWD} visitors",
            "ms",
            measured.series.latencies_ms,
            reference=reference.series.latencies_ms,
        ),
    ]


def _memory(measured: Crowded, reference: Crowded) -> list[Figure]:
    return [
        figure(
            "visitor_kilobytes",
            "memory of one worker per visitor",
            "kB",
            [measured.memory / _KB],
            floor=Floor(300),
            reference=[reference.memory / _KB],
        )
    ]


def _bytes(recording: Recording, reference: Recording, measured: Crowded) -> list[Figure]:
    crowd = measured.series.received / measured.series.answered
    return [
        figure(
            "push_bytes",
            "socket bytes for one view push",
            "B",
            [max(recording.push_bytes, crowd)],
            floor=Floor(1000, on="max"),
            reference=[reference.push_bytes],
            note=f"{recording.push_bytes} B in Chromium, {crowd:.0f} B on average among the {CROWD} visitors",
        ),
        figure(
            "hydrate_bytes",
            "first delta of a new visitor",
            "B",
            [recording.hydrate_bytes],
            reference=[reference.hydrate_bytes],
        ),
    ]
