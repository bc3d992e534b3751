"""Which states an event asks for, as those before it of its name did, or for a block of a background event, those of its class.

Why: Reflex asks Redis for each of them by itself.
Test: `test_each_state_that_a_handler_asks_for_is_read_by_itself`, `tests/test_redis_states.py`.
Dropped when: `redis_states` is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from reflex.state import BaseState

UNASKED: Final = 16
"""Events in a row that have not asked for a state, until it is no longer read with them: one more round trip costs as much as reading it so often."""


class UsualStates:
    """The states that are read with an event's own. `states`: with which it begins."""

    def __init__(self, states: Iterable[type[BaseState]] = ()) -> None:
        self._unasked: dict[type[BaseState], int] = dict.fromkeys(states, 0)

    def __iter__(self) -> Iterator[type[BaseState]]:
        return iter(self._unasked)

    def add(self, asked: Iterable[type[BaseState]]) -> None:
        """An event has asked for these."""
        self._unasked.update(dict.fromkeys(asked, 0))

    def note_loaded(self, root: BaseState) -> None:
        """An event is over; `root`: of the tree with all that it has asked for."""
        for state, times in [*self._unasked.items()]:
            if loaded(root, state) is not None:
                self._unasked[state] = 0
            elif times + 1 < UNASKED:
                self._unasked[state] = times + 1
            else:
                del self._unasked[state]


def loaded(root: BaseState, wanted: type[BaseState]) -> BaseState | None:
    """A state of the tree, where it is loaded."""
    found: BaseState | None = root
    for name in wanted.get_full_name().split(".")[1:]:
        found = found and found.substates.get(name)
    return found
