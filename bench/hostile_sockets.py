"""Sockets that say one thing as fast as they are listened to: `python -m bench.hostile_sockets`, a process of its own.

It reads one line of JSON, `{"script": {…}, "packet": "…", "count": 4}`, says `{}` once all of them have begun, and goes on until it is killed.
"""

import asyncio
import json
import sys
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

_ADDRESS = "198.51.100.66"
"""All of them come from one, as the proxy on this machine would say."""


async def _listen(socket: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for message in socket:
            if message == "2":
                await socket.send("3")


async def _shout(number: int, script: dict[str, str], packet: str, begun: asyncio.Semaphore) -> None:
    address = script["url"].replace("http", "ws", 1) + f"{script['namespace']}/?token=hostile{number}"
    while True:
        with suppress(ConnectionClosed):
            async with connect(
                f"{address}&EIO=4&transport=websocket",
                origin=None,
                additional_headers={"Origin": script["url"], "X-Forwarded-For": _ADDRESS},
                subprotocols=[Subprotocol(script["version"])],
                compression=None,
                ping_interval=None,
                max_size=None,
                proxy=None,
            ) as socket:
                listening = asyncio.create_task(_listen(socket))
                await socket.send(script["connect"])
                begun.release()
                while not listening.done():
                    await socket.send(packet)
        # Whoever is thrown out comes back.
        await asyncio.sleep(0.2)


async def _attack() -> None:
    asked = json.loads(sys.stdin.readline())
    begun = asyncio.Semaphore(0)
    async with asyncio.TaskGroup() as group:
        for number in range(asked["count"]):
            group.create_task(_shout(number, asked["script"], asked["packet"], begun))
        for _ in range(asked["count"]):
            await begun.acquire()
        sys.stdout.write("{}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_attack())
