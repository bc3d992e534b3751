"""Fills the state classes of one visitor's session with an entry's sample data."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.config import settings
from walletmodal.features.gallery.entries import BY_ID, ENTRIES, Entry
from walletmodal.features.shell.state import ShellState

_FILLED: Final[tuple[type[rx.State], ...]] = tuple(
    dict.fromkeys((ShellState, *(cls for entry in ENTRIES for cls in entry.values)))
)
"""The states that any entry fills: they are put back before the next one."""


class GalleryState(rx.State):
    """The gallery entry on screen. Does nothing where the deployment has no gallery: sample data would pass for real."""

    entry: str = ""
    theme: str = "dark"
    lost: bool = False
    asked: bool = False

    @rx.event
    async def show(self) -> None:
        """Page load: `?entry=<id>&theme=dark|light`; without an entry that exists, the index."""
        if not settings().walletmodal_gallery:
            return
        asked = self.router.url.query_parameters
        self.theme = "light" if asked.get("theme") == "light" else "dark"
        entry = BY_ID.get(asked.get("entry", ""))
        if entry is not None:
            await self._fill(entry)
        self.lost = entry is not None and entry.lost
        self.entry = entry.id if entry is not None else ""
        self.asked = True

    async def _fill(self, entry: Entry) -> None:
        for cls in _FILLED:
            state: Any = await self.get_state(cls)
            state.reset()
            for name, value in entry.values.get(cls, {}).items():
                setattr(state, name, value)
        shell = await self.get_state(ShellState)
        shell.connected = bool({"Account", "Transactions"} & set(entry.stack))
        shell._reset(entry.stack[0], **entry.data)
        for view in entry.stack[1:]:
            shell._push(view, **entry.data)
        shell.open = True
