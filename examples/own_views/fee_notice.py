"""What a transfer costs at our shop, said before it is begun."""

import reflex as rx

from walletmodal import views


@views.before("WalletSend", "form")
def fee_notice() -> rx.Component:
    """One line above the form."""
    return rx.el.p("No fees of ours on ", views.network.name, " this month.", class_name="wm-text", role="note")
