"""Reflex wrapper of the paste button."""

from __future__ import annotations

from typing import Annotated

import reflex as rx

_PASTE_BUTTON = rx.asset("paste_button.tsx", shared=True)


class PasteButton(rx.Component):
    """Gives the clipboard's text to `on_pasted`, cut at `limit`; where the browser keeps it from us, the field gets the focus.

    Attributes:
        field: id of the field where a visitor can paste by hand.
        limit: characters of the text that are handed on.
    """

    library = _PASTE_BUTTON.importable_path
    tag = "PasteButton"

    field: rx.Var[str]
    limit: rx.Var[int]
    on_pasted: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


paste_button = PasteButton.create
