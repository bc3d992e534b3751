"""States in Redis, with two round trips for each lock: one that takes it and reads, one that writes and gives it back.

Reflex takes four, and one more for each state that a handler asks for: most of what an event cost a worker.

Every state has the mark of its session's life before it: the shape of the release that began it (`state_shape`), and a random part. A page
that lands on a server of another shape begins a new life, which its resume record fills; what is left of the one before is read no more.
All states of a session expire together, whichever of them its events have changed or read.
Only the first event of a socket begins a life: where any other finds none, or cannot be written, or Redis cannot be reached, the page opens another.

Why: as above.
Test: `test_each_state_that_a_handler_asks_for_is_read_by_itself`, `tests/test_redis_states.py`.
Dropped when: Reflex reads together what an event needs, and writes as it gives the lock back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from cachetools import TTLCache
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from reflex.istate.manager import StateManager
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import BaseState, OnLoadInternalState, UpdateVarsInternalState
from reflex_base.constants import CompileVars
from reflex_base.event import Event
from reflex_base.event.processor import base_state_processor
from reflex_base.utils.exceptions import LockExpiredError, StateSchemaMismatchError

from walletmodal.reflex_internals.event_names import BEGIN, locks_by_itself
from walletmodal.reflex_internals.held_back import HeldBack, held_back
from walletmodal.reflex_internals.lost_sessions import LostSessionError, UnreadableStateError, is_failure
from walletmodal.reflex_internals.redis_places import Places
from walletmodal.reflex_internals.redis_scripts import FINISH, TAKE
from walletmodal.reflex_internals.returning_pages import Told, version_key
from walletmodal.reflex_internals.session_reads import Held, Read
from walletmodal.reflex_internals.slot_tokens import SlotTokens
from walletmodal.reflex_internals.state_shape import SHAPE_BYTES, state_shape
from walletmodal.reflex_internals.substates import forget_below, with_substates
from walletmodal.reflex_internals.turns import Turns
from walletmodal.reflex_internals.usual_states import UsualStates, loaded
from walletmodal.services.redis_patience import CROWD, place

_RENEWALS: Final = 6
"""Times an hour that all states of a session are kept anew, for an hour and a sixth: the root, which is looked at first, never longer than another."""
_RENEWED: Final = 20_000
"""Sessions of which a worker knows that this was done: twice as many as it has sockets."""
_PAUSES: Final = (0.01, 0.1)
"""Seconds after which a lock is asked for again that another worker has: at first, and at most."""

States = type[BaseState]
_OURS: Final = "walletmodal."
_LIFE_BYTES: Final = SHAPE_BYTES + 8


class RedisStates(SlotTokens):
    """Reflex's manager of states in Redis; what an event has asked for before is read together with its own state the next time.

    Attributes:
        renew: has the page of a token open another socket, where it has one here.
        told: what pages have seen.
    """

    def __post_init__(self) -> None:
        """As Reflex does it."""
        super().__post_init__()  # type: ignore[no-untyped-call]  # of Reflex
        # Locks are not kept for what may come next.
        self._oplock_enabled = False
        self.renew: Callable[[str], Awaitable[None]] = _do_nothing
        self.told = Told()
        self._usual: dict[object, UsualStates] = {}
        self._needs: dict[States, tuple[States, ...]] = {}
        self._turns = Turns()
        self._renewed = TTLCache[str, bool](_RENEWED, self.token_expiration / _RENEWALS)
        self._reads: WeakKeyDictionary[BaseState, Read] = WeakKeyDictionary()
        self._places = Places(self.redis)

    @property
    def is_busy(self) -> bool:
        """Whether as many locks are being taken at a server of Redis as may be at once."""
        return self._places.are_taken

    @contextlib.asynccontextmanager
    async def modify_state(self, token: Any, **context: Any) -> AsyncIterator[Any]:
        """The visitor's states while nobody else may change them; for the beginning of a background event, which takes no lock, as they are.

        Raises:
            LockExpiredError: it took so long that somebody else may, or that the session has ended; nothing was written.
            LostSessionError: the session is gone.
        """
        token = self._coerce_token(token)
        if not isinstance(token, BaseStateToken):
            async with super().modify_state(token, **context) as state:
                yield state
            return
        try:
            async with self._modify(token, context.get("event")) as root:
                yield root
        except (LockExpiredError, RedisConnectionError, RedisTimeoutError) as error:
            if isinstance(error, UnreadableStateError):
                await self.redis.unlink(token._state_key(token.cls.get_root_state()))
            await self.renew(token.ident)
            raise

    @contextlib.asynccontextmanager
    async def _modify(self, token: BaseStateToken, event: Event | None) -> AsyncIterator[BaseState]:
        """As `modify_state`; a page is not told of what fails."""
        takes_over = event is not None and event.name in BEGIN
        usual = self._usual.setdefault(event.name if event else token.cls, UsualStates())
        # Without an event and for more than the root it is one in the background that goes on: a life that it began would have nothing in it, and
        # the page would not be told.
        begins = takes_over or (event is None and token.cls.get_parent_state() is None)
        read = Read(usual, begins=begins, takes_over=takes_over)
        if event is not None and locks_by_itself(event.name):
            async with place(self._places.room(self._lock_key(token)), CROWD):
                found = await self._fetch(token, self._together(token, read))
            # A session that is not there may just be beginning, and so may one of another release.
            if (found[token.cls.get_root_state()] or b"").startswith(self._shape):
                read.found = self._alive(read, found)
                root = self._root(token, read)
                yield root
                usual.note_loaded(root)
                await self._write_late(token, root, read)
                read.found.clear()
                forget_below(root)
                return
        async with self._hold(token, read) as held:
            root = self._root(token, read)
            yield root
            usual.note_loaded(root)
            held.untold = bool(root.dirty_vars or root.dirty_substates)
            held.changed = self._changed(token, root, read)
            held.loaded = bool(getattr(root, CompileVars.IS_HYDRATED, False))
        # What is asked for from now on may be newer.
        read.found.clear()
        if event is not None or token.cls.__module__.startswith(_OURS):
            # Ours that go on in the background use nothing of it without the lock.
            forget_below(root)

    async def get_state(self, token: Any, top_level: bool = True, for_state_instance: BaseState | None = None) -> Any:  # noqa: FBT001, FBT002 - as Reflex has it
        """As Reflex does it; what was read with the event's own state is not asked for again."""
        token = self._coerce_token(token)
        if not isinstance(token, BaseStateToken):
            return await super().get_state(token, top_level, for_state_instance)
        if for_state_instance is None:
            read = Read(UsualStates(), begins=True, takes_over=True)
            read.found = self._alive(read, await self._fetch(token, self._needed(token.cls)))
            root = self._root(token, read)
        else:
            root = for_state_instance._get_root_state()
            read = self._reads[root]
            needed = [one for one in self._needed(token.cls) if loaded(root, one) is None]
            missing = [one for one in needed if one not in read.found]
            if missing:
                read.usual.add(missing)
                read.found.update(self._alive(read, await self._fetch(token, missing)))
            self._load(root, needed, read)
        return root if top_level else loaded(root, token.cls)

    async def look_at(self, ident: str, state: States) -> BaseState | None:
        """A state of a token's session as this release has it, to look at; as it begins where there is none.

        Raises:
            LostSessionError: the session is another release's, or cannot be read.
        """
        token, read = self._coerce_token(BaseStateToken(ident=ident, cls=state)), Read(UsualStates(), begins=True)
        read.found = self._alive(read, await self._fetch(token, self._needed(state)))
        root = self._root(token, read)
        found = loaded(root, state)
        forget_below(root)
        return found

    def _needed(self, state: States) -> tuple[States, ...]:
        """What must be loaded with a state, each after those above it."""
        found = self._needs.get(state)
        if found is None:
            classes = self._get_required_state_classes(state, subclasses=True)
            found = tuple(sorted(classes, key=lambda one: one.get_full_name().count(".")))
            self._needs[state] = found
        return found

    def _together(self, token: BaseStateToken, read: Read) -> list[States]:
        """What is read with a state: what must be, and what has been asked for before."""
        return list(dict.fromkeys([*self._needed(token.cls), *read.usual]))

    @contextlib.asynccontextmanager
    async def _hold(self, token: BaseStateToken, read: Read) -> AsyncIterator[Held]:
        """Take the lock and read; afterwards write, unless that failed, and give it back, whatever happened.

        Raises:
            LockExpiredError: somebody else has it by now, or the session has ended; nothing was written.
        """
        lock, held = self._lock_key(token), Held(token, uuid.uuid4().hex.encode(), read)
        done, reached, said, socket = False, True, HeldBack(), self.told.socket_of(token.ident)
        # Handlers of a team's may tell the page how far they are.
        holds = token.cls.__module__.startswith(_OURS) or token.cls in (OnLoadInternalState, UpdateVarsInternalState)
        async with self._turns.turn(lock, self.lock_expiration / 1000):
            try:
                try:
                    await self._take(lock, held.holder, token, read)
                except (RedisConnectionError, RedisTimeoutError):
                    reached = False
                    raise
                # Whose page is told at once has heard also of what fails.
                held.tells = not holds
                with held_back(holds=holds) as saying:
                    yield held
                said, held.tells = saying, bool(held.changed and (not holds or saying.last or held.untold))
            finally:
                # Another worker, which has the page, would tell what comes next before what is told by way of Redis.
                stays = bool(said) and not self.told.socket_of(token.ident)
                # What was taken of a Redis that cannot be reached any more expires by itself.
                if reached:
                    done = await self._finish(held, stays=stays)
            if held.changed and not done:
                raise LockExpiredError(
                    f"the lock of a session, or all of it, has expired while {token.cls.get_full_name()} was changed"
                )
            try:
                await self.told.say(said, held, socket)
            except Exception:
                # What a page was not told of, it asks for with another socket; what begins with that is not told again.
                if not read.takes_over:
                    await self.renew(token.ident)
                raise
            finally:
                if stays:
                    await self._finish(Held(token, held.holder, held.read))

    async def _finish(self, held: Held, *, stays: bool = False) -> bool:
        """Write and give the lock back, unless it `stays` for now; False: somebody else has it, or the session has ended."""
        token, lock, others = held.token, self._lock_key(held.token), ""
        if held.read.is_new:
            # What is left of a life before is nobody's once this one is there.
            others = "DEL" if held.changed else ""
        elif held.read.life and token.ident not in self._renewed:
            others = "EXPIRE"
        root = token.cls.get_root_state()
        keys: list[Any] = [lock, lock + b":" + held.holder, token._state_key(root), version_key(lock), *held.changed]
        if others:
            states = map(token._state_key, with_substates(root))
            keys += [key for key in states if key not in held.changed]
        seconds = self.token_expiration + self.token_expiration // _RENEWALS
        values: list[Any] = [held.holder, seconds, int(stays) or "", others, held.version, *held.changed.values()]
        before: object = await cast("Any", self.redis.eval(FINISH, len(keys), *keys, *values))
        if done := isinstance(before, bytes):
            held.before = before
        self._notify_next_waiter(lock)
        if done and others:
            held.read.is_new = False
            self._renewed[token.ident] = True
        return done

    async def _take(self, lock: bytes, holder: bytes, token: BaseStateToken, read: Read) -> None:
        """Take the lock and read, together where no other worker has it."""
        states = self._together(token, read)
        keys: list[Any] = [lock, *(token._state_key(one) for one in states)]
        async with place(self._places.room(lock), CROWD):
            values = await cast("Any", self.redis.eval(TAKE, len(keys), *keys, holder, self.lock_expiration))
        if values is not None:
            found = dict(zip(states, values, strict=True))
        else:
            await self._wait_lock(lock, holder)
            found = await self._fetch(token, states)
        read.found = self._alive(read, found)

    async def _try_get_lock(self, lock_key: bytes, lock_id: bytes) -> bool | None:
        """As Reflex does it; whoever has it already, for the answer was lost, has it."""
        return await super()._try_get_lock(lock_key, lock_id) or await self.redis.get(lock_key) == lock_id

    def _ensure_lock_task(self) -> None:
        """Nothing: Reflex has Redis tell each worker of all locks of all."""

    async def _wait_lock(self, lock_key: bytes, lock_id: bytes) -> None:
        """Ask for a lock until it is free, which is next to never another worker's."""
        pause, most = _PAUSES
        async with self._lock_waiter(lock_key) as released:
            while not await self._try_get_lock(lock_key, lock_id):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await released.wait()
                released.clear()
                pause = min(2 * pause, most)

    async def _fetch(self, token: BaseStateToken, states: Sequence[States]) -> dict[States, bytes | None]:
        found = await self.redis.mget([token._state_key(one) for one in states])
        return dict(zip(states, cast("list[bytes | None]", found), strict=True))

    def _alive(self, read: Read, found: dict[States, bytes | None]) -> dict[States, bytes | None]:
        """What was read, without what is of another life of the session.

        Raises:
            LostSessionError: nothing is there, or another release's.
        """
        root = next((one for one in found if one.get_parent_state() is None), None)
        if root is not None:
            data = found[root]
            if data is not None and data.startswith(self._shape):
                read.life = data[:_LIFE_BYTES]
            elif read.begins if data is None else read.takes_over:
                read.life, read.is_new = self._shape + secrets.token_hex(4).encode(), True
            else:
                raise LostSessionError("the session is gone, or goes on at a server of another release")
        return {one: data if data is not None and data.startswith(read.life) else None for one, data in found.items()}

    @cached_property
    def _shape(self) -> bytes:
        """Computed once all states are there."""
        return state_shape()

    def _changed(self, token: BaseStateToken, root: BaseState, read: Read) -> dict[str, bytes]:
        """What an event has set, by its keys. Much is set to what it was: a modal that closes resets every form."""
        touched = {key: read.life + data for key, data in self._collect_state_writes(token, root)}
        if read.found[type(root)] is None:
            # The others are read by its life.
            touched.setdefault(token._state_key(type(root)), read.life + root._serialize())
        if not touched:
            return touched
        before = {token._state_key(one): data for one, data in read.found.items()}
        return {key: data for key, data in touched.items() if data != before.get(key)}

    async def _write_late(self, token: BaseStateToken, root: BaseState, read: Read) -> None:
        """Write what was changed without the lock, which is next to never anything, but for what others have changed meanwhile."""
        changed = self._changed(token, root, read)
        if not changed:
            return
        now = Read(UsualStates(read.found))
        async with self._hold(token, now) as held:
            if now.life != read.life:
                return
            held.untold = True
            others = {token._state_key(one) for one, data in now.found.items() if data != read.found.get(one)}
            held.changed = {key: data for key, data in changed.items() if key not in others}

    def _root(self, token: BaseStateToken, read: Read) -> BaseState:
        """The root of a tree with the token's state in it."""
        first, *below = self._needed(token.cls)
        root = _state_of(first, read.found[first])
        self._reads[root] = read
        self._load(root, below, read)
        return root

    @staticmethod
    def _load(root: BaseState, states: Iterable[States], read: Read) -> None:
        """Put states that were read into the tree; each after those above it."""
        for one in states:
            state, above = _state_of(one, read.found[one]), one.get_parent_state()
            parent = above and loaded(root, above)
            if parent is None:
                raise RuntimeError(f"{one.get_full_name()} was read without the state above it")
            parent.substates[one.get_name()] = state
            object.__setattr__(state, "parent_state", parent)


def read_together(manager: StateManager) -> StateManager:
    """Ours in the place of Reflex's, where states are in Redis."""
    kind: object = manager
    if type(kind) is not StateManagerRedis:
        return manager
    logging.getLogger(base_state_processor.__name__).addFilter(is_failure)
    # Overloads of its base class, conditional on the Python version, look like abstract methods to mypy.
    ours: Any = RedisStates
    found: StateManager = ours(
        redis=kind.redis,
        token_expiration=kind.token_expiration,
        lock_expiration=kind.lock_expiration,
        lock_warning_threshold=kind.lock_warning_threshold,
    )
    return found


def _state_of(kind: States, data: bytes | None) -> BaseState:
    """A state as it was written, or as it begins."""
    if data is None:
        return kind(init_substates=False, _reflex_internal_init=True)
    try:
        return BaseState._deserialize(data=data[_LIFE_BYTES:])
    except StateSchemaMismatchError as error:
        raise UnreadableStateError(f"{kind.get_full_name()} cannot be read") from error


async def _do_nothing(_token: str) -> None: ...
