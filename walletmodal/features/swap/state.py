"""Form of a swap: which token, how much of it, for which, and what that brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, Literal

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.constants import SWAP_NETWORKS
from walletmodal.core.errors import WalletModalError
from walletmodal.core.language import _
from walletmodal.core.swaps.form import SwapForm, SwapLabel, swap_label
from walletmodal.core.swaps.terms import DEFAULT_SLIPPAGE
from walletmodal.core.text.amounts import format_units
from walletmodal.core.text.display_text import typed_text
from walletmodal.core.text.texts import SWAP_INITIALIZE_FAILED
from walletmodal.core.transfers.amount_input import TypedAmount, read_amount
from walletmodal.core.transfers.fees import spendable
from walletmodal.core.transfers.send_button import amount_hint, fiat_line
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.holdings import Holder, holder
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.payers import find_offer
from walletmodal.features.process import PROCESS
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.quote_lines import NO_LINES, fee_line, quote_impact, quote_lines
from walletmodal.features.swap.sides import ARGUMENTS, SideName, SidesMixin
from walletmodal.features.swap.slippage import SlippageMixin
from walletmodal.features.swap.tokens import SwapChoice, fee_coin, find_choice, load_choices, with_price
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.low_priority import low_priority
from walletmodal.services.swaps import Quoted, SwapOrder

VIEW: Final = "Swap"
MAX_AMOUNT: Final = 100
TYPING_SECONDS: Final = 0.2
"""So long after the last letter a quote is asked for."""

NO_FEE: Final = _("The network fee is not known right now. Type an amount instead.")
OTHER_NETWORK: Final = _("Your wallet is on another network now. Choose what to swap there.")
LACKS_FEE: Final = _("There is not enough of the network's own coin to pay the fee.")


class SwapState(SlippageMixin, SidesMixin, rx.State):
    """What the visitor has entered, and what follows from it; its tokens are those of `SidesMixin`.

    Attributes:
        amount: as typed.
        worth, received_worth: the lines below the two amounts; hint: what to do about an amount.
        exceeded: whether the amount is above the balance.
        received: what it brings, as it is shown; quoting: whether that is being asked for.
        error: why there is no quote, in the provider's words.
        rate, impact, allowed, least, fee: the details; impact_marked: whether the impact is high.
        phase: of the tokens: loading, known, unavailable; unsupported: nothing is swapped on this network.
        notice: why the visitor is here again.
    """

    amount: str = ""
    worth: str = ""
    hint: str = ""
    exceeded: bool = False
    received: str = ""
    received_worth: str = ""
    quoting: bool = False
    error: str = ""
    rate: str = ""
    impact: str = ""
    impact_marked: bool = False
    allowed: str = ""
    least: str = ""
    fee: str = ""
    phase: Literal["loading", "known", "unavailable", "unsupported"] = "loading"
    notice: str = ""
    label: SwapLabel = "Select token"

    _coin: SwapChoice | None = None
    _quoted: Quoted | None = None
    # Of a usual swap, in wei.
    _fee: int | None = None
    # Somebody else may pay it.
    _sponsored: bool = False
    # The latest question for a quote; earlier answers are dropped.
    _run: int = 0
    # The process that asks it, "" for none yet.
    _quoter: str = ""
    # The account that all of it is about, CAIP-10.
    _of: str = ""

    def _native(self) -> SwapChoice | None:
        """Returns the network's own coin, in which fees are paid."""
        found: SwapChoice | None = self.get_value("_coin")
        return found

    def _offer(self) -> Quoted | None:
        """Returns what was quoted for what is entered."""
        found: Quoted | None = self.get_value("_quoted")
        return found

    @property
    def _typed(self) -> TypedAmount:
        chosen: SwapChoice | None = self._side("source")
        return TypedAmount() if chosen is None else read_amount(self.amount, chosen.decimals)

    def _impact(self) -> Decimal | None:
        """Returns the price impact of what is quoted, in percent; None where it is not known."""
        quoted, source, target = self._offer(), self._side("source"), self._side("target")
        if quoted is None or source is None or target is None:
            return None
        return quote_impact(quoted, self._typed.base_units, source, target)

    def _order(self, found: Holder) -> SwapOrder | None:
        """Returns what is entered as it is asked for; None where something is missing."""
        amount = self._typed.base_units
        source, target = self._side("source"), self._side("target")
        if source is None or target is None or not amount:
            return None
        account_id = AccountId(found.chain, found.address)
        return SwapOrder(found.caller, account_id, source.id, target.id, amount, self._slippage(self._impact()))

    def _update_form(self) -> None:
        """Updates the button's label and the lines beside the amounts."""
        typed, source, target = self._typed, self._side("source"), self._side("target")
        decimals, held = (0, 0) if source is None else (source.decimals, source.balance)
        lacks_fee = typed.base_units > 0 and self._lacks_fee(typed.base_units)
        self._put(
            worth=fiat_line(typed, decimals, None if source is None else source.price),
            hint=amount_hint(typed.problem, decimals) or (LACKS_FEE if lacks_fee and typed.base_units <= held else ""),
            exceeded=typed.base_units > held,
            label=swap_label(
                SwapForm(source is not None and target is not None, typed, held, lacks_fee, self.error != "")
            ),
        )
        self._update_details()

    def _update_details(self) -> None:
        quoted, source, target = self._offer(), self._side("source"), self._side("target")
        amount, impact = self._typed.base_units, self._impact()
        slippage = self._slippage(impact)
        self._put_slippage(slippage)
        if quoted is None or source is None or target is None or not amount:
            self._put(**NO_LINES)
        else:
            self._put(**quote_lines(quoted, amount, source, target, slippage=slippage, impact=impact))

    def _lacks_fee(self, amount: int) -> bool:
        """Whether the native coin, less what of it is swapped, cannot pay the fee; not while that is unknown, or somebody else may pay."""
        coin, fee = self._native(), self._fee
        if coin is None or fee is None or self._sponsored:
            return False
        return fee > spendable(coin.balance, amount if self._gives_coin else 0)

    def _choose(self, side: SideName, choice: SwapChoice) -> Followups:
        """Sets a token that was chosen; of another source the amount is still to be typed."""
        if side == "source" and choice.id != self.source:
            self._put(amount="")
            self._on_changed("amount")
            self.filled += 1
        self._put_side(side, choice)
        self._on_changed(ARGUMENTS[side])
        self._put(notice="")
        return self._requote()

    def _drop_quote(self) -> None:
        """Drops what was quoted: something else is to be asked for."""
        self._run += 1
        self._quoted = None
        self._put(quoting=False, error="")

    def _clear(self) -> None:
        """Clears the form."""
        self._drop_quote()
        self._put_side("source", None)
        self._put_side("target", None)
        self._put(amount="", notice="", slippage=f"{DEFAULT_SLIPPAGE}", own_slippage="", fee="")
        self._on_filled_in({}, "")
        self._coin, self._fee, self._wished = None, None, ("", "")
        self.filled += 1
        self._update_form()

    def _fill_in(self, given: Mapping[str, str], host: str) -> None:
        """Fills in what the host page gives; its tokens are found once they are known."""
        self._clear()
        self._wished = given["fromToken"], given["toToken"]
        self._put(amount=given["amount"], phase="loading")
        self._on_filled_in(given, host)

    def _sync_account(self, found: Holder | None) -> bool:
        """Updates the form to the account; True when it is another. What was entered for another network does not stay."""
        of = "" if found is None else found.caip_address
        before = self._of
        if of == before:
            return False
        self._of = of
        if before and before.rpartition(":")[0] != of.rpartition(":")[0]:
            entered = self.amount or self.target
            self._clear()
            self._put(notice=OTHER_NETWORK if entered else "")
        self._drop_quote()
        self._put(phase="loading")
        return True

    async def _is_smart(self) -> bool:
        return (await account(self, await active_namespace(self))).kind == "smartAccount"

    @rx.event
    async def open_form(self) -> None:
        """Opens the form, or the choice of a network that has swaps: the account's Swap button."""
        shell, found = await self.get_state(ShellState), await holder(self)
        if found is None:
            return
        network, smart = str(found.chain), await self._is_smart()
        await (await self.get_state(BridgeState))._publish(events.open_swap(network=network, is_smart_account=smart))
        shell._push(VIEW)
        await shell._save_record()

    @rx.event
    async def on_shown(self) -> Followups:
        """Loads the form that is shown; before the host is known, its first snapshot does the same."""
        if not (await self.get_state(EmbedState))._ready:
            return []
        self._sync_account(await holder(self))
        return [SwapState.load]

    @rx.event(background=True)
    async def load(self) -> Followups:
        """Loads what can be swapped, what the account has of it, and what a swap costs."""
        return await load_form(self)

    @rx.event
    async def type_amount(self, text: str) -> Followups:
        """Sets the amount that was typed, and asks what it brings."""
        typed = typed_text(text, limit=MAX_AMOUNT) if isinstance(text, str) else self.amount
        if typed == self.amount:
            return []
        self._put(amount=typed, notice="")
        self._on_changed("amount")
        await self._save_form()
        return self._requote()

    @rx.event
    async def use_max(self) -> Followups:
        """Sets the whole balance; of the coin what the fee leaves: the Max button."""
        chosen = self._side("source")
        if chosen is None:
            return []
        kept = 0 if self._sponsored or not self._gives_coin else self._fee
        if kept is None:
            self._put(hint=NO_FEE)
            return []
        amount = spendable(chosen.balance, kept)
        self._put(amount=format_units(amount, chosen.decimals), notice="")
        self._on_changed("amount")
        self.filled += 1
        await self._save_form()
        return self._requote()

    @rx.event
    async def switch_sides(self) -> Followups:
        """Swaps the two sides: what was received is given."""
        source, target, received = self._side("source"), self._side("target"), self.received
        if self.phase != "known" or (source is None and target is None):
            return []
        self._put_side("source", target)
        self._put_side("target", source)
        self._put(amount=received if target is not None else "", notice="")
        other = {ARGUMENTS["source"]: ARGUMENTS["target"], ARGUMENTS["target"]: ARGUMENTS["source"]}
        self._filled_in = tuple(other.get(name, name) for name in self._filled_in)
        self.filled += 1
        await self._save_form()
        return self._requote()

    async def _save_form(self) -> None:
        await (await self.get_state(ShellState))._save_record()

    def _requote(self) -> Followups:
        """Drops the quote, and asks for another where there is something to ask."""
        self._drop_quote()
        asks = self._side("source") is not None and self._side("target") is not None and self._typed.base_units > 0
        self._put(quoting=asks)
        self._quoter = ""
        self._update_form()
        return [SwapState.load_quote] if asks else []

    def _left_behind(self) -> bool:
        """Whether a quote is awaited that another process was asked for: that may be gone."""
        return self.quoting and self._quoter != PROCESS

    @rx.event
    def retry(self) -> Followups:
        """Asks once more: after a failure."""
        return self._requote() if self.phase == "known" else [SwapState.load]

    @rx.event(background=True)
    async def load_quote(self) -> None:
        """Asks what the swap brings, once the visitor has stopped typing."""
        async with self:
            self._run += 1
            run, self._quoter = self._run, PROCESS
        await deployment().clock.sleep(TYPING_SECONDS)
        await self._ask_quote(run)

    @rx.event(background=True)
    @low_priority("progress")
    async def refresh(self) -> None:
        """Asks anew while the form is looked at."""
        async with self:
            if self.quoting or (await self.get_state(ShellState)).view != VIEW:
                return
            run = self._run
        await self._ask_quote(run)

    async def _ask_quote(self, run: int) -> None:
        async with self:
            found = await holder(self)
            order = None if found is None or self._run != run else self._order(found)
            target = self._side("target")
            if found is None or order is None or target is None:
                return
        error, quoted, price = "", None, target.price
        try:
            quoted = await deployment().swaps.quote(order)
            price = await with_price(found, target)
        except WalletModalError as failure:
            error = failure.short_message
        async with self:
            if self._run != run:
                return
            if target.price is None and price is not None:
                self._target = replace(target, price=price)
            self._quoted = quoted
            self._put(quoting=False, error=error)
            self._update_form()


async def _usual_fee(chain: ChainId) -> int | None:
    """Returns what a usual swap costs, in wei; None where it is not known now."""
    try:
        return await deployment().swaps.usual_fee(chain)
    except WalletModalError:
        return None


async def load_form(state: Any) -> Followups:
    """Loads what can be swapped, what the account has of it, and what a swap costs.

    Args:
        state: any of the visitor's in a background event, not held.
    """
    async with state:
        form, found = await state.get_state(SwapState), await holder(state)
        form._sync_account(found)
        if found is None or str(found.chain) not in SWAP_NETWORKS:
            form._put(phase="unavailable" if found is None else "unsupported")
            return []
        wanted = form.source, form.target
    try:
        choices = await load_choices(found)
    except WalletModalError:
        async with state:
            form = await state.get_state(SwapState)
            news = form.phase != "unavailable"
            form._put(phase="unavailable")
            if news and await (await state.get_state(ShellState))._is_visible():
                (await state.get_state(ToastState))._show(SWAP_INITIALIZE_FAILED, "error")
        return []
    fee = await _usual_fee(found.chain)
    offer = await find_offer(state, AccountId(found.chain, found.address))
    async with state:
        form, now = await state.get_state(SwapState), await holder(state)
        if now is None or now.caip_address != found.caip_address or (form.source, form.target) != wanted:
            return []
        coin = next((one for one in choices if one.native), None)
        form._coin, form._fee, form._sponsored = coin, fee, offer is not None
        form._put(fee=fee_line(fee, fee_coin(found.chain, coin)))
        form._put_side("source", find_choice(choices, form.source) if form.source else coin)
        target = find_choice(choices, form.target) if form.target else None
        form._put_side("target", target)
        for name in form._grant_wish(choices):
            bridge = await state.get_state(BridgeState)
            await bridge._warn(f'open({{view: "Swap"}}): no one token here is "{name}"; it is left out.')
        form._put(phase="known")
        form._update_form()
        return [SwapState.load_quote] if form._order(found) else []
