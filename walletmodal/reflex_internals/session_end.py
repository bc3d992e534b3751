"""Ending a session before its hour is over.

Why: Reflex only waits for that; anyone could fill a worker's memory with sessions meanwhile.
Test: `test_a_forgotten_session_begins_anew`, `test_a_forgotten_session_leaves_nothing`.
Dropped when: state managers have a public way to remove a session.
"""

from collections.abc import Iterator

from reflex.istate.manager import StateManager
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import BaseState, State


async def forget_session(manager: StateManager, token: str) -> None:
    """Remove the state of a session that nobody speaks for any more. In other stores than memory and Redis its hour ends it."""
    key = BaseStateToken(ident=token, cls=State)
    # What tells the kinds of managers apart looks like one kind to mypy.
    kind: object = manager
    if isinstance(kind, StateManagerRedis):
        await kind.redis.unlink(*(key._state_key(state) for state in _with_substates(State)))  # noqa: SLF001 - no public way
    elif isinstance(kind, StateManagerMemory) and token in kind.states:
        # After what it is still doing.
        async with kind.modify_state(key):
            pass
        kind._purge_token(key)  # noqa: SLF001 - no public way


def _with_substates(state: type[BaseState]) -> Iterator[type[BaseState]]:
    yield state
    for below in state.get_substates():
        yield from _with_substates(below)
