"""One entry of the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import reflex as rx

Values = Mapping[str, object]


@dataclass(frozen=True)
class Entry:
    """One view in one state.

    Attributes:
        id: in the URL and in the file names of the screenshots.
        stack: the views below and, last, the one that is shown.
        values: what the state classes hold; everything else is as a new session has it.
        data: what the title is made of (`name`, `network`).
        note: what the entry shows that its id does not say.
        photographed: whether it looks the same on every machine; scripts that need the machine's own fonts do not.
        surroundings: whether what lies round the card belongs to the picture.
        lost: whether the view's script does not come.
        preset: the theme in which it is shown.
    """

    id: str
    stack: tuple[str, ...]
    values: Mapping[type[rx.State], Values] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    photographed: bool = True
    surroundings: bool = False
    lost: bool = False
    preset: str = "default"

    @property
    def view(self) -> str:
        """The view that is shown."""
        return self.stack[-1]
