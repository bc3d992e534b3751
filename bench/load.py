"""Many visitors of one app without a browser: `python -m bench.load`, a process of its own so that its CPU is told apart.

It reads one JSON command per line and answers each with one line:

- `{"do": "connect", "count": 500, "script": {…}}` → `{}` once every visitor is where a real page would be
- `{"do": "pace", "every": 2}` → `{}` at once; from now on each visitor sends a step every so many seconds
- `{"do": "stop"}` → what the pace measured
- `{"do": "race", "seconds": 5}` → each visitor sends its next step as soon as the last one is answered
- `{"do": "hangup"}` → `{}`

A visitor says what a real page said in Chromium (`bench.recorder`); its steps are the events that are measured.
"""

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

_SETUP_SECONDS = 60.0
_ANSWER_SECONDS = 30.0
_QUIET_SECONDS = 0.3
_AT_ONCE = 20
_USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"


Delta = dict[str, dict[str, Any]]
"""State → variable → its new value."""


class VisitorError(Exception):
    """A visitor did not get what a real page gets."""


@dataclass(frozen=True)
class Script:
    """What visitors say.

    Attributes:
        url: origin of the app.
        version: the socket's subprotocol.
        namespace: Socket.IO namespace, also the path of the socket.
        connect: packet that opens the namespace; the page's first event rides in it.
        setup: events that a page sends next, packets.
        epoch: text in `setup` that is each visitor's own; "" for none.
        commands: state and variable that hold what the page is asked to do; None where there is none.
        reply: name of the event that answers a command.
        ready: state, variable and value that say that the set-up has worked.
        steps: events that are measured, packets, taken in turn.
        answer: text by which the delta that answers a step is known.
    """

    url: str
    version: str
    namespace: str
    connect: str
    setup: tuple[str, ...]
    epoch: str
    commands: tuple[str, str] | None
    reply: str
    ready: tuple[str, str, Any]
    steps: tuple[str, ...]
    answer: str


@dataclass
class Visitor:
    """One socket, and what happened on it since `reset`."""

    script: Script
    number: int
    latencies: list[float] = field(default_factory=list)
    answered: int = 0
    replies: int = 0
    received: int = 0
    sent_at: float = 0.0

    def __post_init__(self) -> None:
        self._steps = cycle(self.script.steps)
        self._answer = asyncio.Event()
        self._heard_at = 0.0
        self._ready = False
        self._done: set[str] = set()
        self._event = f'42{self.script.namespace},["event"'
        self._socket: ClientConnection
        self._reader: asyncio.Task[None]

    def reset(self) -> None:
        """Forget what was measured."""
        self.latencies, self.answered, self.replies, self.received = [], 0, 0, 0

    async def enter(self) -> None:
        """Connect, and say what a page says until it is ready and quiet.

        Raises:
            VisitorError: the app did not answer as it answers a page.
        """
        token = f"bench{self.number:027x}"
        address = self.script.url.replace("http", "ws", 1) + f"{self.script.namespace}/"
        self._socket = await connect(
            f"{address}?token={token}&EIO=4&transport=websocket",
            origin=None,
            additional_headers={
                "Origin": self.script.url,
                # Visitors come from many addresses, which the proxy on this machine tells.
                "X-Forwarded-For": f"10.{self.number >> 16 & 255}.{self.number >> 8 & 255}.{self.number & 255}",
                "Accept-Language": "en-US,en;q=0.9",
                "Cache-Control": "no-cache",
                "Pragma": "no-cache",
            },
            user_agent_header=_USER_AGENT,
            subprotocols=[Subprotocol(self.script.version)],
            compression=None,
            ping_interval=None,
            max_size=None,
            proxy=None,
        )
        self._reader = asyncio.create_task(self._read_setup())
        await self._socket.send(self.script.connect)
        epoch = f"{self.number:08x}{self.script.epoch[8:]}" if self.script.epoch else ""
        for packet in self.script.setup:
            await self._socket.send(packet.replace(self.script.epoch, epoch) if epoch else packet)
        deadline = time.monotonic() + _SETUP_SECONDS
        while not self._ready or time.monotonic() - self._heard_at < _QUIET_SECONDS:
            if self._reader.done():
                raise VisitorError(f"visitor {self.number} was disconnected: {self._reader.exception()!r}")
            if time.monotonic() > deadline:
                raise VisitorError(
                    f"visitor {self.number} was not told {self.script.ready} within {_SETUP_SECONDS:.0f} s"
                )
            await asyncio.sleep(0.05)
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        self._reader = asyncio.create_task(self._read())

    async def leave(self) -> None:
        """Disconnect."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._socket.close()

    async def step(self) -> None:
        """Send the next event and wait for the first change that it makes.

        Raises:
            VisitorError: nothing came.
        """
        self._answer.clear()
        self.sent_at = time.perf_counter()
        await self._socket.send(next(self._steps))
        try:
            await asyncio.wait_for(self._answer.wait(), _ANSWER_SECONDS)
        except TimeoutError:
            raise VisitorError(
                f"visitor {self.number} waited {_ANSWER_SECONDS:.0f} s for the answer to an event"
            ) from None
        if self._reader.done():
            raise VisitorError(f"visitor {self.number} was disconnected")

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                if message == "2":
                    await self._socket.send("3")
                    continue
                now = time.perf_counter()
                text = str(message)
                self.received += len(text.encode())
                if not text.startswith(self._event):
                    continue
                if self.script.answer in text and not self._answer.is_set():
                    self.latencies.append(now - self.sent_at)
                    self.answered += 1
                    self._answer.set()
                if self.script.commands and self.script.commands[1] in text:
                    await self._reply(_delta(text))
        finally:
            self._answer.set()

    async def _read_setup(self) -> None:
        async for message in self._socket:
            self._heard_at = time.monotonic()
            text = str(message)
            if text == "2":
                await self._socket.send("3")
            elif text.startswith(self._event):
                await self._take(_delta(text))
            elif text.startswith("44"):
                raise VisitorError(f"the app refused the visitor: {text[:200]}")

    async def _take(self, delta: Delta) -> None:
        state, variable, value = self.script.ready
        if variable in delta.get(state, {}):
            self._ready = delta[state][variable] == value
        await self._reply(delta)

    async def _reply(self, delta: Delta) -> None:
        """Carry out what the server asks, as the bridge does with what ends in the frame."""
        if self.script.commands is None:
            return
        state, variable = self.script.commands
        for command in delta.get(state, {}).get(variable, []):
            if command["id"] in self._done:
                continue
            self._done.add(command["id"])
            reply = {"id": command["id"], "epoch": command["epoch"], "ok": True, "value": None, "error": None}
            event = {
                "name": self.script.reply,
                "payload": {"payload": reply},
                "router_data": {"pathname": "/", "asPath": "/"},
            }
            self.replies += 1
            await self._socket.send(f"{self._event},{json.dumps(event)}]")


def _delta(packet: str) -> Delta:
    found: Delta = json.loads(packet.partition(",")[2])[1].get("delta") or {}
    return found


class Load:
    """All visitors of this process."""

    def __init__(self) -> None:
        self._visitors: list[Visitor] = []
        self._numbers = 0
        self._pacing = False
        self._pace: asyncio.Task[dict[str, Any]]

    async def connect(self, count: int, script: dict[str, Any]) -> dict[str, Any]:
        """Bring in so many more visitors, a few at a time."""
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in script.items()
        }
        shared = Script(**fields)
        gate = asyncio.Semaphore(_AT_ONCE)

        async def enter(visitor: Visitor) -> None:
            async with gate:
                await visitor.enter()

        arriving = [Visitor(shared, self._numbers + offset) for offset in range(count)]
        self._numbers += count
        async with asyncio.TaskGroup() as group:
            for visitor in arriving:
                group.create_task(enter(visitor))
        self._visitors += arriving
        return {}

    async def pace(self, every: float) -> dict[str, Any]:
        """Each visitor sends at its own moment of every period, whether or not others wait, until `stop`."""

        async def go(visitor: Visitor) -> None:
            due = time.perf_counter() + random.uniform(0, every)  # noqa: S311 - spreads the load, decides nothing
            while self._pacing:
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                await visitor.step()
                due += every

        self._pacing = True
        self._pace = asyncio.create_task(self._measured(go))
        return {}

    async def stop(self) -> dict[str, Any]:
        """End the pace; what it measured."""
        self._pacing = False
        return await self._pace

    async def race(self, seconds: float) -> dict[str, Any]:
        """Each visitor sends as fast as it is answered."""

        async def go(visitor: Visitor) -> None:
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                await visitor.step()

        return await self._measured(go)

    async def hangup(self) -> dict[str, Any]:
        """Every visitor leaves."""
        await asyncio.gather(*(visitor.leave() for visitor in self._visitors))
        self._visitors.clear()
        return {}

    async def _measured(self, go: Callable[[Visitor], Coroutine[Any, Any, None]]) -> dict[str, Any]:
        for visitor in self._visitors:
            visitor.reset()
        began, used = time.perf_counter(), time.process_time()
        async with asyncio.TaskGroup() as group:
            for visitor in self._visitors:
                group.create_task(go(visitor))
        elapsed = time.perf_counter() - began
        return {
            "seconds": elapsed,
            "cpu_seconds": time.process_time() - used,
            "answered": sum(visitor.answered for visitor in self._visitors),
            "replies": sum(visitor.replies for visitor in self._visitors),
            "received": sum(visitor.received for visitor in self._visitors),
            "latencies_ms": [round(1000 * latency, 3) for visitor in self._visitors for latency in visitor.latencies],
        }


async def _serve() -> None:
    load = Load()
    doers: dict[str, Callable[..., Awaitable[dict[str, Any]]]] = {
        "connect": load.connect,
        "pace": load.pace,
        "stop": load.stop,
        "race": load.race,
        "hangup": load.hangup,
    }
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        try:
            answer = await doers[command.pop("do")](**command)
        except* (VisitorError, ConnectionClosed, OSError) as failed:
            first: BaseException = failed
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            answer = {"error": str(first) or repr(first)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    # Visitors have machines of their own: theirs must not take the processor from the worker, and from who clicks in Chromium.
    os.nice(10)
    asyncio.run(_serve())
