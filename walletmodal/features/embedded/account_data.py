"""What the secure site holds of who is logged in by the embedded wallet, and its end."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.errors.codes import REJECTED
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.embedded import read_frame_error
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.metrics import count_ignored

VIEW: Final = "AccountData"
_DONE: Final = {"ACCOUNT_DATA": "", "ACCOUNT_DELETE": "Wallet deleted"}
"""What the frame may be asked for, and what is said once it is done; "" for nothing."""


class AccountDataState(AssigningMixin, rx.State):
    """What the frame is asked for on the visitor's data.

    Attributes:
        question: what the secure site's frame is asked, as `EmbeddedState.question`.
        error: why it was not done.
    """

    question: dict[str, Any] = {}
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
            self.question = {"id": new_id(), "type": kind, "payload": {}}
            await shell._save_record()

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered; of a deleted account it ends the session as well."""
        asked, fields = dict(self.get_value("question")), payload if isinstance(payload, dict) else {}
        if not asked or fields.get("id") != asked["id"]:
            count_ignored("answer_not_awaited")
            return
        self.question = {}
        if fields.get("ok") is True:
            if done := _DONE[asked["type"]]:
                (await self.get_state(ToastState))._show(done)
        else:
            failure = read_frame_error(fields.get("error"))
            self._put(error="" if failure.code == REJECTED else failure.message)
        await (await self.get_state(ShellState))._save_record()

    def _clear(self) -> None:
        """Clears what nobody looks at."""
        self._put(question={}, error="")


async def clear_account_data(state: rx.State) -> None:
    """Clears it for another page, and when the modal closes."""
    (await state.get_state(AccountDataState))._clear()
