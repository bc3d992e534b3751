"""Commands of one client: a bounded number is asked at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvloop
from redis.asyncio.connection import Connection
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


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The first connection that is in it dies as something is written."""
    send, found = Connection.send_packed_command, list[Any]()

    async def die(self: Any, *args: Any, **options: Any) -> None:
        if self in found:
            found.remove(self)
            self._writer.transport.abort()
            # Its loop is told.
            await asyncio.sleep(0.01)
        await send(self, *args, **options)

    monkeypatch.setattr(Connection, "send_packed_command", die)
    return found


def test_a_command_is_asked_again_whose_connection_dies_as_it_is_written(redis_url: str, dying: list[Any]) -> None:
    async def ask() -> Any:
        async with patience(), open_redis(redis_url, patience=15) as client:
            await client.set("key", "value")
            dying.extend(client.connection_pool._available_connections)
            return await client.get("key")

    # Servers run on it.
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as servers:
        assert (servers.run(ask()), dying) == (b"value", [])


def test_who_listens_goes_on_whose_connection_dies_as_it_is_written(redis_url: str, dying: list[Any]) -> None:
    async def hear() -> Any:
        async with patience(), open_redis(redis_url, patience=15) as client, client.pubsub() as listening:
            await listening.subscribe("one")
            dying.append(listening.connection)
            await listening.subscribe("another")
            while not await client.publish("one", "told"):
                await asyncio.sleep(0.01)
            return [one async for one in _first(listening)]

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as servers:
        assert (servers.run(hear()), dying) == ([b"told"], [])


async def _first(listening: Any) -> Any:
    async for message in listening.listen():
        if message["type"] == "message":
            yield message["data"]
            return
