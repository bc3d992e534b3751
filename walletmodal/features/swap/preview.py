"""Preview of a swap: proven by a simulation before the wallet is asked, first for an approval where one is needed."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.constants import SWAP_REFRESH
from walletmodal.core.errors import TransportError, WalletModalError
from walletmodal.core.errors.rules import SwapError
from walletmodal.core.language import _
from walletmodal.core.swaps.form import REVIEW
from walletmodal.core.swaps.terms import QUOTE_SECONDS
from walletmodal.core.transfers.simulation import failure_words
from walletmodal.deployment import deployment
from walletmodal.features.account.holdings import holder
from walletmodal.features.account.state import account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.operations import ACCOUNT_PAYS, FeePayment, find_payment, renew_payment
from walletmodal.features.embedded.payers import BATCH, find_offer
from walletmodal.features.send.frozen import to_sign
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.batches import ask_for_batches
from walletmodal.features.swap.frozen import FrozenSwap, swap_texts
from walletmodal.features.swap.plan import build_swap_plan
from walletmodal.features.swap.quote_lines import quote_impact
from walletmodal.features.swap.state import VIEW as FORM
from walletmodal.features.swap.state import SwapState, load_form
from walletmodal.features.swap.tokens import fee_coin
from walletmodal.features.swap.wallet_requests import ask_wallet, batch_params, swap_details
from walletmodal.features.transactions.preview import PreviewMixin, PreviewTexts
from walletmodal.reflex_internals.low_priority import low_priority
from walletmodal.services.swaps import PreparedSwap, SwapOrder

VIEW: Final = "SwapPreview"

CHANGED: Final[str] = _("The price has changed since you last looked. Check it again before you swap.")
OTHER_ACCOUNT: Final = _("Your wallet uses another account now. Check everything again before you swap.")
ONE_AT_A_TIME: Final = _("Your wallet does not do both at once: the approval comes first, and then the swap.")
NOT_CHECKED: Final = _("The network could not be asked whether all is still as you see it, so nothing was sent.")
NOTHING_TO_SWAP: Final = _("Choose what to swap first.")

FRESH: Final = timedelta(seconds=SWAP_REFRESH - 1)
"""A preview that is younger needs no fresh one."""

_TEXTS: Final = PreviewTexts(changed=CHANGED, other_account=OTHER_ACCOUNT)


class SwapPreviewState(PreviewMixin, rx.State):
    """The preview of a swap; its plan is a `SwapPlan`."""

    _frozen: FrozenSwap | None = None
    # Id of the last swap that the network has, until it is final.
    _sent: str = ""
    # Account, wallet, and whether that makes batches of calls, as it was asked last.
    _batching: tuple[str, str, bool] = ("", "", False)

    def _view(self) -> str:
        return VIEW

    def _texts(self) -> PreviewTexts:
        return _TEXTS

    def _kept(self) -> FrozenSwap | None:
        found: FrozenSwap | None = self.get_value("_frozen")
        return found

    def _drop(self) -> None:
        self._frozen = None

    def _is_old(self) -> bool:
        frozen = self._kept()
        return frozen is not None and deployment().clock.now() - frozen.made_at > timedelta(seconds=QUOTE_SECONDS)

    def _on_approving(self) -> None:
        """Notes that the network has the approval; the swap is offered when it is through."""
        self._put(phase="approving", error="")

    def _on_no_batches(self) -> Followups:
        """Notes that the wallet makes one call at a time, and prepares the approval."""
        self._batching = *self._batching[:2], False
        return self._reload(ONE_AT_A_TIME)

    async def _order(self) -> SwapOrder | None:
        """Returns what the form holds now; None where there is nothing to swap, or nobody to swap it."""
        form, found = await self.get_state(SwapState), await holder(self)
        return None if found is None else form._order(found)

    @rx.event
    async def open(self) -> Followups:
        """Opens the preview: the form's button."""
        form, shell = await self.get_state(SwapState), await self.get_state(ShellState)
        if form.label != REVIEW or form.quoting or shell.view != FORM:
            return []
        order = await self._order()
        source, target = form._side("source"), form._side("target")
        if order is None or source is None or target is None:
            return []
        quoted = form._offer()
        told = await swap_details(self, order, swap_texts(source, target, order.amount, quoted.amount if quoted else 0))
        await (await self.get_state(BridgeState))._publish(events.initiate_swap(told))
        shell._push(VIEW)
        await shell._save_record()
        # What a wallet is still being asked for is what the visitor comes back to.
        return [] if self.phase in ("asking", "approving") else self._reload()

    @rx.event
    async def on_shown(self) -> Followups:
        """Prepares a preview that is shown and not prepared yet."""
        return await self._sync() if (await self.get_state(EmbedState))._ready else []

    async def _sync(self) -> Followups:
        """Updates the preview to the wallet: another account is shown afresh, another network has other tokens."""
        form, shell = await self.get_state(SwapState), await self.get_state(ShellState)
        changed = form._sync_account(await holder(self))
        if shell.view != VIEW or self.phase in ("asking", "approving"):
            return [SwapState.load] if changed or form._left_behind() else []
        if not form.source or not form.target:
            self._reload()
            await shell._return_to(FORM)
            return [SwapState.load]
        if changed:
            return [SwapState.load, *self._reload(OTHER_ACCOUNT)]
        if self.phase == "loading":
            return [SwapPreviewState.prepare]
        if self.phase == "checking" and await self._is_current():
            return [SwapPreviewState.check]
        return [] if self.phase in ("failed", "blocked") or await self._is_current() else self._reload(OTHER_ACCOUNT)

    @rx.event(background=True)
    async def prepare(self) -> Followups:
        """Builds the transactions, and has a node simulate them."""
        async with self:
            if not self._begin_preparing():
                return []
            run = self._run
            form = await self.get_state(SwapState)
            known = form._side("source") is not None and form._side("target") is not None
        if not known:
            # A session that was lost knows which tokens, and not yet what they are.
            await load_form(self)
        return await self._prepare(run)

    @rx.event(background=True)
    @low_priority("progress")
    async def refresh(self) -> Followups:
        """Prepares the preview anew while it is looked at; what is shown stays until then."""
        async with self:
            frozen, now = self._kept(), deployment().clock.now()
            if self.phase != "ready" or frozen is None or (await self.get_state(ShellState)).view != VIEW:
                return []
            if now - frozen.made_at < FRESH:
                # Who comes back to it sees it at once, and asks at the same time.
                return []
            run = self._run
        return await self._prepare(run)

    async def _prepare(self, run: int) -> Followups:
        async with self:
            form, found = await self.get_state(SwapState), await holder(self)
            order = None if found is None else form._order(found)
            source, target, coin = form._side("source"), form._side("target"), form._native()
            connector = "" if found is None else (await account(self, found.chain.namespace)).connector
            icons, frozen, own_fee = (form.source_icon, form.target_icon), self._kept(), self._own_fee
        if order is None or source is None or target is None:
            return await self._show_failure(run, NOTHING_TO_SWAP)
        payment = ACCOUNT_PAYS
        if frozen is not None:
            # Who pays is asked again before the visitor's word counts.
            payment = frozen.payment
        elif not own_fee:
            payment = FeePayment(await find_offer(self, order.account))
        try:
            prepared, payment = await _priced(order, payment, source.decimals, target.decimals)
        except WalletModalError as error:
            return await self._show_failure(run, failure_words(error))
        impact = quote_impact(prepared.quoted, order.amount, source, target)
        batch = payment.paid is not None or (prepared.approves and await ask_for_batches(self, order, connector))
        plan = build_swap_plan(
            order,
            prepared,
            source,
            target,
            fee_coin(order.account.chain, coin),
            impact=impact,
            icons=icons,
            batch=batch,
            payer=payment.payer,
            payer_icon=payment.icon,
            unpaid=payment.unpaid,
        )
        made = FrozenSwap(
            order,
            prepared,
            connector,
            source,
            target,
            deployment().clock.now(),
            needs_acceptance=plan["accepts"],
            batch=batch,
            payment=payment,
        )
        async with self:
            if self._run != run or self.phase not in ("loading", "ready"):
                return []
            if await self._order() != order:
                # Typed or moved on meanwhile: what is shown must be what is entered.
                return self._reload(self.notice)
            same = self.phase == "ready" and self.get_value("plan") == plan
            self._frozen = made
            if not same:
                self._put(seen=new_id(), plan=dict(plan), accepted=False)
            self._put(phase="blocked" if prepared.fault else "ready")
        return []

    async def _show_failure(self, run: int, error: str) -> Followups:
        async with self:
            if self._run == run and self.phase in ("loading", "ready"):
                self._put(phase="failed", error=error)
        return []

    @rx.event(background=True)
    async def check(self) -> Followups:
        """Simulates once more what the visitor saw, and asks the wallet; else shows what has changed."""
        async with self:
            run, frozen = self._run, self._kept()
            if self.phase != "checking" or frozen is None:
                return []
        notice, now, paid = CHANGED, None, None
        sponsored = frozen.payment.paid is not None
        try:
            step, fault = await deployment().swaps.check(frozen.order, frozen.prepared, sponsored=sponsored)
            shown = frozen.prepared.next
            if not fault and step is not None and shown is not None:
                # A pool's state changes with each block, and with it what a swap of it costs.
                now = to_sign(shown, step, more_gas_percent=25, sponsored=sponsored)
        except TransportError:
            notice = ""
        except WalletModalError as error:
            notice = failure_words(error)
        if now is not None and sponsored:
            paid, notice = await renew_payment(frozen.payment, BATCH, batch_params(frozen.order, frozen.prepared))
            now = now if paid is not None else None
        async with self:
            if self._run != run or self.phase != "checking" or await self._drop_left():
                return []
            if not await self._is_current():
                return self._reload(OTHER_ACCOUNT)
            if now is not None:
                return await ask_wallet(self, frozen, now, paid)
            return self._reload(notice) if notice else self._on_refused(NOT_CHECKED)


async def _priced(order: SwapOrder, payment: FeePayment, source: int, target: int) -> tuple[PreparedSwap, FeePayment]:
    """Builds a swap, and finds out who pays its fee; the arguments after the payment are the decimals of both tokens.

    Raises:
        WalletModalError: it is not offered, or the account must pay the fee and cannot.
    """
    swaps, sponsored = deployment().swaps, payment.offer is not None and not payment.unpaid
    prepared, _ = await asyncio.gather(
        swaps.prepare(order, sponsored=sponsored), swaps.check_decimals(order, source, target)
    )
    if sponsored and payment.paid is None and not prepared.fault:
        payment = await find_payment(payment.offer, BATCH, batch_params(order, prepared))
        if payment.unpaid:
            try:
                prepared = await swaps.prepare(order)
            except WalletModalError as error:
                raise SwapError(f"{payment.unpaid} {failure_words(error)}") from error
    return prepared, payment
