"""What an event has of its session in Redis, for `redis_states`.

Why: as there.
Test: `test_each_state_that_a_handler_asks_for_is_read_by_itself`, `tests/test_redis_states.py`.
Dropped when: `redis_states` is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from reflex.istate.manager.token import BaseStateToken
from reflex.state import BaseState

from walletmodal.reflex_internals.usual_states import UsualStates

_VERSION_BYTES: Final = 12


class Read:
    """What has been read of a visitor's states, and where it is noted what was missing.

    `begins`: whether a session that is not there begins. `takes_over`: whether one of another release does.
    """

    __slots__ = ("begins", "found", "is_new", "life", "takes_over", "usual")

    def __init__(self, usual: UsualStates, *, begins: bool = False, takes_over: bool = False) -> None:
        self.usual, self.begins, self.takes_over = usual, begins, takes_over
        self.life, self.is_new = b"", False
        self.found: dict[type[BaseState], bytes | None] = {}


@dataclass(slots=True)
class Held:
    """The lock of a token's session, and what is to be written when it is given back: states by their keys.

    `tells`: whether the page is told of a change. `untold`: whether there is one that it should have been told of. `before`: the session's version until then. `loaded`: whether the page has loaded.
    """

    token: BaseStateToken
    holder: bytes
    read: Read
    changed: dict[str, bytes] = field(default_factory=dict)
    tells: bool = False
    untold: bool = False
    before: bytes = b""
    loaded: bool = False

    @property
    def version(self) -> bytes:
        """Of the session from now on; empty where the page is told of no change."""
        return self.holder[:_VERSION_BYTES] if self.tells else b""
