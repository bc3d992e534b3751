"""What is measured of the visitors of one deployment."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from bench.figures import Figure, Floor, figure
from bench.samples import summarise
from bench.scale.bridge import REFRESH_SECONDS
from bench.scale.capacity import MIX, NOTHING, Costs, Term, cost_table, fleet_table, term_table, terms
from bench.scale.deployment import Deployment, Usage
from bench.scale.population_process import PopulationProcess, Report
from bench.scale.soak import VISITS, soak
from bench.scale.visitor import FLOWS, RETURN_SECONDS
from walletmodal.commands.project import say

WORKERS: Final = 2
EVERY_SECONDS: Final = 60.0
LIVE_SECONDS: Final = 90.0
OVERLOAD: Final = 1200.0
"""Refreshes a second that open accounts ask for, more than two workers with a processor each can do; whoever has gone on to another view asks for none."""
LOCK_SECONDS: Final = 20.0
_SETTLE_SECONDS: Final = 5.0
_IDLE_SECONDS: Final = 30.0
_SIMULATED_SECONDS: Final = 90.0
_ALONE: Final = 1000
"""Visitors of whom it is seen what a push costs by itself."""
_SHARE: Final = {
    "arrive": 1.0,
    "open": 2.0,
    "connect": 0.75,
    "sign_in": 0.25,
    "approve": 0.25,
    "account": 0.5,
    "push": 2.0,
    "back": 1.0,
    "send": 0.02,
    "close": 1.0,
}
"""How many do something else, as part of those who load the page."""
_AWAY_SECONDS: Final = 3.0
"""Who is back before the server has noticed is somebody new to it, and gets the place from the resume record."""
_MIX: Final = {"push": 1.0, "back": 1.0}
_KB, _MS = 1000, 1000.0


class Measuring:
    """Visitors of one deployment.

    Args:
        deployed: the servers.
        people: the visitors.
        count: how many there will be.
        ramp: how many a second load the page.

    Attributes:
        figures: of the flows that were carried out.
        errors: how often something went wrong. examples: one of each kind.
    """

    def __init__(self, deployed: Deployment, people: PopulationProcess, count: int, ramp: float) -> None:
        self._deployed, self._people, self._count, self._ramp = deployed, people, count, ramp
        self.figures: list[Figure] = []
        self._costs: dict[str, Usage] = {}
        self._alone = NOTHING
        self.errors: Counter[str] = Counter()
        self.examples: dict[str, str] = {}

    def crowd(self) -> str:
        """What visitors cost and how long they wait; tables of docs/capacity.md."""
        found, count, empty = self.figures, self._count, self._deployed.usage()
        self._nobody(_IDLE_SECONDS)
        # As many refreshes as where each looks at the account for a part of the time.
        self._ask(do="refresh", every=60 / MIX["refresh"])
        self._flow("arrive", "a page is loaded", count)
        self._idle(_IDLE_SECONDS)
        self._flow("open", "the modal is opened", count)
        here = self._deployed.usage()
        self._flow("connect", "a wallet is connected", count)
        self._flow("sign_in", "a sign-in is verified", max(1, count // 10))
        self._flow("approve", "a request of the host is approved", max(1, count // 10))
        self._flow("account", "the account is shown", count)
        self._watch(2 * REFRESH_SECONDS)
        states, stored = self._deployed.state_bytes(), self._deployed.usage()
        self._flow("push", "a view is pushed", min(count, _ALONE))
        # What is kept of an account is old when a visitor who has looked at something comes back to it.
        time.sleep(REFRESH_SECONDS)
        self._flow("back", "the way back is taken", min(count, _ALONE))
        self._flow("send", "a coin is sent", max(1, count // 50))
        self._flow("close", "the modal is closed", min(count, _ALONE))
        time.sleep(REFRESH_SECONDS)
        self._flow("account", "the account is shown again", min(count, _ALONE))
        costs = Costs(
            self._costs,
            worker_bytes=(here.worker_bytes - empty.worker_bytes) / count,
            redis_bytes=(stored.redis_bytes - empty.redis_bytes) / count,
            empty_bytes=empty.worker_bytes / WORKERS,
        )
        live = self._live(_MIX, LIVE_SECONDS)
        simulated, locks, back = self._simulated(costs), self._locks(), self._return()
        self._ask(do="refresh", every=REFRESH_SECONDS)
        # What they wait for is as long as before.
        time.sleep(REFRESH_SECONDS)
        crowded = self._live(_MIX, LIVE_SECONDS)
        acts = f"view push among {count:,} visitors who each do one in {EVERY_SECONDS:.0f} s"
        fewer, asked = (f"{one.refreshes / one.seconds:,.0f} refreshes a second" for one in (live, crowded))
        found += [
            figure("scale_memory_kb", "memory of the workers per open visitor", "kB", [costs.worker_bytes / _KB], floor=Floor(250)),
            figure("scale_state_kb", "state of a connected visitor in Redis", "kB", [size / _KB for size in states], floor=Floor(20)),
            figure("scale_push_ms", acts, "ms", _pushes(live), floor=Floor(100, on="p95"), note=f"their accounts ask for {fewer}, as those of the model's visitors"),
            figure("scale_crowded_push_ms", f"{acts} while all look at their accounts", "ms", _pushes(crowded), note=f"which ask for {asked}"),
            locks, back,
        ]  # fmt: skip
        return "\n\n".join((cost_table(costs), term_table(simulated), fleet_table(costs)))

    def _simulated(self, costs: Costs) -> list[Term]:
        """The model's terms beside what all that visitors do takes together."""
        with self._used() as used:
            report = self._live(VISITS, _SIMULATED_SECONDS)
            time.sleep(_SETTLE_SECONDS)
        minutes = (report.seconds + _SETTLE_SECONDS) / 60
        done = {
            flow: float(len(report.latencies.get(acts[-1], ()))) for flow, acts in FLOWS.items() if flow in costs.flows
        }
        expected = costs.of({**done, "idle": self._count * minutes, "refresh": float(report.refreshes)})
        expected = expected.plus(self._alone, minutes)
        return terms(expected, used[0], minutes)

    def soak(self, minutes: float) -> list[Figure]:
        """Growth of memory, everybody's account being shown."""
        empty = self._deployed.usage()
        self._prepare()
        return soak(self._deployed, self._ask, minutes, self._count, empty)

    def overload(self) -> list[Figure]:
        """What visitors wait for while their views ask for more than workers can do, and what is left of it when that is over."""
        self._prepare()
        before = self._deployed.usage().worker_bytes
        self._ask(do="refresh", every=self._count / OVERLOAD)
        # What they wait for is as long as before.
        time.sleep(REFRESH_SECONDS)
        among = self._live(_MIX, LIVE_SECONDS)
        grown = (self._deployed.usage().worker_bytes - before) / self._count
        self._ask(do="refresh", every=REFRESH_SECONDS)
        # All of them have asked once more by then.
        time.sleep(REFRESH_SECONDS)
        after = self._live(_MIX, LIVE_SECONDS)
        asked = f"views asked for {among.refreshes / among.seconds:,.0f} refreshes a second"
        return [
            figure("scale_overload_push_ms", f"view push while {asked}", "ms", _pushes(among)),
            figure("scale_overload_memory_kb", f"growth of the workers per visitor while {asked}", "kB", [grown / _KB]),
            figure("scale_overload_after_ms", "view push when that was over", "ms", _pushes(after), floor=Floor(100, on="p95")),
        ]  # fmt: skip

    def push_cost(self) -> float:
        """Processor time of the workers for one push or way back, ms, without what they take when nobody is there."""
        self._nobody(_IDLE_SECONDS)
        self._prepare()
        before = self._deployed.usage()
        report = self._live(_MIX, LIVE_SECONDS, every=LIVE_SECONDS / 6)
        acts = sum(len(found) for found in report.latencies.values())
        used = self._deployed.usage().since(before).plus(self._alone, -report.seconds / 60)
        return _MS * used.worker_seconds / acts

    def _prepare(self) -> None:
        for flow in ("arrive", "open", "connect", "account"):
            self._flow(flow, flow, self._count)

    def _flow(self, flow: str, title: str, count: int) -> None:
        say(f"{count:,} times: {title}")
        asked: dict[str, Any] = {"do": "arrive"} if flow == "arrive" else {"do": "perform", "flow": flow}
        with self._used() as used:
            report = self._ask(**asked, count=count, per_second=self._ramp * _SHARE[flow])
            # What an event has set off goes on after its answer.
            time.sleep(_SETTLE_SECONDS)
        # What goes on meanwhile, whoever does something, is not the flow's.
        own = used[0].plus(self._meanwhile(report.seconds + _SETTLE_SECONDS, report.refreshes), -1)
        done = max(1, len(report.latencies.get(FLOWS.get(flow, (flow,))[-1], ())))
        self._costs[flow] = own.each(done)
        self.figures.append(_cost(f"scale_{flow}_ms", title, done, report, self._costs[flow]))

    def _meanwhile(self, seconds: float, refreshes: int = 0) -> Usage:
        """What workers do by themselves and for open sockets in so many seconds, and for tickers."""
        idle, refresh = self._costs.get("idle", NOTHING), self._costs.get("refresh", NOTHING)
        return NOTHING.plus(self._alone, seconds / 60).plus(idle, self._count * seconds / 60).plus(refresh, refreshes)

    def _nobody(self, seconds: float) -> None:
        say(f"nobody is there for {seconds:.0f} s")
        with self._used() as used:
            time.sleep(seconds)
        self._alone = used[0].each(seconds / 60)

    def _idle(self, seconds: float) -> None:
        say(f"nobody does anything for {seconds:.0f} s")
        with self._used() as used:
            time.sleep(seconds)
        self._costs["idle"] = used[0].plus(self._alone, -seconds / 60).each(self._count * seconds / 60)
        self.figures.append(_used_by("scale_idle_ms", "an idle visitor, a minute", self._costs["idle"]))

    def _watch(self, seconds: float) -> None:
        say(f"everybody looks at the account for {seconds:.0f} s")
        with self._used() as used:
            report = self._ask(do="live", seconds=seconds, every=2 * seconds, mix={})
        self._costs["refresh"] = used[0].plus(self._meanwhile(report.seconds), -1).each(max(1, report.refreshes))
        self.figures.append(_used_by("scale_refresh_ms", "an open account is read again", self._costs["refresh"]))

    def _live(self, mix: dict[str, float], seconds: float, every: float = EVERY_SECONDS) -> Report:
        say(f"everybody does something every {every:.0f} s, for {seconds:.0f} s")
        with self._used() as used:
            report = self._ask(do="live", seconds=seconds, every=every, mix=mix)
        spent, pushes = used[0], summarise(_pushes(report))
        say(
            f"  workers on {spent.worker_seconds / report.seconds:.0%} of a core, Redis on {spent.redis_seconds / report.seconds:.0%}, "
            f"the load on {report.cpu_seconds / report.seconds:.0%}; a view after {pushes.median:,.0f} ms (p95 {pushes.p95:,.0f})"
        )
        return report

    def _locks(self) -> Figure:
        with self._deployed.watched_locks() as held:
            self._live(_MIX, LOCK_SECONDS, every=LOCK_SECONDS)
        return figure(
            "scale_lock_ms", "lock of a visitor's state, held", "ms", [_MS * one for one in held] or [math.inf]
        )

    def _return(self) -> Figure:
        say("all sockets are lost at once, and everybody comes back")
        self._ask(do="drop")
        time.sleep(_AWAY_SECONDS)
        with self._used() as used:
            report = self._ask(do="come_back")
        say(f"  the last one after {report.seconds:.1f} s")
        note = (
            f"each knows its place again; p95 of one {_MS * summarise(report.latencies.get('come_back', [math.inf])).p95:,.0f} ms; "
            f"{_MS * used[0].worker_seconds / self._count:.1f} ms of the workers' processor time for each"
        )
        return figure("scale_return_s", f"all {self._count:,} back after their sockets were lost", "s", [report.seconds], floor=Floor(RETURN_SECONDS), note=note)  # fmt: skip

    def _ask(self, **command: Any) -> Report:
        report = self._people.ask(**command)
        for kind, times in report.errors.items():
            say(f"  {times:,} times: {kind}")
            self.errors[kind] += times
        self.examples.update(report.examples)
        return report

    @contextmanager
    def _used(self) -> Iterator[list[Usage]]:
        before, used = self._deployed.usage(), list[Usage]()
        yield used
        used.append(self._deployed.usage().since(before))


def _pushes(report: Report) -> list[float]:
    """How long each push of a view took, in ms."""
    return [_MS * one for one in report.latencies.get("push", [math.inf])]


def _cost(key: str, title: str, count: int, report: Report, one: Usage) -> Figure:
    """What a flow takes."""
    times = {act: summarise(found) for act, found in report.latencies.items()}
    note = (
        f"{report.events / count:.1f} events; socket {report.received / count / _KB:.1f} kB to the page, {report.sent / count / _KB:.1f} from it; "
        + ", ".join(f"{act} {_MS * one.median:,.0f} ms (p95 {_MS * one.p95:,.0f})" for act, one in times.items())
    )
    return _used_by(key, title, one, note)


def _used_by(key: str, title: str, one: Usage, note: str = "") -> Figure:
    """Processor time of the workers for something, with all else that it takes in the note."""
    stored = (
        f"Redis {_MS * one.redis_seconds:.2f} ms, asked {one.asked:.1f} times, {one.read / _KB:.1f} kB read, "
        f"{one.written / _KB:.1f} kB written; PostgreSQL {_MS * one.postgres_seconds:.2f} ms and {one.rows:.1f} rows, {one.logged / _KB:.1f} kB of its log; blockchain service {one.services:.2f} requests"
    )
    title = f"processor time of the workers: {title}"
    return figure(key, title, "ms", [_MS * one.worker_seconds], note=f"{stored}; {note}" if note else stored)
