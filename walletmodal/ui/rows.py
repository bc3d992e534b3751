"""Rows of lists."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from walletmodal.ui.feedback import shimmer, spinner
from walletmodal.ui.images import icon_box, network_image, wallet_image


def wallet_row(name: rx.Var[str], icon: rx.Var[str], *, end: rx.Component | None = None, **props: Any) -> rx.Component:
    """A wallet to choose: 40 px icon, name, then a tag or whatever stands at the end."""
    return rx.el.button(
        wallet_image(icon),
        rx.el.span(name, class_name="wm-row-label"),
        end or rx.fragment(),
        type="button",
        class_name="wm-row",
        **props,
    )


def network_row(name: rx.Var[str], image: rx.Var[str], *, active: rx.Var[bool], **props: Any) -> rx.Component:
    """A network to choose; the active one has a check mark, and pressing it does nothing."""
    return rx.el.button(
        network_image(image),
        rx.el.span(name, class_name="wm-row-label"),
        rx.cond(active, rx.icon("check", size=18, class_name="wm-row-check", aria_hidden="true"), rx.fragment()),
        type="button",
        aria_current=rx.cond(active, "true", "false"),
        class_name="wm-row",
        data_plain="true",
        **props,
    )


def list_item(
    label: str,
    icon: rx.Component,
    *,
    tone: Literal["neutral", "accent"] = "accent",
    loading: bool | rx.Var[bool] = False,
    chevron: bool = True,
    quiet: bool = False,
    **props: Any,
) -> rx.Component:
    """An action of a list: glyph in a tinted circle, label, chevron; a spinner and no pressing while it works."""
    waits = rx.Var.create(loading)
    end = (
        rx.icon("chevron-right", size=16, class_name="wm-row-chevron", aria_hidden="true") if chevron else rx.fragment()
    )
    return rx.el.button(
        icon_box(icon, tone=tone),
        rx.el.span(label, class_name="wm-row-label"),
        rx.cond(waits, rx.el.span(spinner(), data_testid="wui-list-item-loading-spinner"), end),
        type="button",
        class_name="wm-row",
        data_kind="item",
        data_quiet=str(quiet).lower(),
        disabled=waits,
        **props,
    )


def disconnect_item(*, loading: rx.Var[bool], on_click: Any) -> rx.Component:
    """The action that ends the connection."""
    return list_item(
        "Disconnect",
        rx.icon("log-out", size=16),
        tone="neutral",
        chevron=False,
        quiet=True,
        loading=loading,
        on_click=on_click,
        data_testid="disconnect-button",
    )


def row_skeleton(width: str, *, image: Literal["square", "round"] = "square") -> rx.Component:
    """A row whose content is still to come, in its final height. `width`: of the name."""
    return rx.el.div(
        shimmer("40px", "40px", "50%" if image == "round" else "var(--wm-radius-xxs)"),
        shimmer(width, "16px"),
        class_name="wm-row",
        aria_disabled="true",
    )
