"""The parts of `make bench-scale`, each with servers of its own."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Final

from playwright.sync_api import Browser

from bench.figures import Figure, Floor, figure
from bench.report import table
from bench.scale.deployment import Deployment, deployment
from bench.scale.failover import failover
from bench.scale.journey import Journey
from bench.scale.measure import WORKERS, Measuring
from bench.scale.population_process import population
from bench.scale.recording import record
from bench.scale.rolling import MOST, herd, rolling
from bench.scale.soak import replaced_in
from bench.scale.wallet import Wallet
from walletmodal.commands.project import say

RAMP: Final = 80.0
"""Visitors a second who load the page."""
_SERVERS: Final = 2
"""With a worker each, that are compared with one."""
_FEW: Final = 200
"""Visitors for each of these."""
_RECORDED: Final = 10**6
"""Number of the visitor in Chromium."""


@dataclass(frozen=True)
class Asked:
    """What is measured.

    Attributes:
        parts: of `PARTS`.
        visitors: how many.
        ramp: how many a second load the page.
        soak_minutes: how long memory is watched.
    """

    parts: Collection[str]
    visitors: int
    ramp: float
    soak_minutes: float


@dataclass
class Measured:
    """What came of it.

    Attributes:
        figures: of the parts that were measured.
        tables: of docs/capacity.md, where a crowd was there.
        failed: the parts that could not be measured, and why.
    """

    figures: list[Figure] = field(default_factory=list)
    tables: str = ""
    failed: dict[str, str] = field(default_factory=dict)


class Parts:
    """What is measured of visitors whose page is recorded once.

    Args:
        browser: Chromium, in which a visit is recorded.
        host: origin of the host's pages.
        port: of the workers.
        asked: which parts, and of how many.

    Attributes:
        tables: of docs/capacity.md, once a crowd was there.
    """

    def __init__(self, browser: Browser, host: str, port: int, asked: Asked) -> None:
        self._browser, self._host, self._port, self._asked = browser, host, port, asked
        self._journey: Journey | None = None
        self._errors, self._examples = Counter[str](), dict[str, str]()
        self.tables = ""

    def crowd(self) -> list[Figure]:
        """What visitors cost and how long they wait."""
        with self._deployed(workers=WORKERS) as deployed, self._visitors(deployed, self._asked.visitors) as measuring:
            self.tables = measuring.crowd()
            return measuring.figures

    def servers(self) -> list[Figure]:
        """How much more two servers carry than one."""
        few = min(self._asked.visitors, _FEW)
        # As many for each server: one that has less to do takes more for each event, for it wakes up for fewer at once.
        with self._deployed(servers=_SERVERS) as deployed, self._visitors(deployed, _SERVERS * few) as measuring:
            together = measuring.push_cost()
        with self._deployed() as deployed, self._visitors(deployed, few) as measuring:
            return [_servers(measuring.push_cost(), together)]

    def overload(self) -> list[Figure]:
        """What visitors wait for who ask for too much."""
        count = min(self._asked.visitors, MOST)
        with self._deployed(workers=WORKERS) as deployed, self._visitors(deployed, count) as measuring:
            return measuring.overload()

    def soak(self) -> list[Figure]:
        """How memory grows, where it is watched."""
        minutes, count = self._asked.soak_minutes, self._asked.visitors
        if not minutes:
            return []
        with (
            self._deployed(workers=WORKERS) as deployed,
            self._visitors(deployed, count, replaced_in(minutes, count)) as measuring,
        ):
            return measuring.soak(minutes)

    def failover(self) -> list[Figure]:
        """How long clicks wait while Redis fails over."""
        return [failover()]

    def herd(self) -> list[Figure]:
        """What visitors lose whose sockets all break."""
        return [herd(self._asked.visitors)]

    def rolling(self) -> list[Figure]:
        """What visitors lose while servers are replaced."""
        return [rolling(min(self._asked.visitors, MOST))]

    def errors(self) -> list[Figure]:
        """Of all visitors but those of a cluster, whose errors are figures of their own."""
        if self._journey is None:
            return []
        note = "; ".join(f"{times} times {kind} ({self._examples[kind]})" for kind, times in self._errors.items())
        return [
            figure("scale_errors", "errors of any kind", "errors", [self._errors.total()], floor=Floor(0), note=note)
        ]

    def _deployed(self, *, workers: int = 1, servers: int = 1) -> AbstractContextManager[Deployment]:
        return deployment(self._port, self._host, workers=workers, servers=servers)

    @contextmanager
    def _visitors(self, deployed: Deployment, count: int, more: int = 0) -> Iterator[Measuring]:
        """`more`: who come later."""
        deployed.fund([Wallet(number, deployed.node).address for number in range(count + more)])
        self._journey = self._journey or self._recorded(deployed)
        with population(self._journey, deployed.node, [one.url for one in deployed.servers]) as people:
            measuring = Measuring(deployed, people, count, self._asked.ramp)
            try:
                yield measuring
            finally:
                self._errors.update(measuring.errors)
                self._examples.update(measuring.examples)

    def _recorded(self, deployed: Deployment) -> Journey:
        """What a page of the deployment says."""
        wallet = Wallet(_RECORDED, deployed.node)
        deployed.fund([wallet.address])
        return record(self._browser, deployed.servers[0].app, self._host, wallet)


# The crowd first, for memory that others have left is not taken anew.
PARTS: Final[Mapping[str, Callable[[Parts], list[Figure]]]] = {
    one.__name__: one
    for one in (Parts.crowd, Parts.servers, Parts.overload, Parts.failover, Parts.herd, Parts.rolling, Parts.soak)
}


def measure(browser: Browser, host: str, port: int, asked: Asked) -> Measured:
    """Measure one part after the other, and print its figures when they are there; one that cannot be measured leaves the others as they are.

    Args:
        browser: Chromium, in which a visit is recorded.
        host: origin of the host's pages.
        port: of the workers.
        asked: which, and of how many.
    """
    parts, measured = Parts(browser, host, port, asked), Measured()
    for name in (one for one in PARTS if one in asked.parts):
        try:
            found = PARTS[name](parts)
        except Exception as error:  # noqa: BLE001 - whatever it was, it must not take an hour of other parts' figures with it
            measured.failed[name] = f"{type(error).__name__}: {error}"
            say(f"{name} could not be measured:\n\n{traceback.format_exc()}")
        else:
            measured.figures += found
            if found:
                say(f"{name}:\n\n{table(found)}\n")
    measured.figures += parts.errors()
    measured.tables = parts.tables
    return measured


def _servers(alone: float, together: float) -> Figure:
    note = (
        f"by processor time, since this machine has no core for each: one takes {alone:.1f} ms for a push or a way back, "
        f"of two with twice as many visitors the one that is asked {together:.1f} ms"
    )
    return figure("scale_servers", "times as many events that two servers carry", "times", [_SERVERS * alone / together], floor=Floor(1.8, at_least=True), note=note)  # fmt: skip
