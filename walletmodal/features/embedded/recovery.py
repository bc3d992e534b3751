"""Who can recover the embedded wallet: its recovery password, and whether a code by email does."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.recovery_ways import RecoveryWays, read_recovery_ways
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.question import QuestionMixin
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

VIEW: Final = "RecoverySettings"
_LOOK: Final = "RECOVERY_WAYS"
_DONE: Final = {
    "PASSWORD_SET": _("Recovery password saved"),
    "PASSWORD_REMOVE": _("Recovery password removed"),
    "ESCROW_OFF": _("Recovery by code is off"),
    "ESCROW_ON": _("Recovery by code is on"),
}
"""What the frame may be asked to change, and what is said once it has."""
_FIRST: Final = {
    "passkey": pgettext("subject", "A passkey"),
    "window": pgettext("subject", "A window of this browser"),
    "password": pgettext("subject", "Your recovery password"),
    "code": pgettext("subject", "A code by email"),
}
_NEXT: Final = {
    "passkey": pgettext("subject", "a passkey"),
    "window": pgettext("subject", "a window of this browser"),
    "password": pgettext("subject", "your recovery password"),
    "code": pgettext("subject", "a code by email"),
}


class RecoveryState(QuestionMixin, rx.State):
    """How the wallet of who is logged in can be recovered.

    Attributes:
        known: the ways, whether a code and a password could be one, and a sentence of that; empty until they are known.
        error: why nothing was changed, or is known.
    """

    known: dict[str, Any] = {}
    error: str = ""

    async def _is_owner(self) -> bool:
        """Whether the embedded wallet is connected and the view is seen."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        return await shell._shows(VIEW) and bool(bridge._connections.by_connector(AUTH_ID))

    @rx.event
    async def load(self) -> None:
        """Asks the frame for the ways; what is being asked already goes on."""
        if await self._is_owner() and not self.get_value("question"):
            self._put(error="")
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
            self._put(error="")
            self._ask(kind)
            await (await self.get_state(ShellState))._save_record()

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered."""
        answer = self._take_answer(payload)
        if answer is None:
            return
        if answer.ok and answer.kind in _DONE:
            (await self.get_state(ToastState))._show(_DONE[answer.kind])
            self._ask(_LOOK)
        elif answer.ok and (ways := read_recovery_ways(answer.value)) is not None:
            could = {"escrow": ways.escrow, "password": ways.password}
            self._put(known={"ways": list(ways.ways), **could, "told": _told(ways)}, error="")
        else:
            self._put(error=answer.error)
        await (await self.get_state(ShellState))._save_record()

    def _clear(self) -> None:
        """Clears what nobody looks at."""
        self._put(known={}, question={}, error="")


def _told(ways: RecoveryWays) -> str:
    if not ways.ways:
        return _("Nothing but the devices that you use opens your wallet. Set a recovery password, or add a passkey.")
    first, more = _FIRST[ways.ways[0]], [_NEXT[way] for way in ways.ways[1:]]
    match more:
        case []:
            return _("{first} opens your wallet on a new device.", first=first)
        case [second]:
            return _("{first} or {second} opens your wallet on a new device.", first=first, second=second)
        case [second, third]:
            return _(
                "{first}, {second} or {third} opens your wallet on a new device.",
                first=first,
                second=second,
                third=third,
            )
        case _:
            second, third, fourth = more
            return _(
                "{first}, {second}, {third} or {fourth} opens your wallet on a new device.",
                first=first,
                second=second,
                third=third,
                fourth=fourth,
            )


async def clear_recovery(state: rx.State) -> None:
    """Clears them for another page, and when the modal closes."""
    (await state.get_state(RecoveryState))._clear()
