"""Pictures of wallets, networks and accounts. What stands beside them names them, so they are silent for screen readers."""

from __future__ import annotations

from typing import Final, Literal

import reflex as rx

_HIDE_BROKEN: Final[rx.Var[str]] = rx.Var("(event) => { event.currentTarget.hidden = true; }")


def picture(source: str | rx.Var[str]) -> rx.Component:
    """An image that fills its box; one that does not load uncovers the glyph behind it.

    Always an `<img>`: it runs no script of an SVG that a wallet sent.
    """
    return rx.el.img(
        src=source,
        alt="",
        key=source,
        class_name="wm-picture",
        draggable=False,
        referrer_policy="no-referrer",
        custom_attrs={"onError": _HIDE_BROKEN},
    )


def _filled(source: str | rx.Var[str]) -> rx.Component:
    return rx.cond(rx.Var.create(source) != "", picture(source), rx.fragment())


def wallet_image(
    source: str | rx.Var[str], size: Literal["sm", "md", "lg"] = "sm", *, glyph: str = "wallet"
) -> rx.Component:
    """A wallet's icon, 40, 56 or 80 px. `glyph`: what stands there without one."""
    return rx.el.span(
        rx.icon(glyph, size={"sm": 18, "md": 24, "lg": 40}[size], aria_hidden="true"),
        _filled(source),
        class_name="wm-wallet-image",
        data_size=size,
    )


def all_wallets_image() -> rx.Component:
    """The tile that stands for all wallets, 40 px."""
    return rx.el.span(
        rx.icon("layout-grid", size=20, aria_hidden="true"), class_name="wm-wallet-image", data_kind="all"
    )


def network_image(
    source: str | rx.Var[str],
    size: Literal["xs", "sm", "md", "lg"] = "sm",
    shape: Literal["round", "hexagon"] = "round",
) -> rx.Component:
    """A network's picture: round (20, 40 or 80 px), or a hexagon of 36×40, 48×54 or 86×96 px."""
    return rx.el.span(
        rx.icon("globe", size={"xs": 12, "sm": 18, "md": 24, "lg": 40}[size], aria_hidden="true"),
        _filled(source),
        class_name="wm-network-image",
        data_size=size,
        data_shape=shape,
    )


def token_image(source: str | rx.Var[str], size: Literal["sm", "md"] = "md") -> rx.Component:
    """A token's picture, round, 24 or 40 px; a coin without one."""
    return rx.el.span(
        rx.icon("coins", size={"sm": 14, "md": 18}[size], aria_hidden="true"),
        _filled(source),
        class_name="wm-network-image",
        data_kind="token",
        data_size=size,
    )


def avatar(
    background: rx.Var[str],
    size: Literal["sm", "md", "lg"] = "lg",
    *,
    source: str | rx.Var[str] = "",
    **props: str,
) -> rx.Component:
    """The gradient of an address, 32, 40 or 64 px. `background`: a CSS background that the server made; `source`: a picture above it."""
    return rx.el.div(
        _filled(source),
        style={"background": background},
        class_name="wm-avatar",
        data_size=size,
        aria_hidden="true",
        **props,
    )


def icon_box(
    icon: rx.Component,
    *,
    size: Literal["md", "lg", "xl"] = "md",
    tone: Literal["neutral", "accent", "error"] = "neutral",
) -> rx.Component:
    """A glyph on a tinted ground."""
    return rx.el.span(icon, class_name="wm-icon-box", data_size=size, data_tone=tone, aria_hidden="true")


Visual = Literal[
    "key", "profile", "lock", "chart", "artwork", "gem", "compass", "planet", "vote", "nodes", "layers", "system"
]


def visual(name: Visual) -> rx.Component:
    """One of our own 55 px drawings, `assets/visuals/`."""
    return rx.el.img(src=f"/visuals/{name}.svg", alt="", class_name="wm-visual")
