"""What the secure site holds of who is logged in by the embedded wallet, and its end."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.language import _
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.question import QuestionMixin
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

VIEW: Final = "AccountData"
_DONE: Final = {"ACCOUNT_DATA": "", "ACCOUNT_DELETE": _("Wallet deleted")}
"""What the frame may be asked for, and what is said once it is done; "" for nothing."""


class AccountDataState(QuestionMixin, rx.State):
    """What the frame is asked for on the visitor's data.

    Attributes:
        error: why it was not done.
    """

    error: str = ""

    @rx.event
    async def ask(self, kind: str) -> None:
        """Asks the frame, which has the visitor confirm it.

        Args:
            kind: `ACCOUNT_DATA` or `ACCOUNT_DELETE`.
        """
        if not isinstance(kind, str) or kind not in _DONE or self.get_value("question"):
            return
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        if await shell._shows(VIEW) and bridge._connections.by_connector(AUTH_ID):
            self._put(error="")
            self._ask(kind)
            await shell._save_record()

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered; of a deleted account it ends the session as well."""
        answer = self._take_answer(payload)
        if answer is None:
            return
        if not answer.ok:
            self._put(error=answer.error)
        elif done := _DONE[answer.kind]:
            (await self.get_state(ToastState))._show(done)
        await (await self.get_state(ShellState))._save_record()

    def _clear(self) -> None:
        """Clears what nobody looks at."""
        self._put(question={}, error="")


async def clear_account_data(state: rx.State) -> None:
    """Clears it for another page, and when the modal closes."""
    (await state.get_state(AccountDataState))._clear()
