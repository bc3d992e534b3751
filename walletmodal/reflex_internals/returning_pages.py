"""Pages that open another socket and have missed nothing: they are told that they are back, and not the whole state again.

Each change of a session that a page is told has a version, which Redis keeps beside the session's lock. The page is told it together with the
change, where the same socket was told the one before, and its tab keeps it. The version that a page has kept is the session's only where it
was told everything.

Why: Reflex sends the whole state to every page that opens a socket: most of what it costs a worker that all come back at once.
Test: `test_the_framework_tells_a_page_that_comes_back_the_whole_state`, `tests/test_returning_pages.py`.
Dropped when: pages go on from what they have seen.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import reflex as rx
from cachetools import LRUCache
from redis.asyncio import Redis
from reflex_base.constants import CompileVars, PageNames, RouteVar
from reflex_base.constants.state import FIELD_MARKER

from walletmodal.reflex_internals.held_back import HeldBack, say
from walletmodal.reflex_internals.session_reads import Held

_TOLD: Final = 20_000
"""Sessions of which a worker knows what their pages were told: twice as many as it has sockets."""
Name = tuple[type[rx.State], str]
"""A state and its variable."""


class Returns:
    """How a page that has missed nothing is known, and what it is told.

    Args:
        route: of the page; others are told the whole state.
        seen: where its tab keeps the version.
        kept: what else its tab may keep of a session that goes on: what the browser has of any other variable, the server must hear of.
        back: changes, so that the page says what it knows, and asks again what nobody has heard.
    """

    def __init__(self, route: str, *, seen: Name, kept: Collection[Name], back: Name) -> None:
        self._seen, self._back = seen, back
        # As Reflex says it to handlers.
        self._path = "/" + (route.strip("/") or PageNames.INDEX_ROUTE)
        self._key = ".".join(_names(seen))
        self._kept = {self._key, *(".".join(_names(one)) for one in kept)}

    def take_seen(self, payload: Mapping[str, Any], router_data: Mapping[str, Any]) -> str:
        """Takes the version from what a page says of its tab; "" where it has none, or needs the whole state."""
        stored = payload.get(CompileVars.PAYLOAD_VARS)
        if not isinstance(stored, dict):
            return ""
        seen = stored.pop(self._key, "")
        # What a page still holds of its script it says only when it is loaded: its tab may be that of a page before.
        is_loaded = CompileVars.PAYLOAD_HASHES in payload or router_data.get(RouteVar.PATH) != self._path
        return seen if isinstance(seen, str) and not is_loaded and self._kept.issuperset(stored) else ""

    def told_back(self) -> dict[str, dict[str, Any]]:
        """The change that a page which has missed nothing is told."""
        state, name = _names(self._back)
        return {state: {name: secrets.token_hex(8)}}

    def put_seen(self, change: dict[str, dict[str, Any]], version: str) -> None:
        """Have a page keep a version together with a change."""
        state, name = _names(self._seen)
        change.setdefault(state, {})[name] = version


class Told:
    """What the pages of a worker were told last.

    Attributes:
        socket_of: id of the socket that the page of a token has here; "" where it has none.
        returns: how pages are known; None where nobody asks.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self.socket_of: Callable[[str], str] = lambda token: token
        self.returns: Returns | None = None
        # A socket hears in order, so whoever was told the last change on it was told all since it had the whole state.
        self._last = LRUCache[str, tuple[str, bytes]](_TOLD)

    def begin(self, token: str, socket: str, version: bytes) -> None:
        """A page has seen all up to a version, and hears the rest on this socket."""
        self._last[token] = (socket, version)

    async def say(self, said: HeldBack, held: Held, socket: str, *, key: bytes) -> None:
        """Say what was held back, with the session's version where the page has seen the one before.

        Args:
            said: what was held back.
            held: what was done; the page of a socket that has just begun was told the whole state.
            socket: that the page had here when that began; "" for none.
            key: of the version in Redis.

        Raises:
            Exception: as `held_back.say`.
        """
        token, version = held.token.ident, held.version or held.before
        follows = bool(socket) and (held.read.takes_over or self._last.get(token) == (socket, held.before))
        marks = follows and held.loaded and held.tells and said.last is not None and said.last[0] == token
        if marks and self.returns and said.last:
            self.returns.put_seen(said.last[1], version.decode())
        await say(said)
        if follows and self.socket_of(token) == socket:
            self._last[token] = (socket, version)
        elif marks:
            # The page may have heard this on another socket, and what came before it on none.
            await self._redis.unlink(key)


def version_key(lock: bytes) -> bytes:
    """Of the version of a session in Redis, by the key of its lock."""
    return lock + b":version"


def _names(variable: Name) -> tuple[str, str]:
    """Of a state and of its variable, on the wire."""
    state, name = variable
    return state.get_full_name(), name + FIELD_MARKER
