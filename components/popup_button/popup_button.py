"""Reflex wrapper of the pop-up button."""

from __future__ import annotations

from typing import Annotated

import reflex as rx

rx.asset("../popup.ts", shared=True)
_POPUP_BUTTON = rx.asset("popup_button.tsx", shared=True)


class PopupButton(rx.Component):
    """Opens `href` on the click itself, which a browser blocks later; `on_opened` hears whether it did. The page learns nothing of ours.

    Attributes:
        href: the page; without one the button cannot be pressed.
        width, height: of the window, in px.
        on_opened: gets whether the window is there.
    """

    library = _POPUP_BUTTON.importable_path
    tag = "PopupButton"

    href: rx.Var[str]
    width: rx.Var[int]
    height: rx.Var[int]
    on_opened: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(bool)]


popup_button = PopupButton.create
