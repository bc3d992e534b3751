"""The snackbar and the alert bar. Their timing is the browser's."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.host_calls import ToastCall
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import CLOSING_REFUSED, FAILED_TO_COPY, SIGN_IN_FIRST, AlertKey, alert
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState


class ToastState(rx.State):
    """One toast at a time; a new one replaces it."""

    serial: int = 0
    message: str = ""
    variant: str = "success"
    auto_close: bool = True

    def _show(self, message: str, variant: str = "success", *, auto_close: bool = True) -> None:
        """Shows a toast: `variant` is success, error or loading."""
        self.serial += 1
        self.message, self.variant, self.auto_close = message, variant, auto_close

    def _hide(self, message: str = "") -> None:
        """Takes what is shown back; with a message, only that one."""
        if self.message and message in ("", self.message):
            self.message = ""

    def _tell_copied(self, ok: object, message: str) -> None:
        """Whether the browser has copied something, as it says: `message`, or that it failed."""
        if ok is True:
            self._show(message)
        else:
            self._show(FAILED_TO_COPY, "error")

    @rx.event
    def dismissed(self, serial: int) -> None:
        """The browser has shown it long enough."""
        if serial == self.serial:
            self.message = ""


class AlertState(rx.State):
    """A developer's banner: short text on screen while `debug` is on, long text on the host's console."""

    message: str = ""

    async def _raise(self, key: AlertKey) -> None:
        embed, bridge = await self.get_state(EmbedState), await self.get_state(BridgeState)
        texts = alert(key, origin=embed._origin)
        await bridge._warn(texts.long, level="error")
        if embed._options.debug:
            self.message = texts.short

    @rx.event
    def close(self) -> None:
        """The X of the alert bar."""
        self.message = ""


async def check_configuration(state: rx.State, _snapshot: Snapshot, changes: Changes) -> Followups:
    """Once for each page: what the deployment lacks for the services that it names."""
    if changes.first:
        missing = deployment().services.alert_at_start((await state.get_state(EmbedState))._caller())
        if missing is not None:
            await (await state.get_state(AlertState))._raise(missing)
    return []


async def host_toast(state: rx.State, call_id: str, call: ToastCall) -> Followups:
    """Host: `showSuccessMessage(text)` and `showErrorMessage(text)`."""
    (await state.get_state(ToastState))._show(call.message, call.variant)
    await (await state.get_state(BridgeState))._settle(call_id)
    return []


async def hide_toast(state: rx.State) -> None:
    """A toast belongs to the open modal."""
    (await state.get_state(ToastState))._hide()


async def say_why(state: rx.State) -> None:
    """A modal that shakes and says nothing seems to be broken."""
    view = (await state.get_state(ShellState)).view
    (await state.get_state(ToastState))._show(CLOSING_REFUSED.get(view, SIGN_IN_FIRST), "error")


async def forget_messages(state: rx.State) -> None:
    """What was said to the page before does not concern this one."""
    (await state.get_state(ToastState))._hide()
    (await state.get_state(AlertState)).message = ""
