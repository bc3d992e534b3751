"""Where in the project an error was raised."""

import os
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

from walletmodal.commands.build import sources


@dataclass(frozen=True, slots=True)
class Place:
    """Of an error; line and column begin with 1. `stack`: what of it is the project's."""

    file: str
    line: int
    column: int
    stack: list[traceback.FrameSummary]


def own_files(files: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    """Of names with their files, those whose file is one of the project's."""
    places = tuple(f"{path}{os.sep}" if path.is_dir() else str(path) for path in sources())
    return {name: file for name, file in files if file and file.startswith(places)}


def place_of(error: Exception) -> Place | None:
    """The last line of the project's on the way to an error; None without one."""
    frames = traceback.extract_tb(error.__traceback__)
    own = own_files((str(at), frame.filename) for at, frame in enumerate(frames))
    stack = [frame for at, frame in enumerate(frames) if str(at) in own]
    if isinstance(error, SyntaxError) and error.filename:
        return Place(error.filename, error.lineno or 1, error.offset or 1, stack)
    if not stack:
        return None
    return Place(stack[-1].filename, stack[-1].lineno or 1, (stack[-1].colno or 0) + 1, stack)
