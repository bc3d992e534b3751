"""The wallet is on a network that the page does not work with. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.account.active import active_var
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.networks.views import network_choice
from walletmodal.ui.feedback import separator
from walletmodal.ui.rows import disconnect_item


@rx.memo
def unsupported_chain_view() -> rx.Component:
    """UnsupportedChain: another network, or no connection; closing is refused."""
    return rx.el.div(
        rx.el.div(
            rx.el.p(
                _("This page does not work with your wallet's network. Choose another one to go on."),
                class_name="wm-text",
            ),
            class_name="wm-centered",
            data_pad="note",
        ),
        rx.el.div(
            rx.el.div(rx.foreach(NetworksState.rows, network_choice), class_name="wm-stack"),
            class_name="wm-scroll",
            data_height="list",
        ),
        separator(_("or")),
        rx.el.div(
            disconnect_item(loading=active_var("disconnecting"), on_click=NetworksState.disconnect),
            class_name="wm-stack",
            data_part="end",
        ),
    )
