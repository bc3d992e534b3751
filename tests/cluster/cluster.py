"""Servers in the shape of production (`walletmodal serve`: granian with workers): one build, one Redis, one PostgreSQL, one balancer."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from redis import Redis

from bench.rpc_calls import anvil
from bench.scale.wallet import Wallet
from scripts.build import build
from scripts.project import ROOT
from tests.browser.servers import ModalServer
from tests.cluster.journey import HOST, journey
from tests.cluster.network import Balancer, Line, network
from tests.cluster.visitor import Visitor
from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.services_fixtures import PgBouncer, PostgresServer, RedisServer
from walletmodal.host import Modal

SECRET: Final = "the-secret-of-all-servers-of-the-cluster"
API_KEY: Final = "the-key-of-the-servers-of-hosts"
_COINS: Final = 10**18
_KEEPING: Final = 1_000
"""Visitors whose browsers keep connections open: each takes up to three descriptors of this process, beside three of its page's socket."""


def clock_ahead(minutes: int) -> dict[str, str]:
    """Settings of a server whose clock is ahead."""
    # The folder's script imports ours, before Python adds the folder that it is started in.
    path = os.pathsep.join([str(Path(__file__).parent / "clock_ahead"), str(ROOT)])
    return {"PYTHONPATH": path, "MINUTES_AHEAD": str(minutes)}


@dataclass(frozen=True)
class Member:
    """One server (`kill`, `pause`, `resume`, `start` of `server`), and its own lines to Redis and PostgreSQL."""

    server: ModalServer
    redis: Line
    database: Line

    def heal(self) -> None:
        """Let everything through its lines."""
        self.redis.heal()
        self.database.heal()


class Cluster:
    """What a test gets.

    Attributes:
        members: the servers.
        balancer: leads visitors to them.
        redis, postgres: which they share.
        database_url: of their database, without a line between.
        node: URL of the chain's node, eip155:1.
        url: of the modal, by way of the balancer.
    """

    def __init__(
        self,
        members: Sequence[Member],
        balancer: Balancer,
        redis: RedisServer,
        postgres: PostgresServer,
        database_url: str,
        node: str,
    ) -> None:
        self.members, self.balancer, self.redis, self.postgres = tuple(members), balancer, redis, postgres
        self.database_url, self.node = database_url, node
        self.url = f"http://localhost:{balancer.port}"
        self.host = Modal(self.url, HOST, api_key=API_KEY)
        self._journey = journey(self.url)
        self._count = 0

    @asynccontextmanager
    async def visitors(self, count: int) -> AsyncIterator[list[Visitor]]:
        """So many have loaded the page; their wallets have coins, and their tabs are closed in the end."""
        numbers = range(self._count, self._count + count)
        self._count += count
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            for number in numbers:
                params = [Wallet(number, self.node).address, hex(_COINS)]
                await client.post(self.node, json=_rpc("anvil_setBalance", params))
        limits = httpx.Limits(max_keepalive_connections=20 if count <= _KEEPING else 0)
        found = [Visitor(self._journey, number, self.node, limits) for number in numbers]
        try:
            for visitor in found:
                await visitor.arrive()
            yield found
        finally:
            for visitor in found:
                await visitor.leave()

    async def transactions_of(self, address: str, client: httpx.AsyncClient) -> int:
        """How many an account has on the chain."""
        answer = await client.post(self.node, json=_rpc("eth_getTransactionCount", [address, "latest"]))
        return int(answer.json()["result"], 16)

    def heal(self) -> None:
        """End every failure of the lines, and start what does not answer."""
        for member in self.members:
            member.heal()
            member.server.revive()
        self.balancer.heal()
        self.balancer.only = None


def _rpc(method: str, params: list[Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@contextmanager
def cluster(
    folder: Path,
    redis: RedisServer,
    postgres: PostgresServer,
    *,
    count: int = 2,
    settings: Mapping[str, str] | None = None,
    own: Sequence[Mapping[str, str]] = (),
    sticky: bool = False,
    ready: str = "/_health",
    project: Path = ROOT,
    pooler: PgBouncer | None = None,
) -> Iterator[Cluster]:
    """Start it for the length of the block.

    Args:
        folder: for logs.
        redis, postgres: that run.
        count: of servers.
        settings: of all of them, besides the ordinary ones. own: besides, of each.
        sticky, ready: see `Balancer`.
        project: that they serve.
        pooler: by way of which they reach PostgreSQL; directly where there is none.
    """
    build()
    # Visitors of a cluster before had the same tokens.
    with Redis.from_url(redis.url) as client_of_redis:
        client_of_redis.flushall()
    database_url = postgres.create_database()
    pooled = pooler.url(database_url) if pooler else database_url
    with ExitStack() as closing:
        lines = closing.enter_context(network())
        node = closing.enter_context(anvil(1))
        client = closing.enter_context(
            httpx.Client(trust_env=False, limits=httpx.Limits(max_keepalive_connections=0), timeout=PATIENCE)
        )
        public, ports = free_ports(), [free_ports() for _ in range(count)]

        def opened(line: Line) -> Line:
            line.open()
            closing.callback(line.close)
            return line

        members = []
        for number, port in enumerate(ports):
            to_redis = opened(Line(lines, free_ports(), redis.port))
            to_database = opened(Line(lines, free_ports(), (pooler or postgres).port))
            environment = {
                "WORKERS": "1",
                "REDIS_URL": f"redis://127.0.0.1:{to_redis.port}/0",
                "DATABASE_URL": pooled.replace(f":{to_database.upstream}/", f":{to_database.port}/"),
                "RPC_URLS": f"eip155:1={node}",
                "NETWORKS": "eip155:1",
                "ALLOWED_ORIGINS": HOST,
                "SECRET_KEY": SECRET,
                "API_KEY": API_KEY,
                "CONFIRM_REQUESTS": "all",
                "TRUSTED_PROXIES": "127.0.0.1",
                **(settings or {}),
                **(own[number] if own else {}),
            }
            server = ModalServer(
                f"server {number}", port, environment, folder, client, public_port=public, project=project
            )
            members.append(Member(server, to_redis, to_database))
            closing.callback(server.kill)
        with ThreadPoolExecutor(count) as starting:
            list(starting.map(lambda member: member.server.start(), members))
        balancer = Balancer(lines, public, ports, sticky=sticky, ready=ready)
        opened(balancer)
        yield Cluster(members, balancer, redis, postgres, database_url, node)
