"""Reflex wrappers of the modal's frame. Leaves: their children stay inline, so a leaving view keeps what it showed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import reflex as rx

from walletmodal.components.motion import FRAMER_MOTION
from walletmodal.reflex_internals.components import LoadedComponent, MemoizationLeaf

for _sibling in (
    "ahead.ts",
    "drag.ts",
    "focus_return.ts",
    "forced_colors.css",
    "moving.tsx",
    "presence.tsx",
    "shell.css",
):
    rx.asset(_sibling, shared=True)
_SHELL = rx.asset("shell.tsx", shared=True)
_VIEWS = rx.asset("views.tsx", shared=True)
_CROSS_FADE = rx.asset("cross_fade.tsx", shared=True)
_LAZY = rx.asset("lazy.tsx", shared=True)


class Shell(MemoizationLeaf):
    """Overlay and card: shown while `open`, shaking when `shakes` rises, closing at once on the client.

    Scripts of views are loaded ahead: those of the account once one is `connected`, the others while the modal is looked at.
    """

    library = _SHELL.importable_path
    tag = "Shell"
    lib_dependencies: list[str] = FRAMER_MOTION

    open: rx.Var[bool]
    embedded: rx.Var[bool]
    refuse_close: rx.Var[bool]
    shakes: rx.Var[int]
    connected: rx.Var[bool]
    on_close: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


class ViewPresence(MemoizationLeaf):
    """The body: the old view leaves while the new one comes, and the height follows."""

    library = _VIEWS.importable_path
    tag = "ViewPresence"
    lib_dependencies: list[str] = FRAMER_MOTION

    view_key: rx.Var[str]
    direction: rx.Var[int]


class LazyView(LoadedComponent):
    """A component whose module comes when it is first shown, or ahead, with what is seen until then and when it does not come.

    Attributes:
        occasion: what its module comes ahead for: an account once it is connected, a pairing when a row that leads to one is pointed at.
        skeleton: heights (px, or as CSS has them) of the parts that stand in its place until it comes, in its final height; a spinner without any.
    """

    loader = (_LAZY.importable_path, "lazyView")
    occasion: ClassVar[Literal["", "account", "pairing"]] = ""

    skeleton: rx.Var[list[int | str]]

    def arguments(self) -> list[str]:
        """The component's name, and the occasion."""
        return [f"'{text}'" for text in (self.tag, self.occasion) if text]


class HeaderTitle(MemoizationLeaf):
    """The title; a new one takes the place of the old one at once, and moves in within 120 ms."""

    library = _VIEWS.importable_path
    tag = "HeaderTitle"

    text: rx.Var[str]
    name: rx.Var[str]
    direction: rx.Var[int]


class CrossFade(MemoizationLeaf):
    """Its children, shown under their `name`: those of another fade out first, and without a name there are none.

    `milliseconds`: for each of the two. `scale`: the size at which they come and to which they go.
    """

    library = _CROSS_FADE.importable_path
    tag = "CrossFade"
    lib_dependencies: list[str] = FRAMER_MOTION

    name: rx.Var[str]
    milliseconds: rx.Var[int]
    scale: rx.Var[float]


shell = Shell.create
view_presence = ViewPresence.create
header_title = HeaderTitle.create
cross_fade = CrossFade.create
