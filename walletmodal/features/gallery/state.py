"""Fills the state classes of one visitor's session with an entry's sample data, and holds the theme that is being edited."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.errors import ThemeError
from walletmodal.core.theming.presets import PRESETS
from walletmodal.features.gallery.entries import BY_ID, ENTRIES, Entry
from walletmodal.features.gallery.theme_draft import FIELDS, MAX_TEXT, draft_css, draft_shown, draft_theme, draft_values
from walletmodal.features.shell.state import ShellState

_FILLED: Final[tuple[type[rx.State], ...]] = tuple(
    dict.fromkeys((ShellState, *(cls for entry in ENTRIES for cls in entry.values)))
)
"""The states that any entry fills: they are put back before the next one."""
EDITED: Final = "account-full"
"""What the editor shows first."""


class GalleryState(rx.State):
    """The gallery entry on screen. Does nothing where the deployment has no gallery: sample data would pass for real."""

    entry: str = ""
    theme: str = "dark"
    shown: dict[str, Any] = {}
    """`page`, which is `index`, `entry`, `lost` or `editor`; the theme's `css`; in the editor what it shows of the theme."""

    @rx.event
    async def show(self) -> None:
        """Page load: `?entry=<id>&theme=dark|light`, or `?edit=<preset>`; without an entry that exists, the index."""
        if not settings().walletmodal_gallery:
            return
        asked = self.router.url.query_parameters
        self.theme = "light" if asked.get("theme") == "light" else "dark"
        edited = "edit" in asked
        entry = BY_ID.get(EDITED if edited else asked.get("entry", ""))
        if entry is None:
            self.shown, self.entry = {"page": "index"}, ""
            return
        await self._fill(entry)
        if edited:
            self.start_from(asked["edit"])
        else:
            self.shown = {"page": "lost" if entry.lost else "entry", "css": draft_css(PRESETS[entry.preset])}
        self.entry = entry.id

    @rx.event
    def start_from(self, preset: str) -> None:
        """Begins with another preset."""
        if not settings().walletmodal_gallery:
            return
        name = preset if str(preset) in PRESETS else "default"
        self.shown = {
            **draft_shown(PRESETS[name]),
            "page": "editor",
            "preset": name,
            "values": draft_values(PRESETS[name]),
            "problem": "",
            "serial": self.shown.get("serial", 0) + 1,
        }

    @rx.event
    def edit(self, name: str, value: str) -> None:
        """Takes what was written into a field of the editor; a theme that cannot be used leaves the last one on screen."""
        text = str(value).strip()
        if not settings().walletmodal_gallery or str(name) not in FIELDS or len(text) > MAX_TEXT:
            return
        values = {**self.shown.get("values", draft_values(PRESETS["default"])), name: text}
        self.shown = {**self.shown, "values": values, "problem": ""}
        try:
            self.shown |= draft_shown(draft_theme(values))
        except ThemeError as error:
            self.shown |= {"problem": error.short_message}

    @rx.event
    def turn(self, theme: str) -> None:
        """Shows the dark or the light mode."""
        self.theme = "light" if theme == "light" else "dark"

    @rx.event
    async def look_at(self, entry: str) -> None:
        """Shows another entry in the theme that is edited."""
        found = BY_ID.get(str(entry))
        if settings().walletmodal_gallery and found is not None:
            await self._fill(found)
            self.entry = found.id

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
