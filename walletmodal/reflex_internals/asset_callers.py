"""A quick way for `rx.asset(…, shared=True)` to know who calls it.

Reflex asks `inspect.stack()`, which looks up the source text of every frame down to the start of the program: three quarters of the
application's start went into that.

Why: as above.
Test: `test_sharing_an_asset_reads_the_source_of_no_caller`, `test_assets_ask_our_callers_and_hear_what_inspect_says`.
Dropped when: `rx.asset` asks for its caller's file name alone.
"""

from __future__ import annotations

import sys
from types import FrameType, ModuleType
from typing import NamedTuple

from reflex import assets


class Caller(NamedTuple):
    """As much of an `inspect.FrameInfo` as Reflex reads."""

    frame: FrameType
    filename: str


class Callers:
    """What Reflex's assets use of the module `inspect`."""

    @staticmethod
    def stack() -> list[Caller]:
        """The frames from whoever asks down to the start of the program."""
        frame: FrameType | None = sys._getframe(1)
        found = []
        while frame is not None:
            found.append(Caller(frame, frame.f_code.co_filename))
            frame = frame.f_back
        return found

    @staticmethod
    def getmodule(frame: FrameType) -> ModuleType | None:
        """The module that the frame's code is of."""
        return sys.modules.get(frame.f_globals["__name__"])


def quicken_assets() -> None:
    """Let Reflex's assets ask here."""
    vars(assets)["inspect"] = Callers
