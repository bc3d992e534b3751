"""Export of the embedded wallet: its phrase and keys are shown by the secure site, in a window of its own."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.question import QuestionMixin
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

VIEW: Final = "UpgradeEmailWallet"


class ExportState(QuestionMixin, rx.State):
    """The export of phrase and keys."""

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
            self._ask("EXPORT")

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Shows the view again once the window is closed; says what went wrong."""
        answer = self._take_answer(payload)
        if answer is None:
            return
        if not answer.ok and answer.error:
            (await self.get_state(ToastState))._show(answer.error, "error")


async def clear_export(state: rx.State) -> None:
    """Clears what was begun for another page, and when the modal closes."""
    (await state.get_state(ExportState))._put(question={})
