"""The shape of all states of an app: servers with the same shape can read each other's states.

Why: Reflex compares the public variables of one state at a time. Of two releases beside each other a session would be half of what it
was and half new, and a value of another shape would raise only where it is used.
Test: `test_the_frameworks_schema_has_public_variables_alone`, `tests/test_state_shape.py`.
Dropped when: Reflex keeps a session as a whole, or drops it as a whole, by all that it consists of.
"""

from __future__ import annotations

import dataclasses
import hashlib
import typing
from collections.abc import Iterator
from typing import Any, Final

from reflex.state import BaseState, State

from walletmodal.core.version import VERSION
from walletmodal.reflex_internals.substates import with_substates

SHAPE_BYTES: Final = 8


def state_shape(root: type[BaseState] = State) -> bytes:
    """Eight characters, the same wherever VERSION, the states, their variables and what these are made of are the same."""
    lines, seen = [VERSION], set[object]()
    for state in with_substates(root):
        fields: dict[str, Any] = state.__fields__
        for name, field in fields.items():
            lines.append(f"{state.get_full_name()}.{name}: {field.outer_type_!r}")
            lines += parts_of(field.outer_type_, seen)
        lines += (f"{state.get_full_name()}.{name}()" for name in state.event_handlers)
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:SHAPE_BYTES].encode()


def parts_of(kind: Any, seen: set[object]) -> Iterator[str]:
    """Lines about the classes that a type is made of, and about their fields'."""
    for argument in typing.get_args(kind):
        yield from parts_of(argument, seen)
    if not isinstance(kind, type) or kind in seen or kind.__module__ == "builtins":
        return
    seen.add(kind)
    if not (dataclasses.is_dataclass(kind) or hasattr(kind, "__annotations__")):
        return
    try:
        fields = typing.get_type_hints(kind)
    except (NameError, TypeError):
        # Of what is imported for the type checker alone there is only the text.
        fields = dict(getattr(kind, "__annotations__", {}))
    for name, one in fields.items():
        yield f"{kind.__module__}.{kind.__qualname__}.{name}: {one!r}"
        yield from parts_of(one, seen)
