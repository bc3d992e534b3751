"""Who can recover the embedded wallet. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.components.embedded import secure_ask, secure_place
from walletmodal.core.language import _
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.recovery import RecoveryState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.notes import note, try_again
from walletmodal.ui.rows import list_item, row_skeleton
from walletmodal.ui.styled import ACCOUNT, styled

_part: Final = styled(ACCOUNT, INPUTS)
_ASKED: Final = RecoveryState.question["type"]
_KNOWN: Final = RecoveryState.known


def _row(label: str, icon: str, kind: str, test_id: str) -> rx.Component:
    return list_item(label, rx.icon(icon, size=16), on_click=RecoveryState.change(kind), data_testid=test_id)


def _has(way: str) -> Any:
    return _KNOWN["ways"].to(list[str]).contains(way)


def _password() -> rx.Component:
    return rx.cond(
        _has("password"),
        rx.fragment(
            _row(_("Change the recovery password"), "lock-keyhole", "PASSWORD_SET", "password-set"),
            _row(_("Remove the recovery password"), "trash-2", "PASSWORD_REMOVE", "password-remove"),
        ),
        rx.cond(
            _KNOWN["password"],
            _row(_("Set a recovery password"), "lock-keyhole", "PASSWORD_SET", "password-set"),
            rx.fragment(),
        ),
    )


def _escrow() -> rx.Component:
    """Codes are turned off by who has another way alone."""
    return rx.cond(
        _has("code"),
        rx.cond(
            _has("passkey") | _has("password"),
            _row(_("Only I can recover: no codes"), "mail-x", "ESCROW_OFF", "escrow-off"),
            rx.el.p(
                _(
                    "With a passkey or a recovery password you can do without codes: then nobody but you can recover your wallet."
                ),
                class_name="wm-text",
            ),
        ),
        rx.cond(
            _KNOWN["escrow"],
            _row(_("Turn recovery by code on"), "mail-check", "ESCROW_ON", "escrow-on"),
            rx.fragment(),
        ),
    )


def _shown() -> rx.Component:
    return rx.el.div(
        rx.el.p(_KNOWN["told"], class_name="wm-text", data_testid="recovery-told", aria_live="polite"),
        rx.cond(
            RecoveryState.error != "",
            rx.el.p(
                RecoveryState.error,
                class_name="wm-otp-error",
                role="alert",
                data_testid="recovery-settings-error",
            ),
            rx.fragment(),
        ),
        rx.el.div(
            list_item(
                _("Passkeys"),
                rx.icon("key-round", size=16),
                on_click=ShellState.push("Passkeys"),
                data_testid="recovery-passkeys",
            ),
            _password(),
            _escrow(),
            class_name="wm-stack",
        ),
        class_name="wm-recovery-settings",
    )


@rx.memo
def recovery_settings_view() -> rx.Component:
    """RecoverySettings: the ways to the wallet, and their changes."""
    failed = note(
        "cloud-off",
        _("This could not be loaded"),
        RecoveryState.error,
        try_again(RecoveryState.load, test_id="recovery-settings-retry"),
        role="alert",
    )
    loading = rx.el.div(row_skeleton("120px", image="round"), class_name="wm-stack")
    still = rx.cond(_KNOWN["told"], _shown(), rx.cond(RecoveryState.error != "", failed, loading))
    frames = (_ASKED != "") & (_ASKED != "RECOVERY_WAYS") & RecoveryState.question["id"].bool()
    return _part(
        rx.cond(frames, secure_place(label=_("The recovery of your wallet")), still),
        secure_ask(
            question=RecoveryState.question,
            sync=BridgeState.sync,
            on_answer=RecoveryState.on_answer,
        ),
        class_name=rx.cond(frames, "wm-secure-body", ""),
        on_mount=RecoveryState.load,
    )
