"""The servers that are measured: workers of ours, Redis, PostgreSQL, a node and a blockchain service."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import astuple, dataclass
from typing import Any, Final

import asyncpg
import httpx
import psutil
import redis

from bench.apps import Running, our_app, served
from bench.blockchain_service import Service, blockchain_service
from bench.rpc_calls import anvil
from tests.services_fixtures import PostgresServer, RedisServer

_CHAIN: Final = "eip155:1"
_GIFT: Final = 10**18
_WAITING: Final = 4096
_OVER: Final = ["ECHO", "watched-locks-are-over"]
"""Workers ping Redis, too."""
_AT_ONCE: Final = 500
_COIN: Final = {
    "name": "Ether",
    "symbol": "ETH",
    "chainId": _CHAIN,
    "value": 3000,
    "price": 3000,
    "quantity": {"decimals": "18", "numeric": "1"},
}
_WRITTEN: Final = """
SELECT tup_inserted + tup_updated + tup_deleted, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')
FROM pg_stat_database WHERE datname = current_database()
"""


@dataclass(frozen=True)
class Usage:
    """What has been used up to a moment, or for something.

    Attributes:
        worker_seconds, redis_seconds, postgres_seconds: processor time.
        worker_bytes, redis_bytes: memory.
        asked: round trips to Redis.
        read, written: bytes that Redis has sent and received.
        rows: written to PostgreSQL.
        logged: bytes of its write-ahead log, which go to its disk before a commit is done.
        services: requests to the blockchain service.
    """

    worker_seconds: float
    redis_seconds: float
    postgres_seconds: float
    worker_bytes: float
    redis_bytes: float
    asked: float
    read: float
    written: float
    rows: float
    logged: float
    services: float

    def since(self, before: Usage) -> Usage:
        """What has been used between two moments."""
        return self.plus(before, -1)

    def plus(self, other: Usage, times: float = 1) -> Usage:
        """With so many times the other."""
        return Usage(*(one + times * more for one, more in zip(astuple(self), astuple(other), strict=True)))

    def each(self, times: float) -> Usage:
        """Of one of so many times."""
        return Usage(*(one / times for one in astuple(self)))


class Deployment:
    """Running servers.

    Args:
        servers: of ours.
        store: Redis.
        database: PostgreSQL.
        service: the blockchain service.
        urls: of the deployment's database, and of the chain's node.
    """

    def __init__(
        self,
        servers: Sequence[Running],
        store: RedisServer,
        database: PostgresServer,
        service: Service,
        urls: tuple[str, str],
    ) -> None:
        self.servers, self._service = tuple(servers), service
        self._database, self.node = urls
        self._postgres = psutil.Process(database.pid)
        # Its types are those of two clients at once.
        self._redis: Any = redis.Redis.from_url(store.url)

    def usage(self) -> Usage:
        """What has been used so far."""
        told = self._redis.info("all")
        # In a thread of its own, for Playwright runs an event loop in this one.
        with ThreadPoolExecutor(1) as executor:
            rows, logged = executor.submit(asyncio.run, _written(self._database)).result()
        return Usage(
            worker_seconds=sum(one.cpu_seconds() for one in self.servers),
            redis_seconds=told["used_cpu_user"] + told["used_cpu_sys"],
            postgres_seconds=_with_children(self._postgres),
            worker_bytes=sum(one.memory() for one in self.servers),
            redis_bytes=told["used_memory"],
            asked=round_trips(told),
            read=told["total_net_output_bytes"],
            written=told["total_net_input_bytes"],
            rows=rows,
            logged=logged,
            services=self._service.asked.total(),
        )

    def state_bytes(self) -> list[int]:
        """How much is kept of each visitor's state."""
        sizes: dict[bytes, int] = {}
        for key in self._redis.scan_iter("bench*_reflex___state*", count=1000):
            visitor = key.partition(b"_")[0]
            sizes[visitor] = sizes.get(visitor, 0) + int(self._redis.strlen(key))
        return [*sizes.values()]

    def sessions(self) -> int:
        """How many visitors' states are kept."""
        return len({key.partition(b"_")[0] for key in self._redis.scan_iter("bench*_reflex___state*", count=1000)})

    @contextmanager
    def watched_locks(self) -> Iterator[list[float]]:
        """Seconds for which each lock of a state is held meanwhile; Redis is slower for it."""
        held: list[float] = []
        taken: dict[str, float] = {}

        def listen() -> None:
            with self._redis.monitor() as monitor:
                for told in monitor.listen():
                    words = told["command"].split()
                    if words == _OVER:
                        return
                    _note_lock(words, told["time"], taken, held)

        listening = threading.Thread(target=listen, name="locks")
        listening.start()
        try:
            yield held
        finally:
            self._redis.echo(_OVER[1])
            listening.join()

    def fund(self, addresses: list[str]) -> None:
        """Give accounts something to send."""
        with httpx.Client(trust_env=False, timeout=60) as client:
            for first in range(0, len(addresses), _AT_ONCE):
                asked = [
                    {"jsonrpc": "2.0", "id": place, "method": "anvil_setBalance", "params": [address, hex(_GIFT)]}
                    for place, address in enumerate(addresses[first : first + _AT_ONCE])
                ]
                client.post(self.node, json=asked).raise_for_status()


def _with_children(parent: psutil.Process) -> float:
    """Processor time of a process and of all that it has started, also of those that have ended."""
    own = parent.cpu_times()
    seconds = own.user + own.system + own.children_user + own.children_system
    for child in parent.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            used = child.cpu_times()
            seconds += used.user + used.system
    return float(seconds)


async def _written(url: str) -> tuple[int, int]:
    """Rows and bytes of the log so far."""
    connection = await asyncpg.connect(url)
    try:
        rows, logged = await connection.fetchrow(_WRITTEN)
        return int(rows), int(logged)
    finally:
        await connection.close()


def _note_lock(words: list[str], at: float, taken: dict[str, float], held: list[float]) -> None:
    if words[0] == "SET" and words[1].endswith("_lock"):
        taken[words[1]] = at
    elif words[0] == "DEL" and words[1] in taken:
        held.append(at - taken.pop(words[1]))


def round_trips(told: Mapping[str, Any]) -> float:
    """How often Redis, which has told all of its figures, was asked. Its counts of commands have what scripts do as well."""
    return float(told["total_reads_processed"])


def _answer(path: str) -> bytes:
    plain = path.partition("?")[0]
    if plain.endswith("/supported-chains"):
        return json.dumps({"http": [_CHAIN], "ws": []}).encode()
    return json.dumps({"balances": [_COIN]}).encode() if plain.endswith("/balance") else b"{}"


@contextmanager
def deployment(port: int, host_origin: str, *, workers: int = 1, servers: int = 1) -> Iterator[Deployment]:
    """Start all of it for the length of the block.

    Args:
        port: of the first server; the others have the next ones.
        host_origin: origin of the host page.
        workers: how many each server has.
        servers: how many there are, all with the same Redis and PostgreSQL.

    Raises:
        CommandError: something did not start.
    """
    store, database = RedisServer(), PostgresServer()
    store.start()
    database.start()
    try:
        with anvil(1) as node, blockchain_service(_answer, at_once=_WAITING) as service:
            url = database.create_database()
            stores = {
                "WORKERS": str(workers),
                "REDIS_URL": store.url,
                "DATABASE_URL": url,
                "BLOCKCHAIN_URL": service.url,
                "RPC_URLS": f"{_CHAIN}={node}",
                "TRUSTED_PROXIES": "127.0.0.1",
                "CONFIRM_REQUESTS": "all",
            }
            with ExitStack() as serving:
                apps = [our_app(port + place, host_origin, stores) for place in range(servers)]
                running = [serving.enter_context(served(app)) for app in apps]
                yield Deployment(running, store, database, service, (url, node))
    finally:
        database.stop()
        store.stop()
