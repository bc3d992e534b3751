"""A choice of one among a few."""

from __future__ import annotations

from typing import Any

import reflex as rx


def option(name: Any, detail: Any, *, chosen: Any, **props: Any) -> rx.Component:
    """One of them.

    Args:
        name: what it is.
        detail: what it comes to.
        chosen: whether it is the one that is chosen.
        props: of its button.
    """
    return rx.el.button(
        rx.el.span(name),
        rx.el.span(detail, class_name="wm-text"),
        type="button",
        role="radio",
        aria_checked=rx.cond(chosen, "true", "false"),
        class_name="wm-option",
        **props,
    )


def options(each: rx.Component, **props: Any) -> rx.Component:
    """All of them: `each` of `option`, with the names of the group in `props`."""
    return rx.el.div(each, role="radiogroup", class_name="wm-options", **props)
