"""Lines between servers that a test can break, and a balancer. They run in a thread of their own, so any fixture or test may use them."""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import httpx

from tests.patience import PATIENCE

T = TypeVar("T")

_CHUNK: Final = 65536
_FORWARDED: Final = re.compile(rb"\r\nx-forwarded-for: *(\S+)", re.IGNORECASE)
_LOOK_SECONDS: Final = 0.25
_READY_SECONDS: Final = 3.0


class Network:
    """The event loop of the lines."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="network", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of something that is done in this loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def close(self) -> None:
        """End the thread; the lines must be closed by then."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE)
        self.loop.close()


@contextmanager
def network() -> Iterator[Network]:
    """One for the length of the block."""
    made = Network()
    try:
        yield made
    finally:
        made.close()


class _Pair:
    """One connection: its ends, the far one once it is open, whether they still hear of each other, and whether it is broken."""

    def __init__(self, near: asyncio.StreamWriter) -> None:
        self.ends = [near]
        self.stranded = self.broken = False
        self.heard_at = 0.0

    def abort(self) -> None:
        self.broken = True
        for end in self.ends:
            end.transport.abort()


class Line:
    """Forwards connections from one port of this machine to another.

    Args:
        network: where it runs.
        port: where it listens.
        upstream: port that it leads to.
    """

    def __init__(self, network: Network, port: int, upstream: int) -> None:
        self._network, self.port, self.upstream = network, port, upstream
        self._pairs: set[_Pair] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_cut = False
        self._delay = 0.0
        self._idle_seconds: float | None = None
        self._passing = asyncio.Event()
        self._passing.set()
        self._server: asyncio.Server | None = None

    def open(self) -> None:
        """Begin to listen."""
        self._network.run(self._open())

    def close(self) -> None:
        """Break all connections and listen no more."""
        self._network.run(self._close())

    def cut(self) -> None:
        """Break all connections, and every new one, until `heal`."""
        self._network.run(self._set(is_cut=True, breaks=True))

    def freeze(self) -> None:
        """Let nothing through until `heal`, and break nothing; new connections are taken and get no answer."""
        self._network.run(self._set(passing=False))

    def slow_down(self, seconds: float) -> None:
        """Hold everything up for so long, each way, until `heal`."""
        self._network.run(self._set(delay=seconds))

    def heal(self) -> None:
        """Let everything through again."""
        self._network.run(self._set())

    def break_all(self) -> None:
        """Break all connections; new ones are let through."""
        self._network.run(self._set(breaks=True))

    def strand(self) -> None:
        """Forget all connections without a word to their ends, as a balancer that fails over; new ones are let through."""
        self._network.run(self._strand())

    def drop_idle(self, seconds: float | None) -> None:
        """Break what has carried nothing for so long from now on; None for never."""
        self._network.run(self._set_idle(seconds))

    @property
    def count(self) -> int:
        """Of its connections now."""
        return len(self._pairs)

    async def _set(
        self, *, is_cut: bool = False, passing: bool = True, delay: float = 0.0, breaks: bool = False
    ) -> None:
        self._is_cut, self._delay = is_cut, delay
        if passing:
            self._passing.set()
        else:
            self._passing.clear()
        if breaks:
            for pair in self._pairs:
                pair.abort()

    async def _strand(self) -> None:
        for pair in self._pairs:
            pair.stranded = True

    async def _set_idle(self, seconds: float | None) -> None:
        self._idle_seconds = seconds

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self._begin(self._break_idle())

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        for pair in self._pairs:
            pair.abort()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _break_idle(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            if self._idle_seconds is not None:
                for pair in self._pairs:
                    if loop.time() - pair.heard_at > self._idle_seconds:
                        pair.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A task of ours, which `_close` ends.
        self._begin(self._connect(reader, writer))

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pair = _Pair(writer)
        try:
            if self._is_cut:
                return
            self._pairs.add(pair)
            pair.heard_at = asyncio.get_running_loop().time()
            await self._passing.wait()
            head = await reader.read(_CHUNK)
            upstream = self._choose(head)
            if not head or upstream is None:
                return
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", upstream)
            try:
                if not pair.broken:
                    pair.ends.append(far_writer)
                    far_writer.write(head)
                    await self._carry(pair, (reader, far_writer), (far_reader, writer))
            finally:
                far_writer.transport.abort()
        except OSError:
            # Whoever has connected is told by the end of the connection.
            pass
        finally:
            self._pairs.discard(pair)
            writer.transport.abort()

    def _choose(self, _head: bytes) -> int | None:
        """The port that a connection leads to, by what it says first; None for none."""
        return self.upstream

    async def _carry(self, pair: _Pair, *ways: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for way in ways:
                    group.create_task(self._pump(pair, *way))
        except* OSError:
            pass

    async def _pump(self, pair: _Pair, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(_CHUNK):
            if self._delay:
                await asyncio.sleep(self._delay)
            await self._passing.wait()
            if pair.stranded:
                continue
            pair.heard_at = asyncio.get_running_loop().time()
            writer.write(chunk)
            await writer.drain()
        if pair.stranded:
            # Its other end hears nothing of this, either.
            return
        with contextlib.suppress(OSError, RuntimeError):
            if writer.can_write_eof():
                writer.write_eof()


class Balancer(Line):
    """Leads connections to several servers.

    Args:
        network: where it runs.
        port: where it listens.
        upstreams: ports of the servers.
        sticky: by the address that `X-Forwarded-For` tells, as long as its server is ready; else each gets the next.
        ready: path that is asked whether a server takes new connections.
    """

    def __init__(
        self, network: Network, port: int, upstreams: Sequence[int], *, sticky: bool = False, ready: str = "/_health"
    ) -> None:
        super().__init__(network, port, upstreams[0])
        self._upstreams, self.sticky, self._path = tuple(upstreams), sticky, ready
        self.ready = frozenset(upstreams)
        """Ports of the servers that take new connections."""
        self.only: int | None = None
        """Port of the one that all new connections are led to, where a test has chosen."""
        self._next = 0

    async def _open(self) -> None:
        await super()._open()
        self._begin(self._follow())

    def _choose(self, head: bytes) -> int | None:
        if self.only is not None:
            return self.only
        ready = [port for port in self._upstreams if port in self.ready]
        if not ready:
            return None
        if self.sticky and (told := _FORWARDED.search(head)):
            return ready[hash(told[1]) % len(ready)]
        self._next += 1
        return ready[self._next % len(ready)]

    async def _follow(self) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=_READY_SECONDS) as client:
            while True:
                answers = await asyncio.gather(*(self._is_ready(client, port) for port in self._upstreams))
                self.ready = frozenset(port for port, ready in zip(self._upstreams, answers, strict=True) if ready)
                await asyncio.sleep(_LOOK_SECONDS)

    async def _is_ready(self, client: httpx.AsyncClient, port: int) -> bool:
        try:
            return (await client.get(f"http://127.0.0.1:{port}{self._path}")).is_success
        except httpx.TransportError:
            return False
