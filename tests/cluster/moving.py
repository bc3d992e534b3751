"""Pages that lose their socket and come back at a server that the test chooses."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import asyncpg

from tests.cluster.cluster import Cluster
from tests.cluster.visitor import Visitor
from tests.patience import PATIENCE

_LOOK_SECONDS: Final = 0.05


def lead_to(servers: Cluster, number: int) -> None:
    """All connections that are opened from now on reach this server."""
    servers.balancer.only = servers.members[number].server.port


async def move(servers: Cluster, visitor: Visitor, number: int) -> None:
    """The page comes back at this server."""
    lead_to(servers, number)
    await visitor.return_to_server()


async def approve_elsewhere(servers: Cluster, visitor: Visitor, message: str, number: int) -> Any:
    """The host asks for a signature, and its visitor, who has read what, approves at another server; what the host is told."""
    text = "0x" + f"{message} {visitor.number}".encode().hex()
    params = [text, visitor.wallet.address]
    asking = asyncio.ensure_future(visitor.loader.request("personal_sign", params))
    try:
        await visitor.reach_view("ApproveTransaction")
        await _recorded(servers, text)
        await move(servers, visitor, number)
        await visitor.approve_until(asking.done)
    finally:
        asking.cancel()
    told = asking.result()
    assert told["ok"], told["error"]
    return told


async def _recorded(servers: Cluster, text: str) -> None:
    """Wait until it is in a resume record: these are written a tenth of a second after a view comes, which nobody reads so fast."""
    connection = await asyncpg.connect(servers.database_url)
    try:
        async with asyncio.timeout(PATIENCE):
            while not await connection.fetchval("SELECT count(*) FROM resume WHERE strpos(record, $1) > 0", text):
                await asyncio.sleep(_LOOK_SECONDS)
    finally:
        await connection.close()
