"""Passkeys of the embedded wallet: their list, another one, the end of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.language import _
from walletmodal.core.language.text import recalled
from walletmodal.core.text.browser_text import browser_text
from walletmodal.core.text.formatting import date_text
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.passkeys import Passkey, read_passkeys
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.question import FrameAnswer, QuestionMixin
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.substates import get_substate

LIST_VIEW: Final = "Passkeys"
OFFER_VIEW: Final = "AddPasskey"
PASSKEY_VIEWS: Final = (LIST_VIEW, OFFER_VIEW)
LOGIN_VIEWS: Final = frozenset(
    {
        *("Connect", "EmailLogin", "EmailVerifyOtp", "EmailVerifyDevice", "RecoverWallet"),
        *("ConnectingSocial", "ConnectingFarcaster", "ConnectingPasskey"),
    }
)
"""The views whose components ask the frame what `PasskeysState` wants to know."""
_WAITS_IN: Final = {"PASSKEY_LIST": "loading", "PASSKEY_ADD": "adding", "PASSKEY_REMOVE": "removing"}

Phase = Literal["loading", "shown", "failed", "adding", "removing", "asking"]
Offer = Literal["", "asked", "awaited", "wanted"]


class PasskeyRow(TypedDict):
    """One passkey; its id opens nothing. `site`: host of the page on which it was made, or ""; `seen`: when it was used last, else when it was made."""

    id: str
    name: str
    site: str
    seen: str


class PasskeysState(QuestionMixin, rx.State):
    """The passkeys of who is logged in by the embedded wallet.

    Attributes:
        rows: the list.
        phase: loading, shown, failed (the list could not be had), adding (the frame asks for a passkey), removing (it has the visitor
            approve that), asking (somebody has logged in, and whether a passkey is to be offered is not known yet).
        error: why a passkey was not added or removed.
    """

    rows: list[PasskeyRow] = []
    phase: Phase = "loading"
    error: str = ""

    # Whether a passkey is offered after the login that goes on: asked for, the last thing that is waited for, or found to be so.
    _offer: Offer = ""

    async def _ask_offer(self) -> None:
        """Asks the frame whether a passkey is to be offered after the login that goes on; its accounts come meanwhile."""
        asks = settings().passkey_offer and settings().secure_protocol == "walletmodal"
        if asks and not self._offer:
            self._offer = "asked"
            self._ask("PASSKEY_OFFER")

    async def _on_offer(self, answer: FrameAnswer) -> None:
        value = answer.value
        wanted = answer.ok and isinstance(value, dict) and value.get("offer") is True
        awaited, self._offer = self._offer == "awaited", "wanted" if wanted else ""
        if awaited:
            self._put(phase="loading")
            await lead_on_from_offer(self)

    async def _begin(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        self._put(phase=_WAITS_IN[kind], error="")
        self._ask(kind, payload)
        await (await self.get_state(ShellState))._save_record()

    async def _is_owner(self) -> bool:
        """Whether the embedded wallet is connected and one of the views is seen."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        seen = shell.view in PASSKEY_VIEWS and await shell._is_visible()
        return seen and bool(bridge._connections.by_connector(AUTH_ID))

    def _show(self, passkeys: list[Passkey]) -> None:
        self._put(rows=[_row(one) for one in passkeys], phase="shown", error="")

    @rx.event
    async def load(self) -> None:
        """Loads the list; what is being asked already goes on."""
        if await self._is_owner() and not self.get_value("question"):
            await self._begin("PASSKEY_LIST")

    @rx.event
    async def add(self) -> None:
        """Has the frame ask for a new passkey."""
        if await self._is_owner() and self.phase not in ("adding", "removing"):
            await self._begin("PASSKEY_ADD")

    @rx.event
    async def remove(self, passkey: str) -> None:
        """Has the frame ask whether a passkey is to be removed: the row's button."""
        listed = isinstance(passkey, str) and any(row["id"] == passkey for row in self.get_value("rows"))
        if listed and self.phase == "shown" and await self._is_owner():
            await self._begin("PASSKEY_REMOVE", {"id": passkey})

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
        if self._offer == "awaited" and (await self.get_state(ShellState)).view not in (*LOGIN_VIEWS, OFFER_VIEW):
            # A request of the host has taken the view meanwhile. The browser says it again when the login is seen again.
            return
        answer = self._take_answer(payload)
        if answer is None:
            return
        if answer.kind == "PASSKEY_OFFER":
            await self._on_offer(answer)
            await (await self.get_state(ShellState))._save_record()
            return
        passkeys = read_passkeys(answer.value) if answer.ok else None
        if passkeys is not None:
            self._show(passkeys)
            await self._on_success(answer.kind)
        elif answer.kind == "PASSKEY_LIST":
            self._put(phase="failed")
        else:
            self._put(phase="shown", error=answer.error)
        await (await self.get_state(ShellState))._save_record()

    async def _on_success(self, kind: str) -> None:
        shell, toasts = await self.get_state(ShellState), await self.get_state(ToastState)
        if kind == "PASSKEY_ADD":
            toasts._show(_("Passkey added"))
            if await shell._shows(OFFER_VIEW):
                await lead_on_from_offer(self)
        elif kind == "PASSKEY_REMOVE":
            toasts._show(_("Passkey removed"))

    def _clear(self) -> None:
        """Clears the list when nobody looks at it."""
        self._put(rows=[], phase="loading", question={}, error="")
        self._offer = ""


def _row(passkey: Passkey) -> PasskeyRow:
    used = passkey.used > passkey.made
    day = date_text(passkey.used if used else passkey.made)
    seen = _("Last used {day}", day=day) if used else _("Added {day}", day=day)
    return {"id": passkey.id, "name": browser_text(passkey.name), "site": passkey.site, "seen": seen}


async def lead_on_from_offer(state: rx.State) -> None:
    """Leads on from the offer, which came between a login and what the visitor wanted."""
    shell = await state.get_state(ShellState)
    await shell._on_connected()
    await shell._save_record()


async def offer_passkey(state: rx.State) -> bool:
    """Offers a passkey to who has just logged in, where the frame says so; True while the offer keeps the modal open."""
    passkeys, shell = await state.get_state(PasskeysState), await state.get_state(ShellState)
    if not passkeys._offer or shell.view == "ApproveTransaction":
        passkeys._offer = ""
        return False
    if passkeys._offer == "wanted":
        passkeys._clear()
        shell._reset(OFFER_VIEW)
    else:
        passkeys._offer = "awaited"
        passkeys._put(phase="asking")
        if shell.view not in LOGIN_VIEWS:
            # After a sign-in, say: its view asks nobody.
            shell._reset(OFFER_VIEW)
    return True


async def clear_passkeys(state: rx.State) -> None:
    """Clears the list for another page, and when the modal closes."""
    (await state.get_state(PasskeysState))._clear()


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record; None where nothing of it is seen or asked."""
    passkeys, shell = await get_substate(state, PasskeysState), await get_substate(state, ShellState)
    question = passkeys.get_value("question")
    if not question and frozenset(PASSKEY_VIEWS).isdisjoint(dict(shell._stack)):
        return None
    return {"phase": passkeys.phase, "error": passkeys.error, "offer": passkeys._offer, "question": question or None}


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned; a list is loaded anew."""
    passkeys, shell = await state.get_state(PasskeysState), await state.get_state(ShellState)
    passkeys._put(phase=part["phase"], error=recalled(part["error"]), question=part["question"] or {})
    passkeys._offer = part["offer"]
    if shell.view == LIST_VIEW and passkeys.phase in ("shown", "loading"):
        await passkeys._begin("PASSKEY_LIST")
