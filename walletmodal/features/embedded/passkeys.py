"""Passkeys of the embedded wallet: their list, another one, the end of one."""

from __future__ import annotations

from typing import Any, Final, Literal, TypedDict

import reflex as rx

from walletmodal.core.errors.codes import REJECTED
from walletmodal.core.text.texts import SOMETHING_WRONG
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.embedded import read_frame_error
from walletmodal.core.wallets.passkeys import Passkey, read_passkeys
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.metrics import count_ignored

LIST_VIEW: Final = "Passkeys"
OFFER_VIEW: Final = "AddPasskey"
PASSKEY_VIEWS: Final = (LIST_VIEW, OFFER_VIEW)
_WAITS_IN: Final = {"PASSKEY_LIST": "loading", "PASSKEY_ADD": "adding", "PASSKEY_REMOVE": "removing"}

Phase = Literal["loading", "shown", "failed", "adding", "removing"]


class PasskeyRow(TypedDict):
    """One passkey; its id opens nothing. `site`: host of the page on which it was made, or ""; `seen`: when it was used last, else when it was made."""

    id: str
    name: str
    site: str
    seen: str


class PasskeysState(AssigningMixin, rx.State):
    """The passkeys of who is logged in by the embedded wallet.

    Attributes:
        rows: the list.
        phase: loading, shown, failed (the list could not be had), adding (the frame asks for a passkey), removing.
        question: what the secure site's frame is asked: `{id, type, payload}`, empty for nothing.
        error: why a passkey was not added or removed.
        chosen: the id of the passkey whose end is to be confirmed, or "".
    """

    rows: list[PasskeyRow] = []
    phase: Phase = "loading"
    question: dict[str, Any] = {}
    error: str = ""
    chosen: str = ""

    async def _ask(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        self._put(phase=_WAITS_IN[kind], error="", chosen="")
        self.question = {"id": new_id(), "type": kind, "payload": payload or {}}
        await (await self.get_state(ShellState))._save_record()

    async def _is_owner(self) -> bool:
        """Whether the embedded wallet is connected and one of the views is seen."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        seen = shell.view in PASSKEY_VIEWS and await shell._is_visible()
        return seen and bool(bridge._connections.by_connector(AUTH_ID))

    def _show(self, passkeys: list[Passkey]) -> None:
        self._put(rows=[_row(one) for one in passkeys], phase="shown", error="", chosen="")

    @rx.event
    async def load(self) -> None:
        """Loads the list; what is being asked already goes on."""
        if await self._is_owner() and not self.get_value("question"):
            await self._ask("PASSKEY_LIST")

    @rx.event
    async def add(self) -> None:
        """Has the frame ask for a new passkey."""
        if await self._is_owner() and self.phase != "adding":
            await self._ask("PASSKEY_ADD")

    @rx.event
    async def choose(self, passkey: str) -> None:
        """Asks whether a passkey is to be removed; "" takes the question back."""
        if passkey == "" or (isinstance(passkey, str) and any(row["id"] == passkey for row in self.get_value("rows"))):
            self._put(chosen=passkey)

    @rx.event
    async def remove(self) -> None:
        """Removes the passkey that was chosen."""
        if await self._is_owner() and self.phase == "shown" and self.chosen:
            await self._ask("PASSKEY_REMOVE", {"id": self.chosen})

    @rx.event
    async def skip(self) -> None:
        """Goes on without a passkey: the offer's other button."""
        shell = await self.get_state(ShellState)
        if await shell._shows(OFFER_VIEW):
            self._clear()
            await lead_on_from_offer(self)

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered."""
        asked, fields = dict(self.get_value("question")), payload if isinstance(payload, dict) else {}
        if not asked or fields.get("id") != asked["id"]:
            count_ignored("answer_not_awaited")
            return
        self.question = {}
        passkeys = read_passkeys(fields.get("value")) if fields.get("ok") is True else None
        if passkeys is None:
            self._on_failure(asked["type"], fields)
        else:
            self._show(passkeys)
            await self._on_success(asked["type"])
        await (await self.get_state(ShellState))._save_record()

    async def _on_success(self, kind: str) -> None:
        shell, toasts = await self.get_state(ShellState), await self.get_state(ToastState)
        if kind == "PASSKEY_ADD":
            toasts._show("Passkey added")
            if await shell._shows(OFFER_VIEW):
                await lead_on_from_offer(self)
        elif kind == "PASSKEY_REMOVE":
            toasts._show("Passkey removed")

    def _on_failure(self, kind: str, fields: dict[str, Any]) -> None:
        failure = read_frame_error(fields.get("error"))
        if kind == "PASSKEY_LIST":
            self._put(phase="failed")
            return
        message = failure.message if fields.get("ok") is not True else SOMETHING_WRONG
        self._put(phase="shown", error="" if failure.code == REJECTED else message)

    def _clear(self) -> None:
        """Clears the list when nobody looks at it."""
        self._put(rows=[], phase="loading", question={}, error="", chosen="")


def _row(passkey: Passkey) -> PasskeyRow:
    used = passkey.used > passkey.made
    day = passkey.used if used else passkey.made
    seen = f"{'Last used' if used else 'Added'} {day.day} {day:%b %Y}"
    return {"id": passkey.id, "name": passkey.name, "site": passkey.site, "seen": seen}


async def lead_on_from_offer(state: rx.State) -> None:
    """Leads on from the offer, which came between a login and what the visitor wanted."""
    shell = await state.get_state(ShellState)
    await shell._on_connected()
    await shell._save_record()


async def clear_passkeys(state: rx.State) -> None:
    """Clears the list for another page, and when the modal closes."""
    (await state.get_state(PasskeysState))._clear()
