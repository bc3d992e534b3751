"""The connected account."""

from __future__ import annotations

import reflex as rx

from components.copy_button import copy_button
from walletmodal.features.account.state import Eip155State
from walletmodal.ui.buttons import button_link
from walletmodal.ui.feedback import shimmer
from walletmodal.ui.images import avatar
from walletmodal.ui.rows import disconnect_item


def _address() -> rx.Component:
    return copy_button(
        rx.el.span(Eip155State.short_address, class_name="wm-address"),
        rx.icon("copy", size=16, aria_hidden="true"),
        rx.el.span("Copy the address", class_name="wm-hidden"),
        text=Eip155State.address,
        class_name="wm-copy",
        title=Eip155State.address,
        data_testid="account-copy-address",
        on_copied=Eip155State.copied,
    )


def _balance() -> rx.Component:
    return rx.el.div(
        rx.match(
            Eip155State.balance_state,
            ("known", rx.el.span(Eip155State.balance, " ", Eip155State.balance_symbol)),
            ("unavailable", rx.el.span("Balance unavailable")),
            rx.fragment(shimmer("96px", "18px"), rx.el.span("Reading the balance", class_name="wm-hidden")),
        ),
        class_name="wm-balance",
        data_testid="account-balance",
        data_state=Eip155State.balance_state,
    )


@rx.memo
def account_view() -> rx.Component:
    """Account, for a wallet that is not ours: who it is, what it has, and what can be done."""
    return rx.el.div(
        rx.el.div(
            avatar(Eip155State.avatar, data_testid="single-account-avatar"),
            rx.el.div(_address(), _balance(), class_name="wm-words", data_part="account"),
            rx.cond(
                Eip155State.explorer_url != "",
                button_link(
                    "Block Explorer", Eip155State.explorer_url, icon=rx.icon("compass", size=16, aria_hidden="true")
                ),
                rx.fragment(),
            ),
            class_name="wm-centered",
            data_pad="account",
        ),
        rx.el.div(
            disconnect_item(loading=Eip155State.disconnecting, on_click=Eip155State.disconnect),
            class_name="wm-stack",
        ),
    )
