"""Loads of pages whose sessions begin, or begin anew from their resume records: of several each once the event loop is free enough, before it has a lock.

So a page of a crowd is there soon after its turn, and clicks of visitors whose pages are there wait for few others. A worker that is never free
enough lets in two a second. Whose session is there loads at once: that takes a fraction of the time.

Why: Reflex begins all that come at once. Each takes as long as all of them then, until the database, locks in Redis and pages give up on them.
Test: `test_pages_of_a_crowd_load_in_turn_and_have_no_lock_before`, `tests/test_loads.py`.
Dropped when: Reflex begins events by their priority.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from typing import Any, Final, Protocol
from weakref import WeakValueDictionary

from redis.exceptions import RedisError
from reflex.istate.manager import StateManager
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State
from reflex_base.constants import RouteVar
from reflex_base.event.processor import EventProcessor
from reflex_base.event.processor.event_processor import EventQueueEntry

from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.reflex_internals.low_priority import free_round
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.returning_pages import version_key

AT_ONCE: Final = 4
"""However free the event loop is, since they wait for Redis and the database: each makes the others take longer."""
LONGEST_SECONDS: Final = 1.0
"""After which a load counts no more: the database that it waits for may hang, and most others need none."""
_LOOK_SECONDS: Final = 1.0
ROOM_SECONDS: Final = 0.5
"""After which one begins without a free round of the event loop: it takes some 100 ms of a processor that has more to do than it can do."""
_PAUSE_SECONDS: Final = 0.01
"""Of a crowd the next begins soon after the one before."""


class Pages(Protocol):
    """The pages of a worker."""

    def is_busy(self) -> bool:
        """Whether events wait for their states."""
        ...

    async def session_version(self, token: str) -> bytes | None:
        """As the function of this name, of the worker's manager."""
        ...

    async def tell_back(self, entry: EventQueueEntry, version: bytes | None) -> bool:
        """Tell a page that it is back, where it has missed nothing of its session; False where it needs the whole state."""
        ...

    def is_here(self, token: str, sid: str) -> bool:
        """Whether the page of a session is still on this socket."""
        ...

    async def note_arrival(self, token: str) -> None:
        """The page has all of its state."""
        ...


def load_in_turn(processor: EventProcessor, pages: Pages) -> None:
    """Has a processor's loads wait for one another and for room, and a page's other events for its own."""
    execute, room, door = processor._execute_event, asyncio.Semaphore(AT_ONCE), asyncio.Lock()
    # Of each address one is at the door, so that one with many does not keep the others waiting.
    lines = WeakValueDictionary[str, asyncio.Lock]()
    loading: dict[str, asyncio.Event] = {}

    async def in_turn(*, entry: Any, registered_handler: Any) -> None:
        token = entry.ctx.token
        if entry.event.name != HYDRATE:
            # Those in the background, which Reflex has wait for no other, would find no session.
            if (load := loading.get(token)) is not None:
                await load.wait()
            await execute(entry=entry, registered_handler=registered_handler)
            return
        load = loading[token] = asyncio.Event()
        try:
            await _load(entry, registered_handler)
        finally:
            load.set()
            if loading.get(token) is load:
                del loading[token]

    async def _load(entry: Any, registered_handler: Any) -> None:
        token, sid = entry.ctx.token, _socket(entry)
        version = await pages.session_version(token)
        async with _turn(entry) if version is None else nullcontext():
            # Where it loads elsewhere, what is done here would be done to the session that it has there.
            told = pages.is_here(token, sid) and await pages.tell_back(entry, version)
            if not told and pages.is_here(token, sid):
                await execute(entry=entry, registered_handler=registered_handler)
        if pages.is_here(token, sid):
            await pages.note_arrival(token)

    @asynccontextmanager
    async def _turn(entry: Any) -> AsyncIterator[None]:
        line = lines.setdefault(str(entry.ctx.router_data.get(RouteVar.CLIENT_IP, "")), asyncio.Lock())
        async with AsyncExitStack() as place:
            async with line, door:
                await place.enter_async_context(_place(room))
                # A page that comes alone need not wait for anybody.
                if len(loading) > 1 and pages.is_here(entry.ctx.token, _socket(entry)):
                    await free_round(pages.is_busy, pause=_PAUSE_SECONDS, longest=ROOM_SECONDS)
            yield

    processor._execute_event = in_turn  # type: ignore[method-assign]  # there is no public way


def _socket(entry: Any) -> str:
    """Id of the socket that an event came by."""
    return str(entry.ctx.router_data.get(RouteVar.SESSION_ID, ""))


async def session_version(manager: StateManager, token: str) -> bytes | None:
    """The version of a token's session, empty without one or while an event changes it; None where a manager has it not as this release has it, or Redis does not say so soon."""
    # What tells the kinds of managers apart looks like one kind to mypy.
    kind: object = manager
    if isinstance(kind, StateManagerMemory):
        return b"" if token in kind.states else None
    if not isinstance(kind, RedisStates):
        return None
    key = kind._coerce_token(BaseStateToken(ident=token, cls=State))
    lock_key = kind._lock_key(key)
    try:
        async with asyncio.timeout(_LOOK_SECONDS):
            keys = key._state_key(State), lock_key, version_key(lock_key)
            root, lock, version = await kind.redis.mget(keys)
    except (RedisError, OSError):
        return None
    if not (root or b"").startswith(kind._shape):
        return None
    # What an event is doing to it just now has no version yet.
    return b"" if lock else version or b""


@asynccontextmanager
async def _place(room: asyncio.Semaphore) -> AsyncIterator[None]:
    """A place in the room, until it is left or has been had for long."""
    had = True

    def leave() -> None:
        nonlocal had
        if had:
            had = False
            room.release()

    await room.acquire()
    longest = asyncio.get_running_loop().call_later(LONGEST_SECONDS, leave)
    try:
        yield
    finally:
        longest.cancel()
        leave()
