"""What visitors and hosts were told, held against the database and the chain."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import asyncpg
import httpx

from tests.cluster.cluster import Cluster
from tests.cluster.visitor import Visitor
from tests.patience import PATIENCE


async def assert_nothing_is_lost(servers: Cluster, visitors: Sequence[Visitor]) -> None:
    """No hash, sign-in, audit row or accepted approval is lost, and nothing was signed twice.

    Raises:
        AssertionError: something was; the text names all of it.
    """
    found = await _faults(servers, visitors)
    deadline = time.monotonic() + PATIENCE
    # Audit rows and the outcome of transactions are written a moment later.
    while found:
        assert time.monotonic() < deadline, "\n".join(fault for faults in found.values() for fault in faults)
        await asyncio.sleep(0.5)
        found = await _faults(servers, [*found])


async def _faults(servers: Cluster, visitors: Sequence[Visitor]) -> dict[Visitor, list[str]]:
    """Of those who have any."""
    connection = await asyncpg.connect(servers.database_url)
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            found = {visitor: await _of(visitor, servers, connection, client) for visitor in visitors}
            return {visitor: faults for visitor, faults in found.items() if faults}
    finally:
        await connection.close()


async def _of(visitor: Visitor, servers: Cluster, connection: Any, client: httpx.AsyncClient) -> list[str]:
    loader, address = visitor.loader, visitor.wallet.address
    found = list[str]()

    def hold(what: str, told: object, kept: object) -> None:
        if told != kept:
            found.append(f"visitor {visitor.number}: {what}: {told} were told, {kept} are there")

    for what, ids in (
        ("commands signed twice", [one.command for one in loader.signed]),
        ("requests signed twice", [one.request for one in loader.signed if one.request]),
        (
            "sign-in messages signed twice",
            [one.params[0] for one in loader.signed if one.method == "personal_sign" and not one.request],
        ),
    ):
        hold(what, [], [one for one, times in Counter(ids).items() if times > 1])

    hashes = {one.value for one in loader.signed if one.method == "eth_sendTransaction"}
    hold("transactions of the chain", len(hashes), await servers.transactions_of(address, client))
    rows = await connection.fetch("SELECT hash, status FROM requests WHERE address = $1 AND hash <> ''", address)
    hold("hashes", sorted((one, "confirmed") for one in hashes), sorted((row["hash"], row["status"]) for row in rows))
    hold("results shown", sorted(visitor.shown), sorted(hashes))

    for call in visitor.approved:
        hold(f"approval of {call}", True, loader.told.get(call, {}).get("ok"))
    for token in visitor.tokens:
        session = await asyncio.to_thread(servers.host.verify, token, online=True)
        hold("account of a sign-in", session.address, address)
        kept = await connection.fetchval("SELECT count(*) FROM sign_ins WHERE id = $1", session.session_id)
        hold("records of a sign-in", 1, kept)
    signatures = [one for one in loader.signed if one.request and one.method == "personal_sign"]
    decided = await connection.fetch(
        "SELECT decision, sum(count) AS times FROM decisions WHERE address = $1 AND method = 'personal_sign' GROUP BY decision",
        address,
    )
    times = {row["decision"]: int(row["times"]) for row in decided}
    # Where a session has begun anew in between, the visitor was shown the request anew, and has approved it twice.
    approved, most = times.get("confirmed", 0), len(visitor.readings)
    if not len(signatures) <= approved <= most:
        found.append(
            f"visitor {visitor.number}: approvals in the audit: {len(signatures)} to {most} were told, {approved} are there"
        )
    hold("signatures in the audit", len(signatures), times.get("signed", 0))
    return found
