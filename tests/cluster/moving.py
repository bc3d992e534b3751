"""Pages that lose their socket and come back at a server that the test chooses."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.cluster.cluster import Cluster
from tests.cluster.visitor import Visitor


def lead_to(servers: Cluster, number: int) -> None:
    """All connections that are opened from now on reach this server."""
    servers.balancer.only = servers.members[number].server.port


async def move(servers: Cluster, visitor: Visitor, number: int) -> None:
    """The page comes back at this server."""
    lead_to(servers, number)
    await visitor.return_to_server()


async def approve_elsewhere(servers: Cluster, visitor: Visitor, message: str, number: int) -> Any:
    """The host asks for a signature, and its visitor, who has read what, approves at another server; what the host is told."""
    params = ["0x" + message.encode().hex(), visitor.wallet.address]
    asking = asyncio.ensure_future(visitor.loader.request("personal_sign", params))
    try:
        await visitor.reach_view("ApproveTransaction")
        await move(servers, visitor, number)
        await visitor.approve_until(asking.done)
    finally:
        asking.cancel()
    return asking.result()
