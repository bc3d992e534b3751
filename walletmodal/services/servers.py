"""What the servers of a deployment say of themselves in Redis, so that one of them can tell whether they fit together.

Each writes one entry every ten seconds, `walletmodal:server:<host name>:<port>`, JSON with the fields of `ServerReport`, which expires after
thirty. It has nothing secret: what must stay so is there as a hash that is keyed with SECRET_KEY.
"""

import asyncio
import logging
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Final, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from redis.asyncio import Redis
from redis.exceptions import RedisError

REPORT_SECONDS: Final = 10.0
KEPT_SECONDS: Final = 30
PREFIX: Final = "walletmodal:server:"

logger = logging.getLogger(__name__)


def server_name(port: int) -> str:
    """What the server on this machine's port is called."""
    return f"{socket.gethostname()}:{port}"


class ServerReport(BaseModel):
    """What one server says of itself.

    Attributes:
        name: host name and port.
        version: of the product. states: of what sessions consist of (`reflex_internals/state_shape.py`). front_end: digest of what was built.
        secret_key: keyed hash of nothing in particular; "" without SECRET_KEY.
        policy: digest of POLICY_FILE's content; "" without one.
        settings: those that all servers must have alike, each as a keyed hash of its value; none without SECRET_KEY.
        database: which one it is, as the database itself says; "" where it does not. revision: of its tables.
        clock_ahead: seconds that the server's clock is ahead of Redis'.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    version: str
    states: str
    front_end: str
    secret_key: str
    policy: str
    settings: dict[str, str]
    database: str
    revision: str
    clock_ahead: float = 0.0


class Servers:
    """The entries in Redis.

    Args:
        redis: connections, closed by their owner.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def put(self, report: ServerReport) -> None:
        """Writes a server's entry, with what its clock says.

        Raises:
            redis.exceptions.RedisError: Redis does not take it.
        """
        timed = report.model_copy(update={"clock_ahead": await self.clock_ahead()})
        await self._redis.set(PREFIX + report.name, timed.model_dump_json(), ex=KEPT_SECONDS)

    async def all(self) -> list[ServerReport]:
        """Those that have said something within thirty seconds, by name. What is no entry is passed over.

        Raises:
            redis.exceptions.RedisError: Redis does not answer.
        """
        found = []
        for name in await self.names():
            value = await self._redis.get(PREFIX + name)
            try:
                found += [] if value is None else [ServerReport.model_validate_json(value)]
            except ValidationError:
                logger.warning("an entry of a server in Redis is of another release")
        return found

    async def names(self) -> list[str]:
        """Of those that have said something within thirty seconds, of whichever release they are.

        Raises:
            redis.exceptions.RedisError: Redis does not answer.
        """
        found = {key async for key in self._redis.scan_iter(f"{PREFIX}*", count=1000)}
        return sorted(key.decode(errors="replace").removeprefix(PREFIX) for key in found)

    async def clock_ahead(self) -> float:
        """Seconds that this machine's clock is ahead of Redis'; behind, below zero."""
        before = time.time()
        seconds, micros = await cast("Awaitable[tuple[int, int]]", self._redis.time())
        return round((before + time.time()) / 2 - (seconds + micros / 1_000_000), 3)


async def report_until(stopped: asyncio.Event, servers: Servers, look: Callable[[], Awaitable[ServerReport]]) -> None:
    """Writes this server's entry until it is stopped. Redis that is away gets it later.

    Args:
        stopped: ends it.
        servers: the entries.
        look: what the server is now.
    """
    while not stopped.is_set():
        try:
            await servers.put(await look())
        except (RedisError, OSError):
            logger.debug("this server's entry was not written", exc_info=True)
        try:
            await asyncio.wait_for(stopped.wait(), REPORT_SECONDS)
        except TimeoutError:
            continue
