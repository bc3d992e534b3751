"""Reflex wrapper of the copy button."""

from __future__ import annotations

from typing import Annotated

import reflex as rx

_COPY_BUTTON = rx.asset("copy_button.tsx", shared=True)


class CopyButton(rx.Component):
    """Puts `text` on the clipboard on the click itself; `on_copied` hears whether the browser allowed it."""

    library = _COPY_BUTTON.importable_path
    tag = "CopyButton"

    text: rx.Var[str]
    title: rx.Var[str]
    on_copied: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(bool)]


copy_button = CopyButton.create
