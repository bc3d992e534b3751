"""Status elements: tags, skeletons, spinners, outlines that go round a picture."""

from __future__ import annotations

from typing import Literal

import reflex as rx

_HEXAGON = (
    "M44.27 9.75Q60 1 75.73 9.75L97.27 21.75Q113 30.5 113 48.5L113 71.5Q113 89.5 97.27 98.25L75.73 110.25"
    "Q60 119 44.27 110.25L22.73 98.25Q7 89.5 7 71.5L7 48.5Q7 30.5 22.73 21.75Z"
)


def tag(text: str | rx.Var[str], tone: Literal["main", "shade", "success", "error"] = "shade") -> rx.Component:
    """Tag: a word in small capitals at the end of a row."""
    return rx.el.span(text, class_name="wm-tag", data_tone=tone)


def separator(text: str = "") -> rx.Component:
    """Separator: a hairline, with a word in its middle if there is one."""
    return rx.el.div(text, class_name="wm-separator", data_testid="wui-separator")


def spinner() -> rx.Component:
    """Spinner: a ring that turns. It says nothing to a screen reader: the text beside it does."""
    return rx.el.svg(
        rx.el.svg.circle(cx="12", cy="12", r="9"),
        view_box="0 0 24 24",
        class_name="wm-spinner",
        aria_hidden="true",
    )


def shimmer(width: str, height: str, radius: str = "") -> rx.Component:
    """Placeholder in the size of what will take its place."""
    style = {"width": width, "height": height, **({"borderRadius": radius} if radius else {})}
    return rx.el.span(class_name="wm-shimmer", style=style, aria_hidden="true")


def outlined(
    picture: rx.Component,
    *,
    running: rx.Var[bool],
    failed: rx.Var[bool],
    shape: Literal["square", "hexagon"] = "square",
) -> rx.Component:
    """Large picture with an outline that goes round while something runs, and a badge and a shake when it failed."""
    track = (
        rx.el.svg.rect(x="2", y="2", width="106", height="106", path_length=100)
        if shape == "square"
        else rx.el.svg.path(d=_HEXAGON, path_length=100)
    )
    side = "110" if shape == "square" else "120"
    return rx.el.div(
        picture,
        rx.cond(
            running,
            rx.el.svg(track, view_box=f"0 0 {side} {side}", class_name="wm-outline", aria_hidden="true"),
            rx.fragment(),
        ),
        rx.cond(
            failed,
            rx.el.span(rx.icon("x", size=14), class_name="wm-badge", aria_hidden="true"),
            rx.fragment(),
        ),
        class_name="wm-outlined",
        data_shape=shape,
        data_failed=failed.to_string(),
    )
