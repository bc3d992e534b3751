"""Where a team's module asks for something, for messages."""

from __future__ import annotations

import inspect
import sys

from walletmodal.ui.own_parts import OWN, Draw, OwnPart, shortened


def part_of(draw: Draw, what: str) -> OwnPart:
    """A function with its file and line, noted among all that was asked for."""
    code = inspect.unwrap(draw).__code__
    part = OwnPart(draw, what, f"{shortened(code.co_filename)}:{code.co_firstlineno}")
    OWN.parts.append(part)
    return part


def caller() -> str:
    """File and line of the call of the public function that calls this."""
    frame = sys._getframe(2)  # noqa: SLF001 - `inspect.stack` reads the sources of all frames
    return f"{shortened(frame.f_code.co_filename)}:{frame.f_lineno}"


def is_same(one: OwnPart, other: OwnPart) -> bool:
    """Whether it is the same function of the same module, which was imported anew."""
    return (one.draw.__module__, one.draw.__qualname__) == (other.draw.__module__, other.draw.__qualname__)
