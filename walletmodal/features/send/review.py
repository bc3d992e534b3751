"""Preview of a transfer: everything that can be known before it is signed, and the request to the wallet."""

from __future__ import annotations

import asyncio
from typing import Any, Final, Literal

import reflex as rx

from walletmodal.core.errors import TransportError, WalletModalError
from walletmodal.core.errors.receivers import ReceiverUncheckedError
from walletmodal.core.transfers.fees import SPEEDS, Speed
from walletmodal.core.transfers.send_button import PREVIEW
from walletmodal.deployment import deployment
from walletmodal.features.account.holdings import holder
from walletmodal.features.account.state import account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.send.frozen import Frozen, to_sign
from walletmodal.features.send.preparing import Draft, prepare_transfer, reason_text
from walletmodal.features.send.state import VIEW as FORM
from walletmodal.features.send.state import SendState
from walletmodal.features.send.wallet_requests import ask_wallet
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.transactions.state import PendingState

VIEW: Final = "WalletSendPreview"

CHANGED: Final = "Something has changed since you last looked. Check it again before you send."
OTHER_ACCOUNT: Final = "Your wallet uses another account now. Check everything again before you send."
NOT_CHECKED: Final = "The network could not be asked whether all is still as you see it, so nothing was sent."
OTHER_NETWORK: Final = "Your wallet is on another network now. Choose what to send there."
NOTHING_TO_SEND: Final = "Choose what to send first."

Phase = Literal["loading", "ready", "blocked", "failed", "checking", "asking"]


class ReviewState(AssigningMixin, rx.State):
    """The preview.

    Attributes:
        plan: its texts, a `Plan` once there is one.
        phase: loading (it is being prepared), ready, blocked (it would fail), failed (there is nothing to show), checking (the visitor has confirmed), asking
            (the wallet has it).
        error: why it failed, or why nothing was sent.
        notice: why the visitor sees a fresh preview.
        accepted: whether the visitor has accepted the warnings.
        speed: how much is paid for the network's hurry.
        seen: which preview this is; the visitor's clicks name it, for one that comes late must not count for another.
    """

    plan: dict[str, Any] = {}
    phase: Phase = "loading"
    error: str = ""
    notice: str = ""
    accepted: bool = False
    speed: Speed = "normal"
    seen: str = ""

    _frozen: Frozen | None = None
    _run: int = 0
    _preparing: int = -1
    _question: str = ""

    def _reload(self, notice: str = "") -> Followups:
        """Starts a fresh preview; what was prepared before is signed no more."""
        self._run += 1
        self._frozen, self._question = None, ""
        self._put(plan={}, phase="loading", error="", notice=notice, accepted=False)
        return [ReviewState.prepare]

    def _clear(self) -> None:
        """Clears the preview."""
        self._reload()
        self._put(speed="normal")

    def _on_asked(self, question: str) -> None:
        """Notes that the wallet is being asked; the resume record is written with the question."""
        self._question = question
        self._put(phase="asking")

    def _on_refused(self, error: str) -> Followups:
        """Shows why nothing was sent; the visitor may try again."""
        self._question = ""
        if self.get_value("_frozen") is None:
            # A session that was lost meanwhile: it is prepared afresh.
            followups = self._reload()
            self._put(error=error)
            return followups
        self._put(phase="ready", error=error)
        return []

    async def _draft(self) -> Draft | None:
        """Returns what the form holds now; None where there is nothing to send, or nobody to send it."""
        form, found = await self.get_state(SendState), await holder(self)
        if found is None or not form.token:
            return None
        held = await account(self, found.chain.namespace)
        return Draft(
            holder=found,
            owner=(await self.get_state(PendingState))._owner(),
            of=found.caip_address,
            connector=held.connector,
            own=tuple(one for one in held._accounts if one != found.address),
            key=form.token,
            amount=form.amount,
            receiver=form.receiver,
            speed=self.speed,
        )

    async def _is_current(self) -> bool:
        """Whether account, network and wallet are those that the preview was made for."""
        frozen: Frozen | None = self.get_value("_frozen")
        found = await holder(self)
        if frozen is None or found is None:
            return False
        connector = (await account(self, found.chain.namespace)).connector
        return (found.chain, found.address, connector) == (frozen.chain, frozen.sender, frozen.connector)

    @rx.event
    async def open(self) -> Followups:
        """Opens the preview: the form's button."""
        form, shell = await self.get_state(SendState), await self.get_state(ShellState)
        if form.label != PREVIEW or shell.view != FORM:
            return []
        shell._push(VIEW)
        await shell._save_record()
        # What a wallet is still being asked for is what the visitor comes back to.
        return [] if self.phase == "asking" else self._reload()

    @rx.event
    async def on_shown(self) -> Followups:
        """Prepares a preview that is shown and not prepared yet."""
        return await self._sync() if (await self.get_state(EmbedState)).ready else []

    async def _sync(self) -> Followups:
        """Updates the preview to the wallet: another account is shown afresh, another network has other tokens to send."""
        form, shell = await self.get_state(SendState), await self.get_state(ShellState)
        changed = await form._sync_account(await holder(self))
        if shell.view != VIEW or self.phase == "asking":
            return [SendState.load] if changed else []
        if not form.token:
            self._clear()
            await shell._return_to(FORM)
            if changed:
                form._put(notice=OTHER_NETWORK)
            return [SendState.load]
        if self.phase == "loading":
            return [ReviewState.prepare]
        return [] if self.phase in ("failed", "blocked") or await self._is_current() else self._reload(OTHER_ACCOUNT)

    @rx.event
    async def retry(self) -> Followups:
        """Prepares the preview once more."""
        return self._reload() if self.phase in ("failed", "blocked", "ready", "loading") else []

    @rx.event
    async def choose_speed(self, speed: str) -> Followups:
        """Sets the speed, and prepares the preview anew."""
        if speed not in SPEEDS or speed == self.speed or self.phase not in ("ready", "blocked", "failed"):
            return []
        self.speed = speed
        return self._reload()

    @rx.event
    async def accept(self, accepted: bool, seen: str) -> None:
        """Accepts the warnings of the preview that was seen."""
        if self.phase == "ready" and seen == self.seen:
            self._put(accepted=accepted is True)

    @rx.event(background=True)
    async def prepare(self) -> Followups:
        """Examines the receiver, builds the transaction, and has a node simulate it."""
        async with self:
            run, draft = self._run, await self._draft()
            if self.phase != "loading" or self._preparing == run:
                return []
            self._preparing = run
            if draft is None:
                self._put(phase="failed", error=NOTHING_TO_SEND)
                return []
        try:
            made, shown = await prepare_transfer(draft)
        except WalletModalError as error:
            async with self:
                if self._run == run and self.phase == "loading":
                    self._put(phase="failed", error=reason_text(error))
            return []
        async with self:
            if self._run != run or self.phase != "loading":
                return []
            if await self._draft() != draft:
                # Typed or moved on meanwhile: what is shown must be what is entered.
                return self._reload(self.notice)
            self._frozen = made
            self._put(seen=new_id(), plan=shown, phase="blocked" if made is None else "ready")
        return []

    @rx.event
    async def confirm(self, seen: str) -> Followups:
        """Confirms what was seen, with its warnings accepted: the Send button."""
        frozen: Frozen | None = self.get_value("_frozen")
        shell = await self.get_state(ShellState)
        if self.phase != "ready" or frozen is None or shell.view != VIEW:
            return []
        if seen != self.seen:
            # Clicked when another preview was shown, and long on its way.
            self._put(notice=CHANGED)
            return []
        if frozen.needs_acceptance and not self.accepted:
            return []
        if not await self._is_current():
            return self._reload(OTHER_ACCOUNT)
        self._put(phase="checking", error="", notice="")
        return [ReviewState.check]

    async def _drop_left(self) -> bool:
        """Drops what was confirmed where the visitor has gone elsewhere since: who goes back is not asked by the wallet."""
        left = (await self.get_state(ShellState)).view != VIEW
        if left:
            self._reload()
        return left

    @rx.event(background=True)
    async def check(self) -> Followups:
        """Checks once more that all is as the visitor saw it, and asks the wallet; else shows what has changed."""
        async with self:
            run, frozen = self._run, self.get_value("_frozen")
            caller = (await self.get_state(EmbedState))._caller()
            if self.phase != "checking" or frozen is None:
                return []
        held, notice, now = deployment(), CHANGED, None
        adapter = held.chains.adapter(frozen.chain.namespace)
        try:
            _, again = await asyncio.gather(
                held.receivers.check_unchanged(caller, frozen.chain, frozen.receiver),
                adapter.build_transfer(frozen.sender, frozen.transfer, frozen.speed),
            )
            now = to_sign(frozen.prepared, again)
        except (TransportError, ReceiverUncheckedError):
            notice = ""
        except WalletModalError as error:
            notice = reason_text(error)
        async with self:
            if self._run != run or self.phase != "checking" or await self._drop_left():
                return []
            if not await self._is_current():
                return self._reload(OTHER_ACCOUNT)
            if now is not None:
                return await ask_wallet(self, frozen, now)
            if notice:
                return self._reload(notice)
            self._on_refused(NOT_CHECKED)
        return []

    @rx.event
    async def stop_waiting(self) -> Followups:
        """Stops waiting for the wallet; what it may still send is on record, and its answer is told when it comes."""
        return self._reload() if self.phase == "asking" else []

    @rx.event
    async def cancel(self) -> None:
        """Returns to the form: the Cancel button."""
        shell = await self.get_state(ShellState)
        if shell.view == VIEW:
            await shell._back()
            await shell._save_record()
