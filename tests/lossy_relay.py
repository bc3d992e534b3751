"""A way to a server on which an answer is lost: the server has done what it was asked, and who asked does not hear of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_MOST = 65_536


class LossyRelay:
    """Passes on to a port of this machine.

    Attributes:
        port: where it is asked.
        lost: how many answers were.
    """

    def __init__(self, behind: int) -> None:
        self.port, self.lost = 0, 0
        self._behind, self._words = behind, b""

    def lose_answer_to(self, words: bytes) -> None:
        """Of the next request with these words the answer is lost, and the connection with it."""
        self._words = words

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection to its end."""
        there, behind = await asyncio.open_connection("127.0.0.1", self._behind)
        losing = asyncio.Event()

        async def ask() -> None:
            while asked := await reader.read(_MOST):
                if self._words and self._words in asked:
                    self._words = b""
                    losing.set()
                behind.write(asked)

        async def answer() -> None:
            while answered := await there.read(_MOST):
                if losing.is_set():
                    self.lost += 1
                    return
                writer.write(answered)

        both = [asyncio.create_task(ask()), asyncio.create_task(answer())]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # First: the relay may end meanwhile.
            for end in (writer, behind):
                end.close()
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)


@asynccontextmanager
async def lossy_relay(behind: int) -> AsyncIterator[LossyRelay]:
    """One that runs."""
    relay, serving = LossyRelay(behind), set[asyncio.Task[None]]()

    def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.create_task(relay.pass_on(reader, writer)))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    relay.port = server.sockets[0].getsockname()[1]
    try:
        yield relay
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
