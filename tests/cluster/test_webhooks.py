"""The host's server is told of each event once, whichever server it happens at and whichever of them tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.cluster.cluster import Cluster, cluster
from tests.cluster.moving import lead_to, move
from tests.core.webhooks.test_signature import SECRET
from tests.patience import eventually
from tests.ports import free_ports
from tests.services_fixtures import PostgresServer, RedisServer
from walletmodal.host import read_webhook
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen

VISITORS = 4
OF_EACH = {
    *("sign_in.created", "request.accepted", "request.signed"),
    *("transaction.asked", "transaction.sent", "transaction.confirmed"),
}
"""What is told of a visitor who signs in, has a message signed for the host, and sends a coin."""


@pytest.fixture
def port() -> int:
    """Of the host's server."""
    return free_ports()


@pytest.fixture
def telling(tmp_path: Path, redis_server: RedisServer, postgres_server: PostgresServer, port: int) -> Iterator[Cluster]:
    """Two servers that tell it."""
    settings = {"WEBHOOK_URL": f"http://127.0.0.1:{port}/webhooks", "WEBHOOK_SECRET": SECRET}
    with cluster(tmp_path, redis_server, postgres_server, settings=settings) as found:
        yield found


async def test_each_event_is_told_once(telling: Cluster, port: int) -> None:
    heard: list[tuple[str, str]] = []

    async def receive(request: Request) -> Response:
        event = read_webhook(await request.body(), request.headers, SECRET)
        heard.append((event.id, event.type))
        return Response(status_code=204)

    server = HttpServer(Starlette(routes=[Route("/webhooks", receive, methods=["POST"])]), listen(port, "TEST"))
    await server.start()
    async with telling.visitors(VISITORS) as visitors:
        for number, visitor in enumerate(visitors):
            await move(telling, visitor, number % 2)
            await visitor.connect()
            await visitor.sign_in()
            await visitor.approve("hello")
            lead_to(telling, (number + 1) % 2)
            await visitor.send()
    connection = await asyncpg.connect(telling.database_url)
    try:
        await eventually(lambda: {kind for kind, count in _kinds(heard).items() if count >= VISITORS} >= OF_EACH)
        logged = await connection.fetch("SELECT id FROM events")
        await eventually(lambda: {one for one, _ in heard} >= {row["id"] for row in logged})
    finally:
        await connection.close()
        await server.stop()
    assert len({one for one, _ in heard}) == len(heard)
    assert {kind: _kinds(heard)[kind] for kind in OF_EACH} == dict.fromkeys(OF_EACH, VISITORS)


def _kinds(heard: list[tuple[str, str]]) -> Counter[str]:
    return Counter(kind for _, kind in heard)
