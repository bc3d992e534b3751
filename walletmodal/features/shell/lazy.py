"""Views that load when they are first shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import reflex as rx

from walletmodal.components.shell import LazyView


def lazy_view(
    view: Callable[..., rx.Component],
    *,
    occasion: Literal["", "account", "pairing"] = "",
    skeleton: Sequence[int | str] | rx.Var[list[int | str]] = (),
    **props: rx.Var[Any],
) -> rx.Component:
    """Renders an `@rx.memo` view from a chunk of its own.

    The view must live in a Python module with no view that is needed at once: the module is the chunk.

    Args:
        view: the view.
        occasion: the chunk comes as soon as an account is connected, or a row that leads to a pairing is pointed at, not when the modal
            has been looked at for a second.
        skeleton: heights (px, or as CSS has them) of what stands in its place until the chunk has come; without any, a spinner.
        props: of the view.
    """
    target = view(**props)
    cls: Any = type(
        f"Lazy{target.tag}",
        (LazyView,),
        {
            "library": target.library,
            "tag": target.tag,
            "__module__": __name__,
            "occasion": occasion,
            "__annotations__": dict.fromkeys(props, rx.Var[Any]),
        },
    )
    place = skeleton if isinstance(skeleton, rx.Var) else list(skeleton)
    component: rx.Component = cls.create(**props, **({"skeleton": place} if isinstance(place, rx.Var) or place else {}))
    return component
