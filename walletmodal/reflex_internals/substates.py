"""States of the same visitor: reaching another one at the least cost, all of them, and parting with them.

Why: `get_state` walks along the names of the path, which costs five times as much, and much of this runs after every click.
Test: `test_a_state_that_is_loaded_is_found_below_the_root`.
Dropped when: `get_state` costs no more for a state that is loaded already.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

import reflex as rx
from reflex.state import BaseState

T_STATE = TypeVar("T_STATE", bound=rx.State)
_PARTED: Final = "_walletmodal_parted"


def loaded_substate(state: rx.State, wanted: type[T_STATE]) -> T_STATE | None:
    """What `get_state` has loaded already, where no handler can wait for it.

    Raises:
        RuntimeError: the event that has used this state is over, or goes on without the lock.
    """
    above = state.parent_state or state
    found = above.substates.get(wanted.get_name())
    if found is None and _PARTED in vars(above):
        raise RuntimeError(f"{wanted.__name__} is asked for through a state that an event no longer holds")
    return found if isinstance(found, wanted) else None


async def get_substate(state: rx.State, wanted: type[T_STATE]) -> T_STATE:
    """What `get_state` gives."""
    found = loaded_substate(state, wanted)
    return await state.get_state(wanted) if found is None else found


def with_substates(state: type[BaseState]) -> Iterator[type[BaseState]]:
    """A state class and all below it."""
    yield state
    for below in state.get_substates():
        yield from with_substates(below)


def forget_below(state: BaseState) -> None:
    """Has no state of a tree that has been used know those below it any more, while each still knows the one above.

    States that know each other are freed by garbage collection alone, which looks through all that a worker has of thousands of pages.
    """
    below = [*state.substates.values()]
    state.substates.clear()
    object.__setattr__(state, _PARTED, True)
    for one in below:
        forget_below(one)
