"""Rows of lists."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.ui.feedback import shimmer, spinner
from walletmodal.ui.images import all_wallets_image, icon_box, network_image, token_image, wallet_image
from walletmodal.ui.numbers import number


def wallet_row(
    name: rx.Var[str], icon: rx.Var[str], *, end: rx.Component | None = None, glyph: str = "wallet", **props: Any
) -> rx.Component:
    """A wallet to choose: 40 px icon, or the glyph in its place, name, then a tag or whatever stands at the end."""
    return rx.el.button(
        wallet_image(icon, glyph=glyph),
        rx.el.span(name, class_name="wm-row-label"),
        end or rx.fragment(),
        type="button",
        class_name="wm-row",
        **props,
    )


def all_wallets_row(label: str, *, end: rx.Component, **props: Any) -> rx.Component:
    """The row below a list of wallets that leads to all of them."""
    return rx.el.button(
        all_wallets_image(),
        rx.el.span(label, class_name="wm-row-label"),
        end,
        type="button",
        class_name="wm-row",
        **props,
    )


def network_row(
    name: rx.Var[str],
    image: rx.Var[str],
    *,
    active: rx.Var[bool],
    barred: bool | rx.Var[bool] = False,
    **props: Any,
) -> rx.Component:
    """A network to choose; the active one has a check mark, and pressing it does nothing.

    One that is `barred` can still be reached with the keyboard, so that a screen reader comes to the reason.
    """
    out = rx.Var.create(barred)
    return rx.el.button(
        network_image(image),
        rx.el.span(name, class_name="wm-row-label"),
        rx.cond(out, rx.el.span(_("Not approved in your wallet"), class_name="wm-hidden"), rx.fragment()),
        rx.cond(active, rx.icon("check", size=18, class_name="wm-row-check", aria_hidden="true"), rx.fragment()),
        type="button",
        aria_current=rx.cond(active, "true", "false"),
        aria_disabled=rx.cond(out, "true", "false"),
        title=rx.cond(out, _("Not approved in your wallet"), ""),
        class_name="wm-row",
        data_plain="true",
        data_barred=out.to_string(),
        **props,
    )


def token_row(
    name: rx.Var[str],
    symbol: rx.Var[str],
    image: rx.Var[str],
    *,
    amount: rx.Var[str],
    value: rx.Var[str],
    **props: Any,
) -> rx.Component:
    """A token to choose: picture, name over amount and symbol, and what it is worth at the end."""
    return rx.el.button(
        token_image(image),
        rx.el.span(
            rx.el.span(name, class_name="wm-row-label"),
            rx.el.span(number(amount, text=amount), " ", symbol, class_name="wm-choice-detail"),
            class_name="wm-choice-lines",
        ),
        rx.el.span(number(value, text=value), class_name="wm-choice-value"),
        type="button",
        class_name="wm-row",
        **props,
    )


def network_fact(name: rx.Var[str], image: rx.Var[str], **props: Any) -> rx.Component:
    """A network of a list in which there is nothing to choose."""
    return rx.el.li(
        network_image(image),
        rx.el.span(name, class_name="wm-row-label"),
        class_name="wm-row",
        data_plain="true",
        data_kind="fact",
        **props,
    )


def list_item(
    label: str | rx.Var[str],
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


def link_row(picture: rx.Component, label: str | rx.Var[str], href: str | rx.Var[str], **props: Any) -> rx.Component:
    """A page elsewhere; it opens in a new tab, which learns nothing of ours."""
    return rx.el.a(
        picture,
        rx.el.span(label, class_name="wm-row-label"),
        rx.icon("external-link", size=16, class_name="wm-row-chevron", aria_hidden="true"),
        rx.el.span(" ", _("(opens in a new tab)"), class_name="wm-hidden"),
        href=href,
        target="_blank",
        rel="noopener noreferrer",
        class_name="wm-row",
        **props,
    )


def list_button(label: str, icon: rx.Component, **props: Any) -> rx.Component:
    """One button in the place of a list: glyph and label in the middle."""
    return rx.el.button(icon, rx.el.span(label), type="button", class_name="wm-row", data_kind="button", **props)


def disconnect_item(*, loading: rx.Var[bool], on_click: Any) -> rx.Component:
    """The action that ends the connection."""
    return list_item(
        pgettext("button", "Disconnect"),
        rx.icon("log-out", size=16),
        tone="neutral",
        chevron=False,
        quiet=True,
        loading=loading,
        on_click=on_click,
        data_testid="disconnect-button",
    )


def owned_lines(name: rx.Var[str], site: rx.Var[str], seen: rx.Var[str]) -> rx.Component:
    """Lines of a row of something that the visitor has: its name, the site that it came with, and when it was used.

    Args:
        name: its name.
        site: "" for none.
        seen: a sentence.
    """
    return rx.el.span(
        rx.el.span(name, title=name),
        rx.cond(site != "", rx.el.span(site, class_name="wm-row-detail", title=site), rx.fragment()),
        rx.el.span(seen, class_name="wm-row-detail"),
        class_name="wm-row-label wm-row-lines",
    )


def row_skeleton(width: str, *, image: Literal["square", "round"] = "square") -> rx.Component:
    """A row whose content is still to come, in its final height. `width`: of the name."""
    return rx.el.div(
        shimmer("40px", "40px", "50%" if image == "round" else "var(--wm-radius-xxs)"),
        shimmer(width, "16px"),
        class_name="wm-row",
        aria_disabled="true",
    )
