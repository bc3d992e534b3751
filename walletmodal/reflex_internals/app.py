"""Reflex's app, as far as its sockets and sessions are ours.

Why: Reflex keeps without end what a page does not read, keeps the session of a page that has gone for its whole hour, cancels
handlers that still run when a worker is asked to end, tells no handler how long its event has waited, leaves a page as it is whose event fails
on Redis, and never forgets a socket that could not begin, or whose page left before it had.
Test: `test_a_socket_has_the_queue_that_its_server_makes`, `test_an_app_has_what_ends_sessions_and_events`, `tests/web/test_drain.py`,
`test_the_framework_keeps_a_socket_whose_page_left_before_it_began`.
Dropped when: Reflex bounds what it keeps for a socket, ends sessions on request, drains its events, and forgets such sockets.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, cast

import reflex as rx
from engineio.async_socket import AsyncSocket
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from reflex.istate.manager import StateManager
from reflex.utils.token_manager import SocketRecord
from reflex_base.event.context import EventContext
from reflex_base.event.processor.event_processor import EventQueueEntry

from walletmodal.reflex_internals.event_context import timed
from walletmodal.reflex_internals.event_seconds import measure_events
from walletmodal.reflex_internals.loads import load_in_turn, session_version
from walletmodal.reflex_internals.low_priority import give_way
from walletmodal.reflex_internals.page_reload import reload_pages
from walletmodal.reflex_internals.pings import leave_pings_to_us
from walletmodal.reflex_internals.redis_client import use_our_redis
from walletmodal.reflex_internals.redis_states import RedisStates, read_together
from walletmodal.reflex_internals.returning_pages import Returns
from walletmodal.reflex_internals.session_end import forget_session
from walletmodal.reflex_internals.session_moves import note_arrival, release_token, still_moving
from walletmodal.reflex_internals.socket_loop import use_our_loop
from walletmodal.reflex_internals.socket_rooms import keep_to_own_rooms
from walletmodal.reflex_internals.unread import Unread
from walletmodal.reflex_internals.worker_messages import hear_all


class OpenedApp(rx.App):
    """Reflex's app with our word on how long a session lives, and on what a page may leave unread."""

    def __post_init__(self) -> None:
        """As Reflex does it, and have each socket's packets counted and not kept, its page pinged by us, and its end looked for where it is."""
        self._returns: Returns | None = None
        super().__post_init__()  # type: ignore[no-untyped-call]  # of Reflex
        if self.sio is not None:
            self.sio.eio.create_queue = Unread
            leave_pings_to_us(self.sio.eio)
            use_our_loop()
            keep_to_own_rooms(self.sio)

    def _setup_state(self) -> None:
        """As Reflex does it, with our connections to Redis and what is heard there, and have states read together, and pages of other releases load anew."""
        use_our_redis()
        super()._setup_state()
        if self.event_namespace is not None and self._state is not None:
            hear_all(self.event_namespace)
            reload_pages(self.event_namespace, self._state)
            self._end_refused(self.event_namespace)
        if self._state_manager is not None:
            self._state_manager = read_together(self._state_manager)
        manager: object = self._state_manager
        if isinstance(manager, RedisStates):
            manager.renew, manager.told.socket_of = self.renew_socket, self._socket_of
            manager.told.returns = self._returns

    async def renew_socket(self, token: str) -> None:
        """Have the page of a token, where it has its socket here, open another, maybe at another server: it hears there what it has missed."""
        if socket := self._socket_of(token):
            await self._move(socket.sid)

    def _socket_of(self, token: str) -> SocketRecord | None:
        """The socket that the page of a token has here; None where it has none."""
        sockets = self.event_namespace and self.event_namespace._token_manager
        found = sockets and sockets.token_to_socket.get(token)
        return found if sockets and found and found.instance_id == sockets.instance_id else None

    def _engine_socket(self, sid: str) -> AsyncSocket | None:
        """The socket below one of the namespace; None where it is gone."""
        sio = self.sio
        named = sio and self.event_namespace and sio.manager.eio_sid_from_sid(sid, self.event_namespace.namespace)
        return sio.eio.sockets.get(named) if sio and named else None

    async def _move(self, sid: str) -> None:
        if (socket := self._engine_socket(sid)) and (listener := cast("Unread", socket.queue).listener):
            await listener.move()

    def _has_left(self, sid: str) -> bool:
        """Whether the page of a socket is no longer there, or was told to open another."""
        socket = self._engine_socket(sid)
        if socket is None or socket.closed:
            return True
        listener = cast("Unread", socket.queue).listener
        return listener is not None and listener.has_left

    def _end_refused(self, namespace: Any) -> None:
        """Have sockets that cannot begin leave nothing, and their pages open others where that is Redis' fault: the framework answers nobody then, and keeps it all."""
        connect = namespace.on_connect

        @wraps(connect)
        async def on_connect(sid: str, *args: Any) -> None:
            try:
                await connect(sid, *args)
            except Exception as error:
                if isinstance(error, RedisConnectionError | RedisTimeoutError):
                    await self._move(sid)
                # First what needs no Redis.
                await namespace.server.manager.disconnect(sid, namespace.namespace, ignore_queue=True)
                if (token := namespace.sid_to_token.get(sid)) is not None:
                    await namespace._token_manager.disconnect_token(token, sid)
                raise
            if self._has_left(sid):
                # The page's next socket would be taken for a second tab.
                if (ending := namespace.on_disconnect(sid)) is not None:
                    await ending
                namespace.sid_to_token.pop(sid, None)
                raise ConnectionRefusedError

        namespace.on_connect = on_connect

    @asynccontextmanager
    async def _setup_event_processor(self) -> AsyncIterator[None]:
        """As Reflex does it, and have events timed and measured."""
        async with super()._setup_event_processor():
            processor = self.event_processor
            load_in_turn(processor, self)
            measure_events(processor)
            give_way(processor, self.is_busy, lambda token: bool(self._socket_of(token)))
            if processor._root_context is not None:
                processor._root_context = timed(processor._root_context)
                EventContext.set(processor._root_context)
            yield

    def is_busy(self) -> bool:
        """Whether events wait for their states."""
        manager: object = self._state_manager
        return isinstance(manager, RedisStates) and manager.is_busy

    async def forget_session(
        self, token: str, *, unless: Callable[[StateManager, str], Awaitable[bool]] | None
    ) -> bool:
        """Remove what is kept of a session that no socket speaks for, as the end of its hour would; not where `unless` holds of it, and whether it stays for that.

        Raises:
            TimeoutError, RedisError, OSError: Redis did not do it in time.
        """
        if (namespace := self.event_namespace) is None:
            return False
        manager, tokens = self.state_manager, namespace._token_manager

        async def is_known(token: str) -> bool:
            return unless is not None and await unless(manager, token)

        return await forget_session(manager, token, is_wanted=tokens.is_token_connected, is_known=is_known)

    async def release_session(self, token: str) -> None:
        """Let another server take over a session whose socket is still open here: what its page says is done, what it is told goes there."""
        if (namespace := self.event_namespace) is not None:
            await release_token(namespace._token_manager, token)

    async def still_moving(self, moved: Collection[str]) -> set[str]:
        """Those of the tokens that were released, and whose pages have no state elsewhere yet."""
        namespace = self.event_namespace
        return set() if namespace is None else await still_moving(namespace._token_manager, moved)

    def know_returns(self, returns: Returns) -> None:
        """Have pages that come back and have missed nothing told so, where states are in Redis."""
        self._returns = returns
        manager: object = self._state_manager
        if isinstance(manager, RedisStates):
            manager.told.returns = returns

    async def session_version(self, token: str) -> bytes | None:
        """As `loads.Pages.session_version`."""
        return await session_version(self.state_manager, token)

    async def tell_back(self, entry: EventQueueEntry, version: bytes | None) -> bool:
        """As `loads.Pages.tell_back`."""
        manager: object = self._state_manager
        return isinstance(manager, RedisStates) and await manager.told.tell_back(entry, version)

    def is_here(self, token: str, sid: str) -> bool:
        """Whether the page of a session is still on this socket."""
        socket = self._socket_of(token)
        return socket is not None and socket.sid == sid

    async def note_arrival(self, token: str) -> None:
        """The page of a session has all of its state."""
        if (namespace := self.event_namespace) is not None:
            await note_arrival(namespace._token_manager, token)


async def stop_events(app: rx.App, seconds: float) -> None:
    """Takes no more events, and waits for running handlers, at most so long."""
    await app.event_processor.stop(seconds)
