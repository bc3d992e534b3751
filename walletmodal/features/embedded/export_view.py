"""UpgradeEmailWallet: the phrase and the keys, to be taken to any other wallet. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.embedded import secure_ask, secure_place
from walletmodal.core.language import _
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.export import ExportState
from walletmodal.ui.buttons import button
from walletmodal.ui.images import icon_box
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.styled import styled

_part: Final = styled(INPUTS)
_BUSY: Final = ExportState.question["id"]


def _words() -> rx.Component:
    return rx.fragment(
        icon_box(rx.icon("key-square", size=28), size="xl", tone="accent"),
        rx.el.div(
            rx.el.h2(_("Take your wallet with you"), class_name="wm-heading"),
            rx.el.p(
                _(
                    "Your recovery phrase and keys open this wallet in MetaMask, Phantom and any other wallet. "
                    "They are shown once you have confirmed that it is you."
                ),
                class_name="wm-text",
            ),
            rx.el.p(_("Whoever else sees them can take all that is in it."), class_name="wm-text"),
            class_name="wm-words",
        ),
        button(_("Show phrase and keys"), size="lg", wide=True, on_click=ExportState.begin, data_testid="export-begin"),
    )


@rx.memo
def upgrade_email_wallet_view() -> rx.Component:
    """UpgradeEmailWallet: the way out of the embedded wallet, with its keys."""
    return _part(
        rx.cond(_BUSY, secure_place(label=_("The export of your wallet")), _words()),
        secure_ask(question=ExportState.question, sync=BridgeState.sync, on_answer=ExportState.on_answer),
        class_name=rx.cond(_BUSY, "wm-secure-body", "wm-centered"),
    )
