"""What draws a view of the modal, and when its script comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import reflex as rx

from walletmodal.core.protocol.views import VIEWS
from walletmodal.features.shell.lazy import lazy_view
from walletmodal.ui.own_parts import CONTENT, OWN, around, memo


@dataclass(frozen=True, slots=True)
class Drawn:
    """Component of a view, and when its script loads.

    Attributes:
        view: a prop-less `@rx.memo`.
        lazy: whether its script comes when it is first shown, or ahead; False: with the page.
        occasion: what the script comes ahead for, as `lazy_view` has it.
        skeleton: heights (px) of what stands in its place until then.
    """

    view: Callable[[], rx.Component]
    lazy: bool = True
    occasion: Literal["", "account", "pairing"] = ""
    skeleton: Sequence[int | str] | rx.Var[list[int | str]] = ()

    def component(self) -> rx.Component:
        """The component that goes into the body."""
        return lazy_view(self.view, occasion=self.occasion, skeleton=self.skeleton) if self.lazy else self.view()


def with_own(name: str, ours: Drawn) -> Drawn:
    """A view with what a team has put in its place, before it and after it; all of that comes in one script."""
    part = OWN.replaced.get(name)
    if part is None and not any((name, CONTENT, side) in OWN.around for side in ("before", "after")):
        return ours

    def whole() -> rx.Component:
        middle = ours.view() if part is None else part.component(f"{name}_own", ours=lazy_view(ours.view))
        return rx.fragment(*around(name, CONTENT, middle))

    return replace(ours, view=memo(f"{name}_whole", whole), skeleton=() if part else ours.skeleton)


def own_views(*, needs_account: bool) -> dict[str, Drawn]:
    """The views that a team has added, each in a script of its own: those that need an account, or the others."""

    def drawn(name: str) -> Drawn:
        part = OWN.views[name]
        return Drawn(memo(name, lambda: part.component(f"{name}_own")))

    return {name: drawn(name) for name in OWN.views if VIEWS[name].needs_account is needs_account}


def body_of(view: str | rx.Var[str], views: Mapping[str, Drawn], *, other: rx.Component | None = None) -> rx.Component:
    """Renders a view of a table.

    Args:
        view: its name.
        views: the table.
        other: what stands in the place of one that is not in it; nothing without it.
    """
    shown = ((name, with_own(name, drawn).component()) for name, drawn in views.items())
    return rx.match(view, *shown, other or rx.fragment())
