"""Who can recover the embedded wallet: its recovery password, and whether a code by email does."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.errors.codes import REJECTED
from walletmodal.core.text.texts import SOMETHING_WRONG
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.embedded import read_frame_error
from walletmodal.core.wallets.recovery_ways import RecoveryWays, read_recovery_ways
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.metrics import count_ignored

VIEW: Final = "RecoverySettings"
_LOOK: Final = "RECOVERY_WAYS"
_DONE: Final = {
    "PASSWORD_SET": "Recovery password saved",
    "PASSWORD_REMOVE": "Recovery password removed",
    "ESCROW_OFF": "Recovery by code is off",
    "ESCROW_ON": "Recovery by code is on",
}
"""What the frame may be asked to change, and what is said once it has."""
_NAMES: Final = {
    "passkey": "a passkey",
    "window": "a window of this browser",
    "password": "your recovery password",
    "code": "a code by email",
}


class RecoveryState(AssigningMixin, rx.State):
    """How the wallet of who is logged in can be recovered.

    Attributes:
        known: the ways, whether a code could be one, and a sentence of that; empty until they are known.
        question: what the secure site's frame is asked, as `EmbeddedState.question`.
        error: why nothing was changed, or is known.
    """

    known: dict[str, Any] = {}
    question: dict[str, Any] = {}
    error: str = ""

    def _ask(self, kind: str) -> None:
        self._put(error="")
        self.question = {"id": new_id(), "type": kind, "payload": {}}

    async def _is_owner(self) -> bool:
        """Whether the embedded wallet is connected and the view is seen."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        return await shell._shows(VIEW) and bool(bridge._connections.by_connector(AUTH_ID))

    @rx.event
    async def load(self) -> None:
        """Asks the frame for the ways; what is being asked already goes on."""
        if await self._is_owner() and not self.get_value("question"):
            self._ask(_LOOK)
            await (await self.get_state(ShellState))._save_record()

    @rx.event
    async def change(self, kind: str) -> None:
        """Has the frame change something, which it has the visitor confirm.

        Args:
            kind: `PASSWORD_SET`, `PASSWORD_REMOVE`, `ESCROW_OFF` or `ESCROW_ON`.
        """
        idle = self.get_value("known") and not self.get_value("question")
        if isinstance(kind, str) and kind in _DONE and idle and await self._is_owner():
            self._ask(kind)
            await (await self.get_state(ShellState))._save_record()

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered."""
        asked, fields = dict(self.get_value("question")), payload if isinstance(payload, dict) else {}
        if not asked or fields.get("id") != asked["id"]:
            count_ignored("answer_not_awaited")
            return
        self.question = {}
        if fields.get("ok") is not True:
            failure = read_frame_error(fields.get("error"))
            self._put(error="" if failure.code == REJECTED else failure.message)
        elif asked["type"] in _DONE:
            (await self.get_state(ToastState))._show(_DONE[asked["type"]])
            self._ask(_LOOK)
        elif (ways := read_recovery_ways(fields.get("value"))) is not None:
            self._put(known={"ways": list(ways.ways), "escrow": ways.escrow, "told": _told(ways)}, error="")
        else:
            self._put(error=SOMETHING_WRONG)
        await (await self.get_state(ShellState))._save_record()

    def _clear(self) -> None:
        """Clears what nobody looks at."""
        self._put(known={}, question={}, error="")


def _told(ways: RecoveryWays) -> str:
    if not ways.ways:
        return "Nothing but the devices that you use opens your wallet. Set a recovery password, or add a passkey."
    *most, last = (_NAMES[way] for way in ways.ways)
    named = f"{', '.join(most)} or {last}" if most else last
    return f"{named[0].upper()}{named[1:]} opens your wallet on a new device."


async def clear_recovery(state: rx.State) -> None:
    """Clears them for another page, and when the modal closes."""
    (await state.get_state(RecoveryState))._clear()
