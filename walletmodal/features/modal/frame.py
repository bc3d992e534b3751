"""The header, the alert bar and the toast around the view on top."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.shell import cross_fade, header_title, shell, view_presence
from walletmodal.components.toast import toast
from walletmodal.core.language import _, pgettext
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.modal.views import modal_body
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.ui.buttons import icon_button
from walletmodal.ui.images import network_image


def _network_select() -> rx.Component:
    return rx.el.button(
        rx.cond(
            NetworksState.unsupported,
            rx.el.span(rx.icon("triangle-alert", size=14), class_name="wm-network-warning", aria_hidden="true"),
            network_image(NetworksState.active_image, "xs"),
        ),
        rx.cond(
            NetworksState.choosable,
            rx.icon("chevron-down", size=14, aria_hidden="true"),
            rx.fragment(),
        ),
        type="button",
        class_name="wm-network-select",
        aria_label=rx.cond(
            NetworksState.unsupported,
            _("Unsupported network"),
            _("Network: {network}", network=NetworksState.active_name),
        ),
        title=NetworksState.active_name,
        disabled=~NetworksState.choosable,
        on_click=NetworksState.open_list,
        data_testid="w3m-account-select-network",
    )


def _back() -> rx.Component:
    return icon_button(
        rx.icon("chevron-left", size=20),
        pgettext("button", "Back"),
        class_name="wm-back",
        on_click=ShellState.back,
        data_testid="header-back",
    )


def _help() -> rx.Component:
    return icon_button(
        rx.icon("circle-help", size=20),
        _("What is a wallet?"),
        on_click=ShellState.push("WhatIsAWallet"),
        data_testid="w3m-header-help",
    )


def _left_slot() -> rx.Component:
    """Left slot, the first that applies: the account's network, the way back, help; else empty."""
    selects = (ShellState.view == "Account") & EmbedState.network_switch
    goes_back = (
        (ShellState.depth > 1)
        & (ShellState.view != "ApproveTransaction")
        & ~(EmbedState.embedded & (ShellState.view == "Connect"))
    )
    helps = ShellState.view == "Connect"
    return rx.el.div(
        cross_fade(
            rx.cond(selects, _network_select(), rx.cond(goes_back, _back(), rx.cond(helps, _help(), rx.fragment()))),
            name=rx.cond(selects, "network", rx.cond(goes_back, "back", rx.cond(helps, "help", ""))),
            milliseconds=200,
        ),
        class_name="wm-header-slot",
    )


@rx.memo
def header() -> rx.Component:
    """One button at the left, the title in the middle, the close button at the right."""
    return rx.el.div(
        _left_slot(),
        header_title(text=ShellState.title, name=ShellState.label, direction=ShellState.direction),
        rx.el.div(
            icon_button(
                rx.icon("x", size=20), pgettext("button", "Close"), data_close="true", data_testid="w3m-header-close"
            ),
            class_name="wm-header-slot",
            data_side="end",
        ),
        class_name="wm-header",
    )


@rx.memo
def alert_bar() -> rx.Component:
    """Alert for a host's developer; it stays until it is closed."""
    return rx.el.div(
        cross_fade(
            rx.el.span(rx.icon("triangle-alert", size=20), class_name="wm-alert-mark", aria_hidden="true"),
            rx.el.p(AlertState.message, class_name="wm-alert-text", data_testid="wui-alertbar-text"),
            icon_button(rx.icon("x", size=16), _("Close the alert"), on_click=AlertState.close),
            name=AlertState.message,
            milliseconds=150,
            scale=0.85,
            class_name="wm-alert",
        ),
        role="alert",
    )


def modal(*, refuse_close: bool | rx.Var[bool], body: rx.Component | None = None) -> rx.Component:
    """The whole modal on its overlay. `refuse_close`: it shakes instead of closing at once. `body`: in the place of the view on top."""
    return shell(
        header(),
        view_presence(modal_body() if body is None else body, view_key=ShellState.view, direction=ShellState.direction),
        toast(
            serial=ToastState.serial,
            message=ToastState.message,
            variant=ToastState.variant,
            auto_close=ToastState.auto_close,
            on_dismissed=ToastState.on_dismissed,
        ),
        alert_bar(),
        open=ShellState.open,
        embedded=EmbedState.embedded,
        refuse_close=refuse_close,
        shakes=ShellState.shakes,
        connected=ShellState.connected,
        on_close=ShellState.close,
    )
