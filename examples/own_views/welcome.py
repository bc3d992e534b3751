"""Connect as ours: a greeting above the way to every wallet, and a row for members."""

from __future__ import annotations

import reflex as rx

from walletmodal import views
from walletmodal.ui.buttons import button
from walletmodal.ui.notes import note


@views.replace("Connect")
def connect() -> rx.Component:
    """In the place of the list: one button."""
    return note(
        "store",
        "Welcome to the shop",
        "Bring your wallet, and collect points with each purchase.",
        button("Choose a wallet", size="lg", on_click=views.opens("ConnectWallets")),
        data_testid="own-connect",
    )
