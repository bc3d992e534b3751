"""Packets of our pages on the event socket (Engine.IO 4, Socket.IO 5), told from all else before the framework sees it.

The framework has one function for what a socket does and for what a client calls an event of that name, keeps attachments that are
announced, and logs what it cannot read with a traceback.
"""

import json
from collections.abc import Container
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

from walletmodal.core.errors import ProtocolError
from walletmodal.core.protocol.limits import MAX_BYTES, MAX_NODES, check_limits
from walletmodal.reflex_internals.event_names import HYDRATE, SENT_BY_REFLEX, SETS_VARIABLES
from walletmodal.web.json_size import TooComplexError, values_in
from walletmodal.web.origin import EVENT_PATH

MAX_EVENT: Final = MAX_BYTES + 16 * 1024
"""Characters: a message of the host page, and what the bridge and Reflex put around it."""
MAX_OPENING: Final = 16 * 1024
"""Characters of what Reflex's own part of a page says: what the browser has stored, hashes, an error."""

_CONNECT: Final = f"40{EVENT_PATH},"
_DISCONNECTS: Final = (f"41{EVENT_PATH}", f"41{EVENT_PATH},")
_EVENT: Final = f"42{EVENT_PATH},"
PING: Final = "2"
PONG: Final = "3"
_EVENT_NAME: Final = "event"
_SENT_BY_PAGES: Final = frozenset({_EVENT_NAME, "client_error"})
_MAX_ABOUT: Final = 16 * 1024
"""Bytes of all that comes with an event besides its payload: its name, and the page's address."""
_MAX_CHARACTER_BYTES: Final = 4
_COUNTED: Final = 200
"""What values that are too many count for: as many as are read in the time that it takes to count them."""
_HYDRATE_COST: Final = 20
"""A snapshot of everything takes as long as so many other events."""


class Verdict(Enum):
    """What is done with a packet."""

    PASS = auto()
    DROP = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a packet.

    Attributes:
        verdict: whether the framework gets it, or the socket ends with it.
        refusal: why not, for the figures; "" where nothing is wrong.
        size: characters or bytes.
        values: in its JSON.
        extra: what it counts for besides.
    """

    verdict: Verdict
    refusal: str = ""
    size: int = 0
    values: int = 0
    extra: int = 0


class _RefusedError(Exception):
    def __init__(self, verdict: Verdict, refusal: str) -> None:
        super().__init__(refusal)
        self.verdict, self.refusal = verdict, refusal


class Conversation:
    """Packets of one socket so far.

    Args:
        events: names of all events that pages have.
        introduces: names of those by which a page says who its host is.

    Attributes:
        connected: whether it has opened the namespace.
        loaded: whether its page has loaded.
        introduced: whether one of `introduces` came.
    """

    def __init__(self, events: Container[str], introduces: frozenset[str] = frozenset()) -> None:
        self.connected = self.loaded = self.introduced = False
        self._events, self._introduces = events, introduces
        self._left = False
        self._values = self._extra = 0

    def check_packet(self, text: str | None, size: int) -> Heard:
        """Checks the next packet. `text`: None for one that is not text; `size`: its length."""
        self._values = self._extra = 0
        try:
            verdict, refusal = self._judge(text), ""
        except _RefusedError as error:
            verdict, refusal = error.verdict, error.refusal
        return Heard(verdict, refusal, size, self._values, self._extra)

    def _judge(self, text: str | None) -> Verdict:
        if text in (PING, PONG):
            # The framework pings nobody. Pings come from clients of another version of the protocol; it has no answer to them.
            return Verdict.DROP
        if text is None or self._left:
            raise _RefusedError(Verdict.END, "packet")
        if text.startswith(_EVENT) and self.connected:
            self._event(text)
        elif text.startswith(_CONNECT) and not self.connected:
            self._connect(text)
        elif text in _DISCONNECTS and self.connected:
            self._left = True
        else:
            raise _RefusedError(Verdict.END, "packet")
        return Verdict.PASS

    def _connect(self, text: str) -> None:
        body = text[len(_CONNECT) :]
        try:
            if len(body) > MAX_OPENING:
                raise _RefusedError(Verdict.END, "packet_too_large")
            auth = self._read(body) if body else {}
            if not isinstance(auth, dict):
                raise _RefusedError(Verdict.END, "packet")
            if (first := auth.get("event")) is not None:
                self._note(self._named(first, len(body)))
        except _RefusedError as error:
            # Nothing that comes later could be of use.
            raise _RefusedError(Verdict.END, error.refusal) from None
        self.connected = True

    def _event(self, text: str) -> None:
        if len(text) > MAX_EVENT:
            raise _RefusedError(Verdict.DROP, "packet_too_large")
        match self._read(text[len(_EVENT) :]):
            case [str(kind), event] if kind in _SENT_BY_PAGES:
                if kind == _EVENT_NAME:
                    self._note(self._named(event, len(text)))
            case _:
                raise _RefusedError(Verdict.END, "packet")

    def _read(self, body: str) -> Any:
        try:
            self._values = values_in(body, MAX_NODES)
        except TooComplexError:
            self._values = _COUNTED
            raise _RefusedError(Verdict.DROP, "packet_too_complex") from None
        try:
            # The framework's own parser: what a careful one refuses, such as half a character, a page may say.
            return json.loads(body)
        except ValueError:
            raise _RefusedError(Verdict.END, "packet") from None

    def _named(self, event: Any, size: int) -> str:
        """The name of an event that a page sends."""
        name = event.get("name") if isinstance(event, dict) else None
        if not isinstance(name, str) or not (self._is_own(name) or name in SENT_BY_REFLEX) or not _has_its_parts(event):
            raise _RefusedError(Verdict.DROP, "event")
        if size * _MAX_CHARACTER_BYTES > _MAX_ABOUT:
            self._check_about(event)
        if name in SENT_BY_REFLEX and size > MAX_OPENING:
            raise _RefusedError(Verdict.DROP, "packet_too_large")
        return name

    def _check_about(self, event: dict[str, Any]) -> None:
        """Refuses an event that says too much besides its payload: the framework keeps it as long as the session."""
        about = {key: part for key, part in event.items() if key != "payload"}
        try:
            check_limits(about, max_bytes=_MAX_ABOUT, any_text=True)
        except ProtocolError:
            raise _RefusedError(Verdict.DROP, "packet_too_large") from None

    def _is_own(self, name: str) -> bool:
        return name in self._events and not name.endswith(SETS_VARIABLES)

    def _note(self, name: str) -> None:
        self.introduced |= name in self._introduces
        if name == HYDRATE:
            self.loaded, self._extra = True, _HYDRATE_COST


def _has_its_parts(event: dict[str, Any]) -> bool:
    """Whether what the framework reads of an event is of the types that it relies on; an error that a page brings about would look like one of ours."""
    about = event.get("router_data", {})
    return (
        isinstance(event.get("payload", {}), dict)
        and isinstance(about, dict)
        and isinstance(about.get("pathname", ""), str)
        and isinstance(about.get("query", {}), dict)
    )
