"""The host's server is told of each event once, whichever server it happens at and whichever of them tells it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.cluster.cluster import Cluster, clock_ahead, cluster
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


class Receiver:
    """What is told.

    Attributes:
        heard: ids and types of events, in order.
        answers: whether each is answered.
    """

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []
        self.answers = asyncio.Event()
        self.answers.set()

    async def receive(self, request: Request) -> Response:
        """The route."""
        event = read_webhook(await request.body(), request.headers, SECRET)
        self.heard.append((event.id, event.type))
        await self.answers.wait()
        return Response(status_code=204)


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


@pytest.fixture
async def receiver(port: int) -> AsyncIterator[Receiver]:
    """The host's server."""
    found = Receiver()
    server = HttpServer(Starlette(routes=[Route("/webhooks", found.receive, methods=["POST"])]), listen(port, "TEST"))
    await server.start()
    yield found
    found.answers.set()
    await server.stop()


async def test_each_event_is_told_once(telling: Cluster, receiver: Receiver) -> None:
    heard = receiver.heard
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
    assert len({one for one, _ in heard}) == len(heard)
    assert {kind: _kinds(heard)[kind] for kind in OF_EACH} == dict.fromkeys(OF_EACH, VISITORS)


async def test_what_a_killed_server_was_telling_is_told_by_another(telling: Cluster, receiver: Receiver) -> None:
    first, second = (member.server for member in telling.members)
    await asyncio.to_thread(second.stop)
    receiver.answers.clear()
    async with telling.visitors(1) as (visitor,):
        await visitor.connect()
        await visitor.sign_in()
        await eventually(lambda: "sign_in.created" in _kinds(receiver.heard))
    first.kill()
    receiver.answers.set()
    # The one that was killed would have had two minutes to tell it.
    second.set(**clock_ahead(minutes=2))
    await asyncio.to_thread(second.start)
    await eventually(lambda: _kinds(receiver.heard)["sign_in.created"] == 2)
    told = [one for one, kind in receiver.heard if kind == "sign_in.created"]
    assert told == [told[0]] * 2


def _kinds(heard: list[tuple[str, str]]) -> Counter[str]:
    return Counter(kind for _, kind in heard)
