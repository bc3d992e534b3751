"""What visitors in the middle of a form or a request lose while all servers are replaced, or when all sockets break at once: nothing."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final, TypeVar

from bench.figures import Figure, Floor, figure
from scripts.project import ROOT
from tests.cluster.cluster import Cluster, cluster
from tests.cluster.ledger import assert_nothing_is_lost
from tests.cluster.releases import built, commit_before
from tests.cluster.rolling import PLACE_OF_RELEASES, break_sockets, roll
from tests.services_fixtures import PostgresServer, RedisServer
from walletmodal.commands.project import say
from walletmodal.gc import rare_collections

MOST: Final = 1_000
_SETTINGS: Final = {"DRAIN_DELAY_SECONDS": "2", "DRAIN_SOCKETS_PER_SECOND": "8", "DRAIN_SECONDS": "480"}
"""The delay is for the balancer, which hears meanwhile that a server is going to end; the pace is the default, which a release before may have had otherwise."""
_PACE_SECONDS: Final = 60.0
"""Between two requests of a host: of a thousand visitors those of 333, some 5 a second. One server has them all meanwhile, and must be able to carry them."""


def rolling(count: int) -> Figure:
    """Errors of so many visitors while two servers behind a balancer are replaced one after the other: those of the release before by this one.

    Raises:
        AssertionError: something did not start, or a visitor got no further, or something is lost.
    """
    before = commit_before()
    named = before or "this release with other states"
    say(f"replacing two servers of {named} while {count:,} visitors go on")
    with _servers(_SETTINGS, before) as servers:
        for member in servers.members:
            member.server.serve_from(ROOT)
        began = time.monotonic()
        errors, moves = _run(_rolled(servers, count))
        took = time.monotonic() - began
    fact = f"servers of {named} by this release, {moves:,} sockets moved, {took:,.0f} s in all"
    title = f"errors of {count:,} running flows while servers are replaced"
    return figure("scale_rolling_errors", title, "errors", [len(errors)], floor=Floor(0), note=_note(fact, errors))


def herd(count: int) -> Figure:
    """Errors of so many visitors whose sockets break at once, all at two servers behind a balancer.

    Raises:
        AssertionError: something did not start, or a visitor got no further, or something is lost.
    """
    say(f"breaking the sockets of {count:,} visitors")
    with _servers() as servers:
        errors, seconds = _run(_broken(servers, count))
    title = f"errors of {count:,} running flows whose sockets break at once"
    fact = f"all back after {seconds:,.0f} s"
    return figure("scale_herd_errors", title, "errors", [len(errors)], floor=Floor(0), note=_note(fact, errors))


def _note(fact: str, errors: list[str]) -> str:
    """The note of a figure, with the first of its errors."""
    return "; ".join((fact, "the database and the chain have what they were told", *errors[:5]))


@contextmanager
def _servers(settings: Mapping[str, str] | None = None, release: str | None = None) -> Iterator[Cluster]:
    """Two of them behind a balancer, of another release, as `commit_before` names it, or of this one."""
    store, database = RedisServer(), PostgresServer()
    store.start()
    database.start()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            nullcontext(ROOT) if release is None else built(release, Path(folder) / "release") as project,
            cluster(Path(folder), store, database, settings=settings, project=project) as servers,
        ):
            yield servers
    finally:
        database.stop()
        store.stop()


Told = TypeVar("Told")


def _run(work: Coroutine[None, None, Told]) -> Told:
    """What it tells. In this thread the browser's event loop runs."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(asyncio.run, work).result()


def _said(errors: list[str]) -> list[str]:
    """Prints all errors, and returns them: which there are says more than how many."""
    for error in errors:
        say(error)
    return errors


async def _rolled(servers: Cluster, count: int) -> tuple[list[str], int]:
    # The servers' lines to Redis run in this process, and its full looks at a thousand visitors hold them for longer than is waited for Redis.
    async with servers.visitors(count) as visitors, rare_collections():
        errors = _said(await roll(servers, visitors, PLACE_OF_RELEASES, pace=_PACE_SECONDS))
        await assert_nothing_is_lost(servers, visitors)
        return errors, sum(len(one.tab.lost) for one in visitors)


async def _broken(servers: Cluster, count: int) -> tuple[list[str], float]:
    # As above.
    async with servers.visitors(count) as visitors, rare_collections():
        errors, seconds = await break_sockets(servers, visitors)
        _said(errors)
        await assert_nothing_is_lost(servers, visitors)
        return errors, seconds
