"""The connected account."""

from __future__ import annotations

import reflex as rx

from components.copy_button import copy_button
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.account.state import ActiveState, shown
from walletmodal.ui.buttons import button_link, icon_button
from walletmodal.ui.feedback import shimmer
from walletmodal.ui.images import avatar
from walletmodal.ui.rows import disconnect_item


def _address() -> rx.Component:
    copied = copy_button(
        rx.el.span(shown("short_address"), class_name="wm-address"),
        rx.icon("copy", size=16, aria_hidden="true"),
        rx.el.span("Copy the address", class_name="wm-hidden"),
        text=shown("address"),
        class_name="wm-copy",
        title=shown("address"),
        data_testid="account-copy-address",
        on_copied=ActiveState.copied,
    )
    return rx.el.div(
        copied,
        rx.cond(
            shown("several"),
            icon_button(
                rx.icon("chevrons-up-down", size=16, aria_hidden="true"),
                "Switch address",
                on_click=AddressesState.open_list,
                data_testid="account-switch-address-button",
            ),
            rx.fragment(),
        ),
        class_name="wm-beside",
    )


def _balance() -> rx.Component:
    return rx.el.div(
        rx.match(
            shown("balance_state"),
            ("known", rx.el.span(shown("balance"), " ", shown("balance_symbol"))),
            ("unavailable", rx.el.span("Balance unavailable")),
            rx.fragment(shimmer("96px", "18px"), rx.el.span("Reading the balance", class_name="wm-hidden")),
        ),
        class_name="wm-balance",
        data_testid="account-balance",
        data_state=shown("balance_state"),
    )


@rx.memo
def account_view() -> rx.Component:
    """Account, for a wallet that is not ours: who it is, what it has, and what can be done."""
    return rx.el.div(
        rx.el.div(
            avatar(shown("avatar"), data_testid="single-account-avatar"),
            rx.el.div(_address(), _balance(), class_name="wm-words", data_part="account"),
            rx.cond(
                shown("explorer_url") != "",
                button_link(
                    "Block Explorer", shown("explorer_url"), icon=rx.icon("compass", size=16, aria_hidden="true")
                ),
                rx.fragment(),
            ),
            class_name="wm-centered",
            data_pad="account",
        ),
        rx.el.div(
            disconnect_item(loading=shown("disconnecting"), on_click=ActiveState.disconnect),
            class_name="wm-stack",
        ),
    )
