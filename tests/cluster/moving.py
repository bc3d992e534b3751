"""Pages that lose their socket and come back at a server that the test chooses."""

from __future__ import annotations

from tests.cluster.cluster import Cluster
from tests.cluster.visitor import Visitor


def lead_to(servers: Cluster, number: int) -> None:
    """All connections that are opened from now on reach this server."""
    servers.balancer.only = servers.members[number].server.port


async def move(servers: Cluster, visitor: Visitor, number: int) -> None:
    """The page comes back at this server."""
    lead_to(servers, number)
    await visitor.return_to_server()
