"""How fast one page may speak on the event socket."""

import asyncio
from collections.abc import Iterator

from starlette.types import Message, Receive, Scope, Send

from walletmodal.core.clock import MovableClock
from walletmodal.web.pace import PACE, PacedSockets
from walletmodal.web.rate_limit import Rate

SLOW = Rate(per_second=2, burst=4)


class Socket:
    """A page that has said all of it already, and the app that hears what it is given."""

    def __init__(self, said: Iterator[str], *, pace: Rate = SLOW, path: str = "/_event/") -> None:
        self.clock, self.heard = MovableClock(), 0
        self._said, self._scope = said, {"type": "websocket", "path": path}
        self._paced = PacedSockets(self._listen, pace=pace, clock=self.clock)

    async def run(self) -> None:
        """Until the page is gone."""

        async def receive() -> Message:
            text = next(self._said, None)
            return {"type": "websocket.disconnect"} if text is None else {"type": "websocket.receive", "text": text}

        async def send(_message: Message) -> None:
            raise AssertionError("nothing is answered")

        await self._paced(self._scope, receive, send)

    async def _listen(self, _scope: Scope, receive: Receive, _send: Send) -> None:
        while (await receive())["type"] == "websocket.receive":
            self.heard += 1


async def after(socket: Socket, *seconds: float) -> list[int]:
    """How many messages were heard at once, and after each of these seconds."""
    running = asyncio.create_task(socket.run())
    counts: list[int] = []
    for more in (0, *seconds):
        socket.clock.advance(more)
        await asyncio.wait({running, asyncio.ensure_future(socket.clock.asleep())}, return_when="FIRST_COMPLETED")
        counts.append(socket.heard)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return counts


def messages(count: int, size: int = 10) -> Iterator[str]:
    return iter(["x" * size] * count)


async def test_a_flood_is_heard_at_the_pace_and_no_faster() -> None:
    assert await after(Socket(messages(1_000_000)), 0.5, 0.5, 2) == [5, 6, 7, 11]


async def test_a_large_message_counts_for_its_kilobytes() -> None:
    assert await after(Socket(messages(1_000_000, 2048)), 1.5, 1.5) == [2, 3, 4]


async def test_nothing_that_was_said_is_lost() -> None:
    socket = Socket(messages(7))
    assert (await after(socket, 10))[-1] == 7


async def test_what_a_page_says_when_it_loads_is_heard_at_once() -> None:
    assert await after(Socket(iter(["x" * 250_000, *["x" * 500] * 60]), pace=PACE)) == [61]


async def test_other_sockets_are_not_paced() -> None:
    assert await after(Socket(messages(100), path="/relay")) == [100]


async def test_one_page_does_not_slow_another() -> None:
    clock = MovableClock()
    heard: list[int] = []

    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        heard.append(sum([(await receive())["type"] == "websocket.receive" for _ in range(4)]))

    async def receive() -> Message:
        return {"type": "websocket.receive", "text": "x"}

    async def send(_message: Message) -> None:
        return None

    paced = PacedSockets(app, pace=SLOW, clock=clock)
    for _ in range(2):
        await paced({"type": "websocket", "path": "/_event/"}, receive, send)
    assert heard == [4, 4]
