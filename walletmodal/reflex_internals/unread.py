"""What a socket was told and its page has not read yet.

Why: Engine.IO, below Reflex, keeps it without end, also of a page that never reads.
Test: `test_a_socket_has_the_queue_that_its_server_makes`.
Dropped when: its queue has a limit that is told to us.
"""

import asyncio
from contextvars import ContextVar
from typing import Any, Final, Protocol

MOST: Final = 2 * 1024 * 1024
"""Characters for one page; ten times what the fullest one is told at once."""
MOST_OF_ADDRESS: Final = 32 * 1024 * 1024
"""For all pages of one address together; beyond it those go that have much of it."""
FAIR: Final = 64 * 1024
"""What a page may always have unread."""


class Listener(Protocol):
    """Who is told of the packets for one socket."""

    @property
    def has_left(self) -> bool:
        """Whether its page is no longer there, or was told to go on over another socket."""
        ...

    def told(self, size: int) -> bool:
        """A packet of so many characters is to be sent; False where nobody will read it any more."""
        ...

    def read(self, size: int) -> None:
        """A packet is being sent."""
        ...

    async def move(self) -> None:
        """The page is to go on over another socket."""
        ...


LISTENER: Final[ContextVar[Listener | None]] = ContextVar("listener", default=None)
"""Of the socket for which the framework makes a queue."""


class Unread(asyncio.Queue[Any]):
    """The framework's packets for one socket, counted. What nobody will read is not kept."""

    def __init__(self) -> None:
        self.listener = LISTENER.get()
        super().__init__()

    def _put(self, item: Any) -> None:
        # None is the framework's sign that no more will come.
        if self.listener is None or item is None or self.listener.told(_size(item)):
            super()._put(item)

    def _get(self) -> Any:
        item = super()._get()
        if self.listener is not None and item is not None:
            self.listener.read(_size(item))
        return item


def _size(packet: Any) -> int:
    return len(packet.data or "")
