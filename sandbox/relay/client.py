"""One connected client of the relay: what it has subscribed to, and what is on its way to it."""

import asyncio
from collections import OrderedDict, deque
from typing import Final

from walletmodal.sandbox.relay.mail import Mail

MAX_SUBSCRIPTIONS: Final = 2000
"""Topics of one connection."""

MAX_UNSENT: Final = 500
"""Frames that wait for a client who does not read; with more, it is disconnected, and finds its mail when it returns."""

MAX_UNSENT_CHARACTERS: Final = 8 * 2**20
"""The same for the length of all answers together."""

_MAX_UNCONFIRMED: Final = 1000


TOO_SLOW: Final = 1008


class EndedError(Exception):
    """The connection is to be closed from our side.

    Args:
        code: of the websocket's close frame.
        reason: its text.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class RelayClient:
    """A connection.

    Args:
        name: the client's name, a `did:key`, the same over all its connections.

    Attributes:
        name: as given.
        topics: what it has subscribed to.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.topics: set[str] = set()
        self._outgoing: deque[Mail | str] = deque()
        self._waiting = asyncio.Event()
        self._unconfirmed: OrderedDict[int, Mail] = OrderedDict()
        self._unsent_characters = 0
        self._end: EndedError | None = None

    def answer(self, frame: str) -> None:
        """Send the answer to a request."""
        self._put(frame)

    def deliver(self, mail: Mail) -> None:
        """Send mail."""
        self._put(mail)

    def end(self, code: int, reason: str) -> None:
        """Close the connection, whatever still waits to be sent."""
        self._end = self._end or EndedError(code, reason)
        self._waiting.set()

    async def next(self) -> Mail | str:
        """What is to be sent next, an answer as text; waits for it.

        Raises:
            EndedError: the connection is to be closed.
        """
        while self._end is None and not self._outgoing:
            self._waiting.clear()
            await self._waiting.wait()
        if self._end is not None:
            raise self._end
        one = self._outgoing.popleft()
        self._unsent_characters -= len(one) if isinstance(one, str) else 0
        return one

    def sent(self, number: int, mail: Mail) -> None:
        """Note the number of the frame by which mail went out."""
        self._unconfirmed[number] = mail
        if len(self._unconfirmed) > _MAX_UNCONFIRMED:
            self._unconfirmed.popitem(last=False)

    def confirm(self, number: object) -> None:
        """The client says that the frame of this number arrived."""
        mail = self._unconfirmed.pop(number, None) if isinstance(number, int) else None
        if mail is not None:
            mail.held_by(self.name)

    def _put(self, one: Mail | str) -> None:
        # What mail holds is kept once for all clients; an answer is this client's own.
        characters = self._unsent_characters + (len(one) if isinstance(one, str) else 0)
        if len(self._outgoing) >= MAX_UNSENT or characters > MAX_UNSENT_CHARACTERS:
            self.end(TOO_SLOW, "The client does not read")
            return
        self._outgoing.append(one)
        self._unsent_characters = characters
        self._waiting.set()
