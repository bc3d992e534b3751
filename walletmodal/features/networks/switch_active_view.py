"""A network that the connected wallets have no account on. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.features.account.active import active_var
from walletmodal.features.networks.state import NetworksState
from walletmodal.ui.buttons import button
from walletmodal.ui.chains import chain_name, chain_picture
from walletmodal.ui.images import network_image


@rx.memo
def switch_active_chain_view() -> rx.Component:
    """SwitchActiveChain: another wallet is needed; nothing changes before it is connected."""
    namespace = NetworksState.target.split(":")[0]
    return rx.el.div(
        network_image(chain_picture(namespace), "lg"),
        rx.el.div(
            rx.el.p(
                _("Switch to {network}", network=chain_name(namespace)),
                class_name="wm-heading",
                data_testid="w3m-switch-active-chain-to-" + chain_name(namespace),
            ),
            rx.el.p(
                _(
                    "{wallet} has no account for {network}. Connect a wallet for it; the connection that you have stays.",
                    wallet=active_var("wallet_name"),
                    network=NetworksState.target_name,
                ),
                class_name="wm-text",
            ),
            class_name="wm-words",
        ),
        button(
            pgettext("button", "Switch"),
            icon=rx.icon("arrow-left-right", size=14, aria_hidden="true"),
            on_click=NetworksState.connect_other,
            data_testid="w3m-switch-active-chain-button",
        ),
        class_name="wm-centered",
    )
