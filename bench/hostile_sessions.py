"""One address that has as much kept as it may: `python -m bench.hostile_sessions`, a process of its own.

It reads one line of JSON, `{"script": {…}, "packets": ["…"], "count": 150, "seconds": 120}`, opens so many sockets, says the packets on each,
prints `{"sessions": …}` when all of them have been said or the time is over, and keeps the sockets open until it is killed.
"""

import asyncio
import json
import sys
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

_ADDRESS = "198.51.100.67"
_AT_ONCE = 20
_QUIET_SECONDS = 0.5


class _Sessions:
    def __init__(self, script: dict[str, Any], packets: list[str], count: int) -> None:
        self._script, self._packets, self._count = script, packets, count
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self.said = 0
        self.all_said = asyncio.Event()

    async def stay(self, number: int) -> None:
        """Open one, say all, wait until nothing more is answered, and stay."""
        script = self._script
        address = script["url"].replace("http", "ws", 1) + f"{script['namespace']}/?token=large{number}"
        epoch = f"{number:08x}{script['epoch'][8:]}"
        await self._gate.acquire()
        held = True
        try:
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
                await socket.send(script["connect"])
                for packet in self._packets:
                    await socket.send(packet.replace(script["epoch"], epoch))
                while True:
                    try:
                        message = await asyncio.wait_for(socket.recv(), None if not held else _QUIET_SECONDS)
                    except TimeoutError:
                        self.said += 1
                        if self.said == self._count:
                            self.all_said.set()
                        self._gate.release()
                        held = False
                        continue
                    if message == "2":
                        await socket.send("3")
        except ConnectionClosed:
            pass
        finally:
            if held:
                self._gate.release()


async def _fill() -> None:
    asked = json.loads(sys.stdin.readline())
    sessions = _Sessions(asked["script"], asked["packets"], asked["count"])
    tasks = [asyncio.create_task(sessions.stay(number)) for number in range(asked["count"])]
    with suppress(TimeoutError):
        async with asyncio.timeout(asked["seconds"]):
            await sessions.all_said.wait()
    sys.stdout.write(json.dumps({"sessions": sessions.said}) + "\n")
    sys.stdout.flush()
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(_fill())
