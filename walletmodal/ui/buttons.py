"""Buttons and links."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from walletmodal.core.language import _
from walletmodal.ui.feedback import spinner

ButtonVariant = Literal["main", "inverse", "accent", "accent-error", "accent-success", "neutral"]


def _either(*conditions: bool | rx.Var[bool]) -> bool | rx.Var[bool]:
    if any(condition is True for condition in conditions):
        return True
    found: bool | rx.Var[bool] = False
    for condition in conditions:
        if isinstance(condition, rx.Var):
            found = condition if found is False else (rx.Var.create(found) | condition).to(bool)
    return found


def button(
    label: str | rx.Var[str],
    *,
    variant: ButtonVariant = "main",
    size: Literal["md", "lg"] = "md",
    icon: rx.Component | None = None,
    icon_end: rx.Component | None = None,
    loading: bool | rx.Var[bool] = False,
    disabled: bool | rx.Var[bool] = False,
    wide: bool = False,
    **props: Any,
) -> rx.Component:
    """A button with a label.

    Args:
        label: what it does.
        variant: how much it asks for attention.
        size: 36 or 48 px high.
        icon: a glyph before the label.
        icon_end: a glyph after it.
        loading: a spinner takes the label's place, the width and the name stay, and it cannot be pressed.
        disabled: it cannot be pressed.
        wide: as wide as its container.
        props: handed on to the element, such as `on_click` and `data_testid`.
    """
    waits = rx.Var.create(loading)
    return rx.el.button(
        icon or rx.fragment(),
        rx.el.span(label, class_name="wm-button-label"),
        icon_end or rx.fragment(),
        rx.cond(waits, spinner(), rx.fragment()),
        type="button",
        class_name="wm-button",
        data_variant=variant,
        data_size=size,
        data_wide=str(wide).lower(),
        data_loading=waits.to_string(),
        **({} if loading is False else {"aria_busy": waits.to_string()}),
        disabled=_either(loading, disabled),
        **props,
    )


def button_link(
    label: str,
    href: str | rx.Var[str],
    *,
    variant: ButtonVariant = "neutral",
    icon: rx.Component | None = None,
    **props: Any,
) -> rx.Component:
    """A page elsewhere that looks like a button; it opens in a new tab, which learns nothing of ours."""
    return rx.el.a(
        icon or rx.fragment(),
        rx.el.span(label, class_name="wm-button-label"),
        rx.icon("external-link", size=14, aria_hidden="true"),
        rx.el.span(" ", _("(opens in a new tab)"), class_name="wm-hidden"),
        href=href,
        target="_blank",
        rel="noopener noreferrer",
        class_name="wm-button",
        data_variant=variant,
        **props,
    )


def icon_button(icon: rx.Component, label: str, *, class_name: str = "", **props: Any) -> rx.Component:
    """A button that is only a glyph; `label` names it for those who cannot see it."""
    return rx.el.button(
        icon,
        type="button",
        aria_label=label,
        title=label,
        class_name=f"wm-icon-button {class_name}".strip(),
        **props,
    )


def link(label: str, *, icon: rx.Component | None = None, **props: Any) -> rx.Component:
    """Text that leads to another view."""
    return rx.el.button(icon or rx.fragment(), label, type="button", class_name="wm-link", **props)


def text_link(label: str, href: rx.Var[str]) -> rx.Component:
    """A page elsewhere, within a sentence; it opens in a new tab, which learns nothing of ours."""
    return rx.el.a(
        label,
        rx.el.span(" ", _("(opens in a new tab)"), class_name="wm-hidden"),
        href=href,
        target="_blank",
        rel="noopener noreferrer",
        class_name="wm-text-link",
    )
