"""Preview of a transfer: everything that can be known before it is signed, and the request to the wallet."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

import reflex as rx

from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.errors import TransportError, WalletModalError
from walletmodal.core.errors.receivers import ReceiverUncheckedError
from walletmodal.core.language import _
from walletmodal.core.transfers.fees import SPEEDS, Speed
from walletmodal.core.transfers.send_button import PREVIEW
from walletmodal.deployment import deployment
from walletmodal.features.account.holdings import holder
from walletmodal.features.account.state import account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.operations import renew_payment
from walletmodal.features.embedded.payers import find_offer
from walletmodal.features.send.frozen import Frozen, substance, to_sign
from walletmodal.features.send.preparing import Draft, prepare_transfer, reason_text
from walletmodal.features.send.state import VIEW as FORM
from walletmodal.features.send.state import SendState
from walletmodal.features.send.wallet_requests import ask_wallet
from walletmodal.features.shell.state import ShellState
from walletmodal.features.transactions.preview import PreviewMixin, PreviewTexts
from walletmodal.features.transactions.state import PendingState

VIEW: Final = "WalletSendPreview"

CHANGED: Final[str] = _("Something has changed since you last looked. Check it again before you send.")
OTHER_ACCOUNT: Final = _("Your wallet uses another account now. Check everything again before you send.")
NOT_CHECKED: Final = _("The network could not be asked whether all is still as you see it, so nothing was sent.")
NOTHING_TO_SEND: Final = _("Choose what to send first.")

_TEXTS: Final = PreviewTexts(changed=CHANGED, other_account=OTHER_ACCOUNT)


class ReviewState(PreviewMixin, rx.State):
    """The preview of a transfer; its plan is a `Plan`. `speed`: how much is paid for the network's hurry."""

    speed: Speed = "normal"

    _frozen: Frozen | None = None

    def _view(self) -> str:
        return VIEW

    def _texts(self) -> PreviewTexts:
        return _TEXTS

    def _drop(self) -> None:
        self._frozen = None

    def _clear(self) -> None:
        """Clears the preview."""
        self._reload()
        self._put(speed="normal")

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
        return await self._sync() if (await self.get_state(EmbedState))._ready else []

    async def _sync(self) -> Followups:
        """Updates the preview to the wallet: another account is shown afresh, another network has other tokens to send."""
        form, shell = await self.get_state(SendState), await self.get_state(ShellState)
        changed = await form._sync_account(await holder(self))
        if shell.view != VIEW or self.phase == "asking":
            # Whoever was looking a name up may be gone; of several the last one does it.
            left: Followups = [SendState.resolve_name] if form.resolving else []
            return [SendState.load, *left] if changed else left
        if not form.token:
            self._clear()
            await shell._return_to(FORM)
            return [SendState.load]
        if self.phase == "loading":
            return [ReviewState.prepare]
        if self.phase == "checking" and await self._is_current():
            return [ReviewState.check]
        return [] if self.phase in ("failed", "blocked") or await self._is_current() else self._reload(OTHER_ACCOUNT)

    @rx.event
    async def choose_speed(self, speed: str) -> Followups:
        """Sets the speed, and prepares the preview anew."""
        if speed not in SPEEDS or speed == self.speed or self.phase not in ("ready", "blocked", "failed"):
            return []
        self.speed = speed
        return self._reload()

    @rx.event(background=True)
    async def prepare(self) -> Followups:
        """Examines the receiver, builds the transaction, and has a node simulate it."""
        async with self:
            if not self._begin_preparing():
                return []
            run, draft, own_fee = self._run, await self._draft(), self._own_fee
            if draft is None:
                self._put(phase="failed", error=NOTHING_TO_SEND)
                return []
        offer = None if own_fee else await find_offer(self, parse_account_id(draft.of))
        try:
            made, shown = await prepare_transfer(replace(draft, offer=offer))
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

    @rx.event(background=True)
    async def check(self) -> Followups:
        """Checks once more that all is as the visitor saw it, and asks the wallet; else shows what has changed."""
        async with self:
            run, frozen = self._run, self.get_value("_frozen")
            caller = (await self.get_state(EmbedState))._caller()
            if self.phase != "checking" or frozen is None:
                return []
        held, notice, now, paid = deployment(), CHANGED, None, None
        adapter, sponsored = held.chains.adapter(frozen.chain.namespace), frozen.payment.paid is not None
        try:
            _, again = await asyncio.gather(
                held.receivers.check_unchanged(caller, frozen.chain, frozen.receiver),
                adapter.build_transfer(frozen.sender, frozen.transfer, frozen.speed, sponsored=sponsored),
            )
            now = to_sign(frozen.prepared, again, sponsored=sponsored)
        except (TransportError, ReceiverUncheckedError):
            notice = ""
        except WalletModalError as error:
            notice = reason_text(error)
        if now is not None and sponsored:
            paid, notice = await renew_payment(frozen.payment, now.method, substance(now))
            now = now if paid is not None else None
        async with self:
            if self._run != run or self.phase != "checking" or await self._drop_left():
                return []
            if not await self._is_current():
                return self._reload(OTHER_ACCOUNT)
            if now is not None:
                return await ask_wallet(self, frozen, now, paid)
            return self._reload(notice) if notice else self._on_refused(NOT_CHECKED)
