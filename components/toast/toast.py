"""Reflex wrapper of the snackbar."""

from __future__ import annotations

from typing import Annotated

import reflex as rx

from walletmodal.components.motion import FRAMER_MOTION

for _later in ("snackbar.css", "snackbar.tsx"):
    rx.asset(_later, shared=True)
_TOAST = rx.asset("toast.tsx", shared=True)


class Toast(rx.Component):
    """Shows `message` while it is not empty; a new `serial` replaces what is shown after 150 ms."""

    library = _TOAST.importable_path
    tag = "Toast"
    lib_dependencies: list[str] = FRAMER_MOTION

    serial: rx.Var[int]
    message: rx.Var[str]
    variant: rx.Var[str]
    auto_close: rx.Var[bool]
    on_dismissed: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int)]


toast = Toast.create
