"""Pings of a worker's event sockets, all from one task: of the framework's own each wakes several, and thousands of open pages ask for hundreds a second."""

import asyncio
from typing import Final, Protocol

from walletmodal.core.clock import Clock
from walletmodal.reflex_internals.pings import PING_SECONDS

BEAT_SECONDS: Final = 0.25
"""Pages that have come in the same second are not all pinged at once."""
_BEATS: Final = round(PING_SECONDS / BEAT_SECONDS)


class Pinged(Protocol):
    """A socket whose page is pinged."""

    @property
    def is_held_back(self) -> bool:
        """Whether what the page says waits here."""
        ...

    def ping(self) -> None:
        """Have a ping sent; returns at once."""
        ...

    def end_silent(self) -> None:
        """Ends: the page has not answered."""
        ...


class Pulse:
    """When one socket's page is pinged, and whether it has answered by the next time.

    It counts beats, not seconds: after a time in which the worker has done nothing, answers wait to be read.

    Args:
        socket: the socket.
    """

    __slots__ = ("_is_asked", "_left", "_socket")

    def __init__(self, socket: Pinged) -> None:
        self._socket, self._left, self._is_asked = socket, _BEATS, False

    def answered(self) -> None:
        """Notes that the page has answered."""
        self._is_asked = False

    def beat(self) -> None:
        """Does what is due."""
        self._left -= 1
        if self._left > 0:
            return
        # From the ping on, not from its answer: a page counts from there, too.
        self._left = _BEATS
        if self._is_asked and not self._socket.is_held_back:
            self._socket.end_silent()
        else:
            self._is_asked = True
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
        pulse = Pulse(socket)
        self._pulses.add(pulse)
        if self._beating is None or self._beating.done():
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
            await self._clock.sleep(BEAT_SECONDS)
            for pulse in tuple(self._pulses):
                pulse.beat()
