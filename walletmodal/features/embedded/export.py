"""Export of the embedded wallet: its phrase and keys are shown by the secure site, in a window of its own."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.errors.codes import REJECTED
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.embedded import read_frame_error
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.metrics import count_ignored

VIEW: Final = "UpgradeEmailWallet"


class ExportState(rx.State):
    """An export. `question`: what the secure site's frame is asked: `{id, type, payload}`, empty for nothing."""

    question: dict[str, Any] = {}

    @rx.event
    async def open_view(self) -> None:
        """Opens the view: the row of the settings."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        if await shell._is_visible() and bridge._connections.by_connector(AUTH_ID):
            await bridge._publish(events.email_upgrade_from_modal())
            shell._push(VIEW)
            await shell._save_record()

    @rx.event
    async def begin(self) -> None:
        """Has the frame ask for a fresh proof, and show phrase and keys in its window."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        connected = bool(bridge._connections.by_connector(AUTH_ID))
        if await shell._shows(VIEW) and connected and not self.get_value("question"):
            self.question = {"id": new_id(), "type": "EXPORT", "payload": {}}

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Shows the view again once the window is closed; says what went wrong."""
        asked, fields = dict(self.get_value("question")), payload if isinstance(payload, dict) else {}
        if not asked or fields.get("id") != asked["id"]:
            count_ignored("answer_not_awaited")
            return
        self.question = {}
        failure = read_frame_error(fields.get("error"))
        if fields.get("ok") is not True and failure.code != REJECTED:
            (await self.get_state(ToastState))._show(failure.message, "error")


async def clear_export(state: rx.State) -> None:
    """Clears what was begun for another page, and when the modal closes."""
    export = await state.get_state(ExportState)
    if export.get_value("question"):
        export.question = {}
