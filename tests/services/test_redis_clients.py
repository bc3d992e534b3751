"""Commands of one client: a bounded number is asked at once."""

from __future__ import annotations

import asyncio

from redis.exceptions import TimeoutError as RedisTimeoutError

from tests.patience import patience
from walletmodal.services.redis_clients import open_redis

COMMANDS = 20


class Frozen:
    """Lets everybody in and says nothing.

    Attributes:
        asked: how often it was.
    """

    def __init__(self) -> None:
        self.asked = 0

    async def listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked += 1
        while await reader.read(1024):
            pass
        writer.close()


async def test_who_waits_for_others_at_a_server_that_is_frozen_loses_patience_with_them() -> None:
    frozen = Frozen()
    async with await asyncio.start_server(frozen.listen, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with patience(), open_redis(f"redis://127.0.0.1:{port}/0?max_connections=1", patience=0.05) as client:
            found = await asyncio.gather(*(client.get("key") for _ in range(COMMANDS)), return_exceptions=True)
    assert [type(one) for one in found] == [RedisTimeoutError] * COMMANDS
    # Each that is asked takes as long as all have.
    assert frozen.asked < COMMANDS / 2
