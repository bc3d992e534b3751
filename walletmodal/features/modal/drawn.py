"""What draws a view of the modal, and when its script comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import reflex as rx

from walletmodal.features.shell.lazy import lazy_view


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


def body_of(view: str | rx.Var[str], views: Mapping[str, Drawn], *, other: rx.Component | None = None) -> rx.Component:
    """Renders a view of a table.

    Args:
        view: its name.
        views: the table.
        other: what stands in the place of one that is not in it; nothing without it.
    """
    return rx.match(view, *((name, drawn.component()) for name, drawn in views.items()), other or rx.fragment())
