"""Form of a transfer: which token, how much of it, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Literal

import reflex as rx

from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.analytics import events
from walletmodal.core.chains.addresses import address_fault, avatar, truncate
from walletmodal.core.chains.caip import NAMESPACES, AccountId, ChainId, Namespace
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.services import TokenBalanceUnavailableError
from walletmodal.core.language import _
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.protocol.options import AccountType
from walletmodal.core.text.amounts import format_units
from walletmodal.core.text.display_text import typed_text
from walletmodal.core.text.formatting import format_amount
from walletmodal.core.text.texts import BALANCE_UNAVAILABLE
from walletmodal.core.transfers.amount_input import TypedAmount, read_amount
from walletmodal.core.transfers.fees import fee_value, spendable
from walletmodal.core.transfers.receiver_checks import ReceiverWarning, is_foreign_address, looks_like_name
from walletmodal.core.transfers.receiver_input import MAX_PASTED, clean_receiver
from walletmodal.core.transfers.send import lacks_gas
from walletmodal.core.transfers.send_button import (
    SendForm,
    SendLabel,
    TypedReceiver,
    amount_hint,
    fiat_line,
    send_label,
)
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.holdings import Holder, holder, token_icon
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.payers import find_offer
from walletmodal.features.filled_in import FilledInMixin
from walletmodal.features.send.tokens import TokenRow, find_token, is_coin, named_token, symbol, token_key, units
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

VIEW: Final = "WalletSend"
MAX_AMOUNT: Final = 100
TYPING_SECONDS: Final = 0.5
"""So long after the last letter a name is looked up."""

NO_FEE: Final = _("The network fee is not known right now. Type an amount instead.")
OTHER_NETWORK: Final = _("Your wallet is on another network now. Choose what to send there.")
NOBODY: Final = _("No account was found under this name.")
LOOKUP_FAILED: Final = _("The name could not be looked up.")
CONFUSABLE: Final = _("Letters of this name only look like those of another. Ask the receiver for the address.")


class SendState(FilledInMixin, rx.State):
    """What the visitor has entered, and what follows from it.

    Attributes:
        token: key of the token that was picked, "" before; `symbol` and `icon` are its own.
        balance: of the token, as it is shown.
        amount, receiver: as typed.
        filled: counts how often the server has filled a field in.
        worth: the line below the amount; `hint` what to do about an amount that cannot be read.
        exceeded: whether the amount is above the balance.
        receiver_name, receiver_address, receiver_avatar: where a typed name leads to: the name as it is shown, and the short address.
        note: what is wrong with the receiver; `warning`: which of the warnings that is, "" for none of them.
        resolving: whether a name is being looked up.
        retries: whether looking it up once more may help.
        phase: of the balances: loading, known, unavailable.
        notice: why the visitor is here again.
    """

    token: str = ""
    symbol: str = ""
    icon: str = ""
    balance: str = ""
    # Whether it is the network's coin, of which the fee is paid.
    _native: bool = False
    amount: str = ""
    filled: int = 0
    worth: str = ""
    hint: str = ""
    exceeded: bool = False
    receiver: str = ""
    receiver_name: str = ""
    receiver_address: str = ""
    receiver_avatar: str = ""
    note: str = ""
    warning: ReceiverWarning | Literal[""] = ""
    resolving: bool = False
    retries: bool = False
    phase: Literal["loading", "known", "unavailable"] = "loading"
    notice: str = ""
    label: SendLabel = "Select Token"

    _picked: TokenBalance | None = None
    _coin: TokenBalance | None = None
    # The most that sending costs the account.
    _fee: int | None = None
    _validity: TypedReceiver = "none"
    _lookup: int = 0
    # The token that the host page wants, until the balances are known.
    _wished: str = ""
    # The account that all of it is about, CAIP-10.
    _of: str = ""

    @property
    def _typed(self) -> TypedAmount:
        picked: TokenBalance | None = self.get_value("_picked")
        return TypedAmount() if picked is None else read_amount(self.amount, picked.quantity.decimals)

    async def _update_form(self) -> None:
        """Updates the button's label and the lines beside the amount; a session that is lost now goes on with them."""
        picked: TokenBalance | None = self.get_value("_picked")
        typed = self._typed
        decimals, held = (0, 0) if picked is None else (picked.quantity.decimals, units(picked))
        self._put(
            worth=fiat_line(typed, decimals, None if picked is None else picked.price),
            hint=amount_hint(typed.problem, decimals),
            exceeded=typed.base_units > held,
            label=send_label(
                SendForm(picked is not None, typed, held, self._validity, await self._lacks_gas(typed.base_units))
            ),
        )
        await (await self.get_state(ShellState))._save_record()

    async def _lacks_gas(self, amount: int) -> bool:
        """Whether the native coin, less what of it is sent, cannot pay the fee. Without a price both count in coins."""
        coin: TokenBalance | None = self.get_value("_coin")
        kind: AccountType = "smartAccount" if await self._is_smart() else "eoa"
        if coin is None:
            return lacks_gas(kind, None, None)
        price, decimals = coin.price or Decimal(1), coin.quantity.decimals
        left = spendable(units(coin), amount if self._native else 0)
        return lacks_gas(kind, fee_value(left, decimals, price), fee_value(self._fee or 0, decimals, price))

    async def _clear(self, *, receiver: bool = True) -> None:
        """Clears the form; with another account on the same kind of network the receiver may stay."""
        self._put(token="", symbol="", icon="", balance="", _native=False, amount="", notice="")
        self._on_changed("token", "amount")
        self._picked, self._wished = None, ""
        if receiver:
            self._on_changed("to")
            self._lookup += 1
            self._validity = "none"
            self._put(receiver="", note="", warning="", resolving=False, retries=False)
            self._clear_resolved()
        self.filled += 1
        await self._update_form()

    async def _fill_in(self, given: Mapping[str, str], host: str) -> None:
        """Fills in what the host page gives; its token and its receiver are looked at with the balances."""
        await self._clear()
        self._wished = given["token"]
        self._put(amount=given["amount"], receiver=given["to"], phase="loading")
        self._on_filled_in(given, host)

    async def _grant_wish(self, named: TokenBalance | None, chain: ChainId) -> None:
        """Picks the token that the host page has named; None where the account has none of that name."""
        wished, self._wished = self._wished, ""
        if named is not None:
            self._put(token=token_key(named, chain), icon=token_icon(named.icon_url) if named.icon_url else "")
        elif wished:
            self._on_changed("token")
            bridge = await self.get_state(BridgeState)
            await bridge._warn(
                f'open({{view: "WalletSend"}}): the account has no one token "{wished}"; it is left out.'
            )

    async def _sync_account(self, found: Holder | None) -> bool:
        """Updates the form to the account; True when it is another. What was entered for another network does not stay."""
        of = "" if found is None else found.caip_address
        before = self._of
        if of == before:
            return False
        self._of, self._coin, self._fee = of, None, None
        if before and before.rpartition(":")[0] != of.rpartition(":")[0]:
            entered = self.token
            await self._clear(receiver=before.partition(":")[0] != of.partition(":")[0])
            self._put(notice=OTHER_NETWORK if entered else "")
        self._picked = None
        self._put(phase="loading", balance="")
        await self._update_form()
        return True

    def _set_balances(self, tokens: tuple[TokenBalance, ...], chain: ChainId, fee: int | None) -> None:
        """Sets what the account has; a token that it has no longer is picked no longer."""
        self._picked = find_token(tokens, chain, self.token)
        self._coin, self._fee = find_token(tokens, chain, str(chain)), fee
        picked: TokenBalance | None = self._picked
        if picked is None:
            self._put(token="", symbol="", icon="", balance="", _native=False)
        else:
            self._put(
                symbol=symbol(picked),
                balance=format_amount(picked.quantity.numeric),
                _native=is_coin(picked, chain),
            )
        self._put(phase="known")

    async def _set_token(self, row: TokenRow) -> None:
        """Sets the token: its amount is still to be typed, and its balance to be read."""
        self._put(token=row[0], symbol=row[2], icon=row[3], balance="", _native=False, amount="", notice="")
        self._on_changed("token", "amount")
        self._picked, self._fee = None, None
        self._put(phase="loading")
        self.filled += 1
        await self._update_form()

    @rx.event
    async def open_form(self) -> None:
        """Opens the form: the account's Send button."""
        shell, found = await self.get_state(ShellState), await holder(self)
        if found is None:
            return
        smart = await self._is_smart()
        await (await self.get_state(BridgeState))._publish(
            events.open_send(network=str(found.chain), is_smart_account=smart)
        )
        shell._push(VIEW)
        await shell._save_record()

    async def _is_smart(self) -> bool:
        return (await account(self, await active_namespace(self))).kind == "smartAccount"

    @rx.event
    async def on_shown(self) -> Followups:
        """Loads the form that is shown; before the host is known, its first snapshot does the same."""
        if not (await self.get_state(EmbedState))._ready:
            return []
        await self._sync_account(await holder(self))
        return [SendState.load]

    @rx.event(background=True)
    async def load(self) -> Followups:
        """Loads what the account has, and what sending costs."""
        async with self:
            found, key, wished = await holder(self), self.token, self._wished
            await self._sync_account(found)
            if found is None:
                self._put(phase="unavailable")
                return []
        chain, address = found.chain, found.address
        try:
            tokens = await found.tokens()
        except TokenBalanceUnavailableError:
            async with self:
                news = self.phase != "unavailable"
                self._put(phase="unavailable")
                if news and await (await self.get_state(ShellState))._is_visible():
                    (await self.get_state(ToastState))._show(BALANCE_UNAVAILABLE, "error")
            return []
        named = named_token(tokens, chain, wished) if wished else None
        fee = await _fee(chain, address, key if named is None else token_key(named, chain))
        async with self:
            now = await holder(self)
            if now is None or (now.chain, now.address, self.token) != (chain, address, key):
                return []
            await self._grant_wish(named, chain)
            self._set_balances(tokens, chain, fee)
            # A session that was lost knows what was typed, and not what it is worth.
            unread = self.receiver != "" and self._validity == "none"
            followups = await self._set_receiver(self.receiver) if unread else []
            await self._update_form()
            key, native = self.token, self._native
        if native and await find_offer(self, AccountId(chain, address)) is not None:
            async with self:
                if self.token == key and self._of == found.caip_address:
                    # Nothing of the coin need stay for it: the deployment may pay.
                    self._fee = 0
        return followups

    @rx.event
    async def type_amount(self, text: str) -> None:
        """Sets the amount that was typed."""
        if isinstance(text, str):
            self._put(amount=typed_text(text, limit=MAX_AMOUNT), notice="")
            self._on_changed("amount")
            await self._update_form()

    @rx.event
    async def use_max(self) -> None:
        """Sets the whole balance; of the coin what the fee leaves: the Max button."""
        picked: TokenBalance | None = self.get_value("_picked")
        if picked is None:
            return
        if self._native and self._fee is None:
            self._put(hint=NO_FEE)
            return
        amount = spendable(units(picked), (self._fee or 0) if self._native else 0)
        self._put(amount=format_units(amount, picked.quantity.decimals), notice="")
        self._on_changed("amount")
        self.filled += 1
        await self._update_form()

    @rx.event
    async def type_receiver(self, text: str) -> Followups:
        """Sets the receiver that was typed."""
        self._on_changed("to")
        return await self._set_receiver(text) if isinstance(text, str) else []

    @rx.event
    async def paste(self, text: str) -> Followups:
        """Sets the receiver from pasted text."""
        pasted = clean_receiver(text).text if isinstance(text, str) else ""
        if pasted:
            self.filled += 1
            self._on_changed("to")
        return await self._set_receiver(pasted) if pasted else []

    async def _set_receiver(self, text: str) -> Followups:
        """Sets the receiver, judges it, and has a name resolved."""
        text = typed_text(text, limit=MAX_PASTED)
        self._put(receiver=text, note="", warning="", retries=False, notice="")
        self._clear_resolved()
        self._lookup += 1
        pasted, namespace = clean_receiver(text), await active_namespace(self)
        meant, elsewhere = pasted.text, pasted.namespace not in (None, namespace)
        if not meant:
            self._validity = "none" if not text.strip() else "invalid"
        else:
            self._validity = "invalid" if elsewhere or address_fault(namespace, meant) == "malformed" else "valid"
        looks_up = await self._may_be_name(text)
        if self._validity == "invalid" and not looks_up:
            self._warn_foreign(meant, pasted.namespace if elsewhere else None, namespace)
        self._put(resolving=looks_up)
        await self._update_form()
        return [SendState.resolve_name] if looks_up else []

    def _clear_resolved(self) -> None:
        """Clears where a name leads."""
        self._put(receiver_name="", receiver_address="", receiver_avatar="")

    async def _may_be_name(self, text: str) -> bool:
        """Whether what was typed may be a name here."""
        pasted, namespace = clean_receiver(text), await active_namespace(self)
        here = pasted.namespace in (None, namespace)
        return self._validity == "invalid" and here and looks_like_name(pasted.text)

    def _warn_foreign(self, address: str, named: Namespace | None, namespace: Namespace) -> None:
        """Warns of an address that is one elsewhere, by its form or by the network that was `named` with it."""
        if named is not None or is_foreign_address(namespace, address):
            other = named or next((one for one in NAMESPACES if address_fault(one, address) is None), None)
            note = _("This address is of another kind of network. It cannot be used here.")
            if other is not None:
                note = _("This address is of {network}. It cannot be used here.", network=DESCRIPTORS[other].title)
            self._put(note=note, warning="namespace")

    @rx.event(background=True)
    async def resolve_name(self) -> None:
        """Resolves a typed name."""
        async with self:
            found, text = await holder(self), self.receiver
            if found is None or not await self._may_be_name(text):
                return
            # Of several of these events the last one asks.
            self._lookup += 1
            lookup = self._lookup
            self._put(resolving=True, note="", warning="", retries=False)
        held = deployment()
        await held.clock.sleep(TYPING_SECONDS)
        async with self:
            if self._lookup != lookup:
                return
        try:
            receiver = await held.receivers.examine(found.caller, found.chain, found.address, text)
        except WalletModalError:
            receiver = None
        async with self:
            if self._lookup != lookup:
                return
            self._put(resolving=False)
            if receiver is None or (not receiver.usable and "name" in receiver.unchecked):
                self._put(note=LOOKUP_FAILED, retries=True)
            elif not receiver.usable and "confusable" in receiver.warnings:
                self._put(note=CONFUSABLE, warning="confusable")
            elif not receiver.usable:
                self._put(note=NOBODY)
            else:
                self._validity = "valid"
                self._put(receiver_name=receiver.name, receiver_address=truncate(receiver.address))
                self._put(receiver_avatar=avatar(receiver.address).background)
            await self._update_form()


async def _fee(chain: ChainId, sender: str, key: str) -> int | None:
    """Returns the most that sending a token costs; None where it is not known now."""
    token = key.rpartition(":")[2] if key and key != str(chain) else None
    try:
        quote = await deployment().chains.adapter(chain.namespace).transfer_fee(chain, sender, token)
    except WalletModalError:
        return None
    return quote.of("normal").most
