"""Pages that open another socket and have missed nothing: they are told that they are back, and not the whole state again.

Each change of a session that its page is told has a version, which Redis keeps beside the session's lock. Everything that events tell a page
says up to which version it has seen all, and its tab keeps that: the session's version, where the same socket was told the one before, and
none otherwise. So the version that a page has kept is the session's only where it has missed nothing.

Why: Reflex sends the whole state to every page that opens a socket: most of what it costs a worker that all come back at once.
Test: `test_the_framework_tells_a_page_that_comes_back_the_whole_state`, `tests/test_returning_pages.py`.
Dropped when: pages go on from what they have seen.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any, Final
from weakref import WeakKeyDictionary

from reflex.state import BaseState, State, UpdateVarsInternalState
from reflex.utils.token_manager import SocketRecord
from reflex_base.constants import CompileVars, PageNames, RouteVar
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event import Event
from reflex_base.event.context import EventContext
from reflex_base.event.processor.event_processor import EventQueueEntry

from walletmodal.reflex_internals.held_back import HeldBack, say
from walletmodal.reflex_internals.session_reads import Held
from walletmodal.reflex_internals.substates import with_substates

_STORES: Final = f"{UpdateVarsInternalState.get_full_name()}.update_vars_internal"
"""Reflex's event for what a browser has stored."""
Name = tuple[type[BaseState], str]
"""A state and its variable."""
Change = Mapping[str, Mapping[str, Any]]
"""State → variable → value, by their names on the wire."""


class Returns:
    """How a page that has missed nothing is known, and what it is told.

    In an app that has the browser store other variables nobody is known: when one is gone there, its session has to hear of that, too.

    Args:
        route: of the page; others are told the whole state.
        seen: where its tab keeps the version.
        kept: what else its tab keeps, as the session has given it.
        shared: what tabs of a browser share: the session is told of it, and with the next whole state also where it is gone.
        back: changes, so that the page says what it knows, and asks again what nobody has heard.
    """

    def __init__(self, route: str, *, seen: Name, kept: Collection[Name], shared: Collection[Name], back: Name) -> None:
        self._seen, self._back = seen, back
        # As Reflex says it to handlers.
        self._path = "/" + (route.strip("/") or PageNames.INDEX_ROUTE)
        self._key = _key(seen)
        self._kept, self._shared = {*map(_key, kept)}, {*map(_key, shared)}

    @cached_property
    def _are_all(self) -> bool:
        """Whether the browser stores no other variable; computed once all states are there."""
        stored = {
            _key((state, name))
            for state in with_substates(State)
            for name, one in state.get_fields().items()
            if state._is_client_storage(one)
        }
        return stored <= {self._key, *self._kept, *self._shared}

    def take_seen(self, event: Event, router_data: Mapping[str, Any]) -> str:
        """Takes the version from what a page says of its tab; "" where it has none, or needs the whole state."""
        stored = event.payload.get(CompileVars.PAYLOAD_VARS)
        if not isinstance(stored, dict):
            return ""
        seen = stored.pop(self._key, "")
        # What a page still holds of its script it says only when it is loaded: its tab may be that of a page before.
        begins = CompileVars.PAYLOAD_HASHES in event.payload or router_data.get(RouteVar.PATH) != self._path
        knows = isinstance(seen, str) and not begins and self._are_all and stored.keys() <= self._kept | self._shared
        return seen if knows else ""

    def shared_by(self, event: Event) -> dict[str, Any]:
        """What a page says that its browser has of what tabs share."""
        return {name: value for name, value in event.payload[CompileVars.PAYLOAD_VARS].items() if name in self._shared}

    def told_back(self) -> Change:
        """The change that a page which has missed nothing is told."""
        state, name = _names(self._back)
        return {state: {name: secrets.token_hex(8)}}

    def with_seen(self, change: Change, version: str) -> Change:
        """A change together with the version up to which its page has seen all; "" for none."""
        state, name = _names(self._seen)
        return {**change, state: {**change.get(state, {}), name: version}}


@dataclass(frozen=True, slots=True)
class _Mark:
    """That a page has seen all up to a version once it has heard the last of what is said, over the socket that it has had."""

    said: HeldBack
    socket: SocketRecord
    version: str


_MARK: Final[ContextVar[_Mark | None]] = ContextVar("seen_by_page", default=None)


class Told:
    """What the pages of a worker were told last.

    Attributes:
        socket_of: the socket that the page of a token has here; None where it has none.
        returns: how pages are known; None where nobody asks.
    """

    def __init__(self) -> None:
        self.socket_of: Callable[[str], SocketRecord | None] = lambda _token: None
        self.returns: Returns | None = None
        # A socket hears in order, so whoever was told the last change on it was told all since it had the whole state.
        self._last = WeakKeyDictionary[SocketRecord, bytes]()

    def marked(self, context: EventContext, change: Change, said: Change) -> Change:
        """What the page of an event is told, `change` in its language, with the version up to which it has seen all."""
        if self.returns is None:
            return said
        mark, version = _MARK.get(), ""
        if mark is not None and mark.said.last is not None and not mark.said.failed:
            page, last = mark.said.last
            # What it hears over another socket may follow on what it has missed.
            if (page, self.socket_of(page)) == (context.token, mark.socket) and last is change:
                version = _at_address(mark.version, context.router_data)
        return self.returns.with_seen(said, version)

    async def say(self, said: HeldBack, held: Held, socket: SocketRecord | None) -> None:
        """Say what was held back.

        Args:
            said: what was held back.
            held: what was done; the page of a socket that has just begun was told the whole state.
            socket: that the page had here when that began; None for none.

        Raises:
            Exception: as `held_back.say`.
        """
        token, version = held.token.ident, held.version or held.before
        follows = held.read.takes_over or (held.before and socket and self._last.get(socket) == held.before)
        if socket and follows and version and not held.untold:
            await self._say(said, token, socket, version, marks=held.loaded)
        else:
            await say(said)

    async def tell_back(self, entry: EventQueueEntry, version: bytes | None) -> bool:
        """As `loads.Pages.tell_back`."""
        event, context = entry.event, entry.ctx
        if self.returns is None or not (seen := self.returns.take_seen(event, context.router_data)):
            return False
        token, socket = context.token, self.socket_of(context.token)
        # Whoever asks again over the same socket wants the whole state.
        if (
            socket is None
            or socket in self._last
            or not version
            or seen != _at_address(version.decode(), context.router_data)
        ):
            # What was seen before is not what is seen from here on.
            await context.emit_delta({})
            return False
        change, said = self.returns.told_back(), HeldBack()
        said.append(partial(context.emit_delta, change))
        said.last = (token, change)
        await self._say(said, token, socket, version)
        if shared := self.returns.shared_by(event):
            await context.enqueue(Event(name=_STORES, payload={CompileVars.PAYLOAD_VARS: shared}))
        return True

    async def _say(
        self, said: HeldBack, token: str, socket: SocketRecord, version: bytes, *, marks: bool = True
    ) -> None:
        before = _MARK.set(_Mark(said, socket, version.decode()) if marks else None)
        try:
            await say(said)
        finally:
            _MARK.reset(before)
        if self.socket_of(token) == socket:
            self._last[socket] = version


def version_key(lock: bytes) -> bytes:
    """Of the version of a session in Redis, by the key of its lock."""
    return lock + b":version"


def _at_address(version: str, router_data: Mapping[str, Any]) -> str:
    """A version as a page keeps it: with its address, which says what it shows, and in which language."""
    address = str(router_data.get(RouteVar.ORIGIN, "")).encode(errors="replace")
    return f"{version}.{blake2b(address, digest_size=6).hexdigest()}"


def _key(variable: Name) -> str:
    """Of what a browser has of a variable."""
    return ".".join(_names(variable))


def _names(variable: Name) -> tuple[str, str]:
    """Of a state and of its variable, on the wire."""
    state, name = variable
    return state.get_full_name(), name + FIELD_MARKER
