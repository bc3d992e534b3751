"""Numbers that are shown whole in whatever room they have."""

from __future__ import annotations

from typing import Any

import reflex as rx


def number(
    *content: rx.Component | rx.Var[str] | str, text: rx.Var[str], class_name: str = "", **props: Any
) -> rx.Component:
    """A number that gets smaller where it would not fit, and is not cut.

    Args:
        content: what is shown.
        text: how it reads, which says how long it is.
        class_name: what else it is.
        props: handed on to the element.
    """
    return rx.el.span(*content, class_name=f"wm-number {class_name}".strip(), style=number_length(text), **props)


def number_length(text: rx.Var[str]) -> dict[str, Any]:
    """The style that tells the style sheet how long a number is."""
    return {"--wm-length": text.to(str).length()}
