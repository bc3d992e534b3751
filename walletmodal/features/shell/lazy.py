"""Views that load when they are first shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reflex as rx

from components.shell import LazyView


def lazy_view(view: Callable[[], rx.Component]) -> rx.Component:
    """Renders a prop-less `@rx.memo` view from a chunk of its own, which nobody downloads who never sees it.

    The view must live in a Python module with no view that is needed at once: the module is the chunk.
    """
    target = view()
    cls: Any = type(
        f"Lazy{target.tag}",
        (LazyView,),
        {"library": target.library, "tag": target.tag, "__module__": __name__},
    )
    component: rx.Component = cls.create()
    return component
