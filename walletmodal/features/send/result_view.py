"""Result of a transfer: the record of it, with the way out. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import pgettext
from walletmodal.features.send.styles import send_part
from walletmodal.features.shell.state import ShellState
from walletmodal.features.transactions.parts import status_block
from walletmodal.ui.buttons import button


@rx.memo
def wallet_send_result_view() -> rx.Component:
    """WalletSendResult: the transaction, and how it goes on."""
    return send_part(
        status_block(),
        button(
            pgettext("button", "Done"), size="lg", wide=True, on_click=ShellState.back, data_testid="send-done-button"
        ),
        class_name="wm-send",
    )
