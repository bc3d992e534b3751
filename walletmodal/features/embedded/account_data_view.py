"""The visitor's data at the secure site, and its end. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.embedded import secure_ask, secure_place
from walletmodal.core.language import _
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.account_data import AccountDataState
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.rows import list_item
from walletmodal.ui.styled import ACCOUNT, styled

_part: Final = styled(ACCOUNT, INPUTS)


def _row(label: str, icon: str, kind: str, test_id: str) -> rx.Component:
    return list_item(label, rx.icon(icon, size=16), on_click=AccountDataState.ask(kind), data_testid=test_id)


def _choices() -> rx.Component:
    error = rx.el.p(AccountDataState.error, class_name="wm-otp-error", role="alert", data_testid="account-data-error")
    return rx.el.div(
        rx.el.p(
            _(
                "Deleting your wallet ends it on every device. Send what it holds elsewhere first, or export it under Upgrade your wallet."
            ),
            class_name="wm-text",
        ),
        rx.cond(AccountDataState.error != "", error, rx.fragment()),
        rx.el.div(
            _row(_("Show my data"), "file-text", "ACCOUNT_DATA", "account-data-show"),
            _row(_("Delete wallet and account"), "trash-2", "ACCOUNT_DELETE", "account-delete"),
            class_name="wm-stack",
        ),
        class_name="wm-recovery-settings",
    )


@rx.memo
def account_data_view() -> rx.Component:
    """AccountData: what the visitor may have done with it."""
    asked = AccountDataState.question["id"].bool()
    return _part(
        rx.cond(asked, secure_place(label=_("Your data and your wallet")), _choices()),
        secure_ask(question=AccountDataState.question, sync=BridgeState.sync, on_answer=AccountDataState.on_answer),
        class_name=rx.cond(asked, "wm-secure-body", ""),
    )
