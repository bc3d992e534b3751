"""The snackbar and the alert bar. Their timing is the browser's."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.language import _
from walletmodal.core.protocol.host_calls import ToastCall
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.display_text import typed_text
from walletmodal.core.text.texts import (
    CLOSING_REFUSED,
    FAILED_TO_COPY,
    OWN_EVENT_FAILED,
    SIGN_IN_FIRST,
    SOMETHING_WRONG,
    AlertKey,
    alert,
)
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.mode import is_development

MAX_TOLD = 300


class ToastState(rx.State):
    """One toast at a time; a new one replaces it."""

    serial: int = 0
    message: str = ""
    variant: str = "success"
    auto_close: bool = True

    # Id of the transaction that the toast is about; "" for none.
    _about: str = ""

    def _show(self, message: str, variant: str = "success", *, auto_close: bool = True, about: str = "") -> None:
        """Shows a toast: `variant` is success, error or loading; `about`: id of the transaction that it is about."""
        self.serial += 1
        self.message, self.variant, self.auto_close, self._about = message, variant, auto_close, about

    def _hide(self, about: str = "") -> None:
        """Hides the toast; with the id of a transaction, only one about that."""
        if self.message and about in ("", self._about):
            self.message = ""

    def _show_copied(self, ok: object, message: str) -> None:
        """Shows that something was copied, by `message`, or that it failed."""
        if ok is True:
            self._show(message)
        else:
            self._show(FAILED_TO_COPY, "error")

    @rx.event
    def on_dismissed(self, serial: int) -> None:
        """Hides a toast that the browser has shown long enough."""
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
    async def tell_raised(self, told: str) -> None:
        """Says that an event of a team's has raised; what, and where, in development alone."""
        if is_development() and (line := typed_text(told, limit=MAX_TOLD)):
            self.message = line
        else:
            (await self.get_state(ToastState))._show(OWN_EVENT_FAILED, "error")

    @rx.event
    def close(self) -> None:
        """Closes the alert bar."""
        self.message = ""


async def check_configuration(state: rx.State, _snapshot: Snapshot, changes: Changes) -> Followups:
    """Raises alerts, once for each page, for what the deployment lacks for the services that it names."""
    if changes.first:
        missing = deployment().services.alert_at_start((await state.get_state(EmbedState))._caller())
        if missing is not None:
            await (await state.get_state(AlertState))._raise(missing)
    return []


async def host_toast(state: rx.State, call_id: str, call: ToastCall) -> Followups:
    """Host: `showSuccessMessage(text)` and `showErrorMessage(text)`."""
    message = call.message or (_("Done") if call.variant == "success" else SOMETHING_WRONG)
    (await state.get_state(ToastState))._show(message, call.variant)
    await (await state.get_state(BridgeState))._settle(call_id)
    return []


async def hide_toast(state: rx.State) -> None:
    """Hides the toast when the modal closes."""
    (await state.get_state(ToastState))._hide()


async def explain_refused_close(state: rx.State) -> None:
    """Explains why the modal does not close: one that shakes and says nothing seems to be broken."""
    view = (await state.get_state(ShellState)).view
    (await state.get_state(ToastState))._show(CLOSING_REFUSED.get(view, SIGN_IN_FIRST), "error")


async def reset_toasts(state: rx.State) -> None:
    """Clears messages of the page before."""
    (await state.get_state(ToastState))._hide()
    (await state.get_state(AlertState)).message = ""
