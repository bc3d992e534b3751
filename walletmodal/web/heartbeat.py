"""Pings of a worker's event sockets, all from one task: of the framework's own each wakes five tasks, and thousands of open pages ask for hundreds a second."""

import asyncio
from typing import Final, Protocol

from walletmodal.core.clock import Clock
from walletmodal.reflex_internals.pings import ANSWER_SECONDS, PING_SECONDS

TICK_SECONDS: Final = 1.0


class Pinged(Protocol):
    """A socket whose page is pinged."""

    def ping(self) -> None:
        """Have a ping sent; returns at once."""
        ...

    def end_silent(self) -> None:
        """Ends: the page has not answered."""
        ...


class Pulse:
    """When one socket's page is pinged, and whether it has answered.

    Args:
        socket: the socket.
        now: when it was opened, in seconds of a monotonic clock.
    """

    __slots__ = ("_due", "_is_asked", "_socket")

    def __init__(self, socket: Pinged, now: float) -> None:
        self._socket, self._due, self._is_asked = socket, now + PING_SECONDS, False

    def answered(self, now: float) -> None:
        """Notes that the page has answered."""
        if self._is_asked:
            self._due, self._is_asked = now + PING_SECONDS, False

    def beat(self, now: float) -> None:
        """Does what is due."""
        if now < self._due:
            return
        if self._is_asked:
            self._socket.end_silent()
        else:
            self._due, self._is_asked = now + ANSWER_SECONDS, True
            self._socket.ping()


class Heartbeat:
    """Pings the pages of all sockets that it has been given.

    Args:
        clock: what the time is measured with.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pulses: set[Pulse] = set()
        self._beating: asyncio.Task[None] | None = None

    def add(self, socket: Pinged) -> Pulse:
        """Begins to ping a socket's page."""
        pulse = Pulse(socket, self._clock.monotonic())
        self._pulses.add(pulse)
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat(), name="heartbeat")
        return pulse

    def remove(self, pulse: Pulse) -> None:
        """Pings it no more."""
        self._pulses.discard(pulse)
        if not self._pulses and self._beating is not None:
            self._beating.cancel()
            self._beating = None

    async def _beat(self) -> None:
        while True:
            await self._clock.sleep(TICK_SECONDS)
            now = self._clock.monotonic()
            for pulse in tuple(self._pulses):
                pulse.beat(now)
