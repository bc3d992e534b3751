"""Deletion of a wallet that no device of its owner opens any more: asked for where it would be recovered."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.embedded.login import RECOVERY_VIEW
from walletmodal.features.embedded.question import QuestionMixin
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

REQUESTED: Final = _("Your deletion is on its way: see our mail")


class LostWalletState(QuestionMixin, rx.State):
    """What the frame is asked for on a wallet that cannot be opened here.

    Attributes:
        error: why it was not done.
    """

    error: str = ""

    @rx.event
    async def delete(self) -> None:
        """Has the frame ask for the deletion, which it has the visitor approve and prove."""
        embedded, shell = await self.get_state(EmbeddedState), await self.get_state(ShellState)
        idle = embedded.phase in ("idle", "none") and not embedded.get_value("question")
        if await shell._shows(RECOVERY_VIEW) and idle and not self.get_value("question"):
            self._put(error="")
            self._ask("ACCOUNT_DELETE")

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered: the view says when the deletion is due."""
        answer = self._take_answer(payload)
        if answer is None:
            return
        if not answer.ok:
            self._put(error=answer.error)
            return
        (await self.get_state(ToastState))._show(REQUESTED)
        embedded, shell = await self.get_state(EmbeddedState), await self.get_state(ShellState)
        if await shell._shows(RECOVERY_VIEW):
            embedded._look()
            await shell._save_record()

    def _clear(self) -> None:
        """Clears what nobody looks at."""
        self._put(question={}, error="")


async def clear_lost_wallet(state: rx.State) -> None:
    """Clears it for another page, and when the modal closes."""
    (await state.get_state(LostWalletState))._clear()
