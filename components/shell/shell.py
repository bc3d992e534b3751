"""Reflex wrappers of the modal's frame. Leaves: their children stay inline, so a leaving view keeps what it showed."""

from __future__ import annotations

from typing import Annotated

import reflex as rx
from reflex_base.components.component import MemoizationLeaf

for _sibling in ("motion_features.js", "shell.css"):
    rx.asset(_sibling, shared=True)
_SHELL = rx.asset("shell.tsx", shared=True)
_VIEWS = rx.asset("views.tsx", shared=True)

_MOTION = ["framer-motion@14.14.0"]


class Shell(MemoizationLeaf):
    """Overlay and card: shown while `open`, shaking when `shakes` rises, closing at once on the client."""

    library = _SHELL.importable_path
    tag = "Shell"
    lib_dependencies: list[str] = _MOTION

    open: rx.Var[bool]
    embedded: rx.Var[bool]
    refuse_close: rx.Var[bool]
    shakes: rx.Var[int]
    on_close: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


class ViewPresence(MemoizationLeaf):
    """The body: the old view leaves while the new one comes, and the height follows."""

    library = _VIEWS.importable_path
    tag = "ViewPresence"
    lib_dependencies: list[str] = _MOTION

    view_key: rx.Var[str]
    direction: rx.Var[int]


class HeaderTitle(MemoizationLeaf):
    """The title, exchanged within 120 ms."""

    library = _VIEWS.importable_path
    tag = "HeaderTitle"
    lib_dependencies: list[str] = _MOTION

    text: rx.Var[str]
    name: rx.Var[str]
    direction: rx.Var[int]


shell = Shell.create
view_presence = ViewPresence.create
header_title = HeaderTitle.create
