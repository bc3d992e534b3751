"""Devices of the embedded wallet: their list, the end of one, leave for one to move funds, and the wallet for other sites of this browser."""

from __future__ import annotations

from typing import Any, Final, Literal, TypedDict

import reflex as rx

from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.core.text.formatting import date_text
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.devices import WalletDevice, read_devices
from walletmodal.core.wallets.frame_lists import spell_moment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.question import QuestionMixin
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

VIEW: Final = "Devices"
OTHER_SITES: Final = _("For other sites in this browser")
_DONE: Final = {
    "DEVICE_REVOKE": _("Device removed"),
    "DEVICE_RELEASE": _("The device can move funds now"),
    "DEVICE_REMEMBER": _("Ready for other sites"),
}
"""What the frame may be asked to change, and what is said once it has."""

Phase = Literal["loading", "shown", "failed", "asking"]


class DeviceRow(TypedDict):
    """One device; its id opens nothing.

    Attributes:
        site: host of the page on which it was added, what it is for, or "".
        seen: when it was used last.
        held: until when its transfers wait, or "".
        releasable: whether this device can end that.
    """

    id: str
    name: str
    site: str
    seen: str
    held: str
    releasable: bool


class DevicesState(QuestionMixin, rx.State):
    """The devices of who is logged in by the embedded wallet.

    Attributes:
        rows: the list.
        phase: loading, shown, failed (the list could not be had), asking (the frame has the visitor approve a change).
        offered: no window of this browser has the wallet for other sites yet.
        error: why nothing was changed.
    """

    rows: list[DeviceRow] = []
    phase: Phase = "loading"
    offered: bool = False
    error: str = ""

    def _begin(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        self._put(phase="asking" if kind in _DONE else "loading", error="")
        self._ask(kind, payload)

    async def _is_owner(self) -> bool:
        """Whether the embedded wallet is connected and the list is seen."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        return await shell._shows(VIEW) and bool(bridge._connections.by_connector(AUTH_ID))

    @rx.event
    async def load(self) -> None:
        """Loads the list; what is being asked already goes on."""
        if await self._is_owner() and not self.get_value("question"):
            self._begin("DEVICE_LIST")

    @rx.event
    async def remove(self, device: str) -> None:
        """Has the frame ask whether a device is to be removed: the row's button."""
        if self._row_of(device) is not None and self.phase == "shown" and await self._is_owner():
            self._begin("DEVICE_REVOKE", {"id": device})

    @rx.event
    async def release(self, device: str) -> None:
        """Has the frame ask whether a device whose transfers wait may move funds: the row's other button."""
        row = self._row_of(device)
        if row is not None and row["releasable"] and self.phase == "shown" and await self._is_owner():
            self._begin("DEVICE_RELEASE", {"id": device})

    def _row_of(self, device: object) -> DeviceRow | None:
        rows: list[DeviceRow] = self.get_value("rows")
        return next((row for row in rows if isinstance(device, str) and row["id"] == device), None)

    @rx.event
    async def remember(self) -> None:
        """Has the frame ask whether this browser is to keep the wallet for other sites."""
        if self.offered and self.phase == "shown" and await self._is_owner():
            self._begin("DEVICE_REMEMBER", {"site": (await self.get_state(EmbedState))._origin})

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered."""
        answer = self._take_answer(payload)
        if answer is None:
            return
        done = _DONE.get(answer.kind)
        devices = read_devices(answer.value) if answer.ok else None
        if devices is not None:
            waits_here = any(one.current and one.held for one in devices)
            rows = [_row(one, may_release=not waits_here) for one in devices]
            self._put(rows=rows, offered=_may_keep(devices), phase="shown", error="")
            if done:
                (await self.get_state(ToastState))._show(done)
        elif not done:
            self._put(phase="failed")
        else:
            self._put(phase="shown", error=answer.error)

    def _clear(self) -> None:
        """Clears the list when nobody looks at it."""
        self._put(rows=[], offered=False, phase="loading", question={}, error="")


def _row(device: WalletDevice, *, may_release: bool) -> DeviceRow:
    return {
        "id": device.id,
        "name": browser_text(device.name),
        "site": OTHER_SITES if device.window else device.site,
        "seen": _("In use now") if device.current else _("Last used {day}", day=date_text(device.seen)),
        "held": spell_moment(device.held) if device.held else "",
        "releasable": bool(device.held) and may_release and not device.current,
    }


def _may_keep(devices: list[WalletDevice]) -> bool:
    """Whether the browser that asks keeps the wallet for its own site alone, as far as names of browsers tell."""
    here = {device.name for device in devices if device.current}
    return bool(here) and here.isdisjoint(device.name for device in devices if device.window)


async def clear_devices(state: rx.State) -> None:
    """Clears the list for another page, and when the modal closes."""
    (await state.get_state(DevicesState))._clear()
