"""Ending a session before its hour is over.

Why: Reflex only waits for that; anyone could fill a worker's memory with sessions meanwhile.
Test: `test_a_forgotten_session_begins_anew_and_leaves_nothing`, `tests/test_framework_sessions.py`.
Dropped when: state managers have a public way to remove a session.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar, cast

from redis.asyncio import Redis
from reflex.istate.manager import StateManager
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from walletmodal.reflex_internals.redis_scripts import FORGET
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.returning_pages import version_key
from walletmodal.reflex_internals.substates import loaded_substate, with_substates

_SCANNED: Final = 1000
T_STATE = TypeVar("T_STATE", bound=State)
Manager = StateManager
"""What keeps the states of sessions."""
Judge = Callable[[str], Awaitable[bool]]
"""Whether something is so of the session of a token."""


async def forget_session(manager: StateManager, token: str, *, is_wanted: Judge, is_known: Judge) -> bool:
    """Remove the state of a session, after what it is still doing. In other stores than memory and Redis its hour ends it.

    Args:
        manager: of states.
        token: of the session.
        is_wanted: whether somebody speaks for it; it stays then.
        is_known: whether it stays although nobody does; raises no `LockExpiredError`.

    Returns:
        Whether it stays for that.

    Raises:
        TimeoutError, RedisError, OSError: Redis did not do it in time.
    """
    key: Any = BaseStateToken(ident=token, cls=State)
    # What tells the kinds of managers apart looks like one kind to mypy.
    kind: Any = manager
    if isinstance(kind, StateManagerRedis):
        key = kind._coerce_token(key)
        # Reflex gives back whoever's lock it is by then.
        async with kind._lock(key) as holder, asyncio.timeout(kind.lock_expiration / 1000 / 2):
            known = await is_known(token)
            if await is_wanted(token):
                return False
            if not known:
                lock = kind._lock_key(key)
                states = [key._state_key(state) for state in with_substates(State)]
                keys = [lock, version_key(lock), *states]
                await cast("Any", kind.redis.eval(FORGET, len(keys), *keys, holder))
            return known
    if not isinstance(kind, StateManagerMemory) or token not in kind.states:
        return False
    async with kind.modify_state(key):
        pass
    known = await is_known(token)
    if await is_wanted(token):
        return False
    if not known:
        kind._purge_token(key)
    return known


async def state_as_kept(manager: StateManager, token: str, wanted: type[T_STATE]) -> T_STATE:
    """A state of the session of a token, to look at; as it begins where there is none.

    Raises:
        LostSessionError: the session is another release's, or cannot be read.
    """
    # As above.
    kind: Any = manager
    if isinstance(kind, RedisStates):
        return cast("T_STATE", await kind.look_at(token, wanted))
    root = await kind.get_state(BaseStateToken(ident=token, cls=wanted))
    return cast("T_STATE", loaded_substate(root, wanted))


async def forget_sessions_with(redis: Redis, text: str) -> int:
    """Removes the sessions in Redis that have a text anywhere, whatever its case; returns how many.

    One that is running writes nothing more: it saves what it has done only while it holds its lock, which goes too.
    """
    root, wanted, found = f"_{State.get_full_name()}".encode(), text.lower().encode(), set[bytes]()
    async for key in redis.scan_iter(b"*" + root + b"*", count=_SCANNED):
        held = await redis.get(key)
        if held is not None and wanted in held.lower():
            # A browser may say any token, also one with the name of a state in it, or one that other keys begin with.
            found.add(key.rpartition(root)[0])
    for session in found:
        escaped = b"".join(b"\\" + bytes([one]) if one in b"\\*?[]" else bytes([one]) for one in session)
        state, lock = session + root, session + b"_lock"
        its = (state + b".", lock + b":")
        keys = [key async for key in redis.scan_iter(escaped + b"_*", count=_SCANNED) if key.startswith(its)]
        # The lock first, and also where it was taken after the look: who has it would save what it has read.
        await redis.unlink(lock, state, *keys)
    return len(found)
