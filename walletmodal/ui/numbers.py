"""Numbers that shrink to fit: shown whole in whatever room they have."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

_LONG: Final = 18
"""What has more characters goes on below where it has no room in its smallest size."""


def number(
    *content: rx.Component | rx.Var[str] | str, text: rx.Var[str], class_name: str = "", **props: Any
) -> rx.Component:
    """A number that gets smaller where it would not fit, and is never cut.

    Args:
        content: what is shown.
        text: how it reads, which says how long it is.
        class_name: what else it is.
        props: handed on to the element.
    """
    return rx.el.span(
        *content,
        class_name=f"wm-number {class_name}".strip(),
        style=number_length(text),
        data_long=(text.to(str).length() > _LONG).to_string(),
        **props,
    )


def number_length(text: rx.Var[str]) -> dict[str, Any]:
    """The style that tells the style sheet how long a number is."""
    return {"--wm-length": text.to(str).length()}
