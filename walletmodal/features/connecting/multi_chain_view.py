"""A wallet of several namespaces: which of them is meant. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.connecting.state import ConnectState
from walletmodal.ui.chains import chain_name, chain_picture
from walletmodal.ui.images import network_image, wallet_image


def _row(namespace: rx.Var[str]) -> rx.Component:
    return rx.el.button(
        network_image(chain_picture(namespace)),
        rx.el.span(chain_name(namespace), class_name="wm-row-label"),
        rx.icon("chevron-right", size=16, class_name="wm-row-chevron", aria_hidden="true"),
        type="button",
        class_name="wm-row",
        on_click=ConnectState.choose(namespace),
        data_testid="wui-list-chain-" + namespace,
        key=namespace,
    )


@rx.memo
def connecting_multi_chain_view() -> rx.Component:
    """ConnectingMultiChain: one row for each kind of chain that the wallet serves."""
    return rx.el.div(
        rx.el.div(
            wallet_image(ConnectState.wallet_icon, "lg"),
            rx.el.div(
                rx.el.p(_("Select Chain for {wallet}", wallet=ConnectState.wallet_name), class_name="wm-heading"),
                rx.el.p(
                    _("This wallet works with several kinds of chain. Connect one now, others later."),
                    class_name="wm-text",
                ),
                class_name="wm-words",
            ),
            class_name="wm-centered",
        ),
        rx.el.div(rx.foreach(ConnectState.choices, _row), class_name="wm-stack"),
    )
