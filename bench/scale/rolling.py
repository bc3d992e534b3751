"""What an upgrade of all servers, one after the other, costs visitors who are in the middle of a form or a request: nothing."""

from __future__ import annotations

import asyncio
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from bench.figures import Figure, Floor, figure
from scripts.project import ROOT
from tests.cluster.cluster import Cluster, cluster
from tests.cluster.releases import built, commit_before
from tests.cluster.rolling import PLACE_OF_RELEASES, roll
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
        AssertionError: something did not start, or a visitor got no further.
    """
    before = commit_before()
    named = before or "this release with other states"
    say(f"replacing two servers of {named} while {count:,} visitors go on")
    store, database = RedisServer(), PostgresServer()
    store.start()
    database.start()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            built(before, Path(folder) / "before") as project,
            cluster(Path(folder), store, database, settings=_SETTINGS, project=project) as servers,
        ):
            for member in servers.members:
                member.server.serve_from(ROOT)
            began = time.monotonic()
            # In this thread the browser's event loop runs.
            with ThreadPoolExecutor(1) as own:
                errors, moves = own.submit(lambda: asyncio.run(_errors(servers, count))).result()
            took = time.monotonic() - began
    finally:
        database.stop()
        store.stop()
    note = "; ".join(
        (f"servers of {named} by this release, {moves:,} sockets moved, {took:,.0f} s in all", *errors[:5])
    )
    title = f"errors of {count:,} running flows while servers are replaced"
    return figure("scale_rolling_errors", title, "errors", [len(errors)], floor=Floor(0), note=note)


async def _errors(servers: Cluster, count: int) -> tuple[list[str], int]:
    # The servers' lines to Redis run in this process, and its full looks at a thousand visitors hold them for longer than is waited for Redis.
    async with servers.visitors(count) as visitors, rare_collections():
        errors = await roll(servers, visitors, PLACE_OF_RELEASES, pace=_PACE_SECONDS)
        return errors, sum(len(one.tab.lost) for one in visitors)
