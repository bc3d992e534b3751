"""Connect as ours: a greeting in front of the way to every wallet."""

from __future__ import annotations

import reflex as rx

from walletmodal import ui, views


@views.replace("Connect")
def connect() -> rx.Component:
    """In the place of the list: one button."""
    return ui.note(
        "store",
        "Welcome to the shop",
        "Bring your wallet, and collect points with each purchase.",
        ui.button("Choose a wallet", size="lg", on_click=views.opens("ConnectWallets")),
        data_testid="own-connect",
    )
