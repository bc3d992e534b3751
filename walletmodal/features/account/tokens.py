"""Tokens of the active account: read when looked at, every 30 s while shown, and after a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

import reflex as rx

from walletmodal.core.accounts.tokens import TokenBalance, total_value
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.constants import PORTFOLIO_TTL
from walletmodal.core.errors import WalletModalError
from walletmodal.core.text.formatting import fiat_total, format_amount, format_usd
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.account.holdings import Holder, holder, token_icon
from walletmodal.features.account.state import ACCOUNTS, account
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.substates import AssigningMixin

SHOWN = 200
"""Tokens of one account on a list: the others, the least valuable, are counted. Anybody can send anybody thousands of them."""
PRICE_DECIMALS = 2
CENT = Decimal(1).scaleb(-PRICE_DECIMALS)

TokenRow = tuple[str, str, str, str, str, str, str]
"""Key, name, symbol, amount, value, price, picture. The key is the token's CAIP-10 id, of the native coin the network's CAIP-2 id."""
Phase = Literal["loading", "known", "empty", "unavailable"]


def _dollars(value: Decimal | None) -> str:
    """Formats dollars; "" where nobody knows, which services also write as zero."""
    if not value or value < 0:
        return ""
    return f"<${CENT}" if value < CENT else format_usd(value)


def token_row(chain: ChainId, balance: TokenBalance) -> TokenRow:
    """Makes a token's row."""
    return (
        balance.address or str(chain),
        balance.name,
        balance.symbol,
        format_amount(balance.quantity.numeric),
        _dollars(balance.value),
        _dollars(balance.price),
        token_icon(balance.icon_url),
    )


class TokensState(AssigningMixin, rx.State):
    """The list. `of`: the account (CAIP-10) that it is about; what is shown of another one is not its own.

    `as_of`: since when (ms) it has not been possible to read them again; 0 while what is shown is current.
    """

    phase: Phase = "loading"
    of: str = ""
    rows: list[TokenRow] = []
    dollars: str = ""
    cents: str = ""
    more: int = 0
    as_of: int = 0

    # When the rows were read (seconds), and until when a wallet that told them itself is not asked again.
    _read: float = 0.0
    _told_until: float = 0.0
    # What is kept of the balances is known to be old.
    _stale: bool = False

    def _clear(self, of: str) -> None:
        self._put(of=of, phase="loading", rows=[], dollars="", cents="", more=0, as_of=0)
        self._read = self._told_until = 0.0

    async def _set_tokens(self, whose: Holder, owned: Sequence[TokenBalance]) -> None:
        there = [balance for balance in owned if balance.quantity.numeric]
        worth = total_value(balance for balance in there if balance.value and balance.value > 0)
        total = fiat_total(worth) if worth else None
        self._put(
            phase="known" if there else "empty",
            rows=[token_row(whose.chain, balance) for balance in there[:SHOWN]],
            more=max(0, len(there) - SHOWN),
            dollars=total.dollars if total else "",
            cents=total.cents if total else "",
            as_of=0,
        )
        coin = next((balance.value for balance in owned if balance.is_native and balance.value), None)
        (await account(self, whose.chain.namespace))._worth = f"{coin:f}" if coin and coin > 0 else ""
        self._read = deployment().clock.now().timestamp()
        again = await holder(self)
        told = again is not None and again.ask is not None
        self._told_until = self._read + PORTFOLIO_TTL if told else 0.0

    async def _fail(self, whose: Holder) -> None:
        before = self.phase, self.as_of
        if self._read:
            self._put(as_of=int(self._read * 1000))
        else:
            self._put(phase="unavailable")
        if before != (self.phase, self.as_of):
            await (await account(self, whose.chain.namespace))._show_unavailable_toast()

    @rx.event
    async def refresh_all(self) -> Followups:
        """Reads coin and tokens of the account that is looked at, mostly from caches."""
        namespace = await active_namespace(self)
        if (await account(self, namespace)).status != "connected":
            return []
        more = [AddressesState.load_kinds] if namespace == "bip122" else [TokensState.refresh]
        return [*more, ACCOUNTS[namespace].refresh_balance]

    @rx.event(background=True)
    async def refresh(self) -> None:
        """Reads the tokens. What cannot be read again stays, with its age."""
        async with self:
            whose, now = await holder(self), deployment().clock.now().timestamp()
            if whose is None:
                return
            if whose.caip_address != self.of:
                self._clear(whose.caip_address)
            stale = self._stale
            if not stale and now < self._told_until:
                return
            self._stale = False
        try:
            owned = await whose.tokens(fresh=_native_token_ids(whose.chain) if stale else None)
        except WalletModalError:
            owned = None
        async with self:
            if self.of != whose.caip_address:
                return
            if owned is None:
                await self._fail(whose)
            else:
                await self._set_tokens(whose, owned)


def _native_token_ids(chain: ChainId) -> tuple[str, ...]:
    """Names the native coin of an EVM network as the blockchain service does."""
    return (f"{chain}:0x{'e' * 40}",) if chain.namespace == "eip155" else ()


async def refresh_after_transaction(state: rx.State) -> Followups:
    """Reads tokens and native balance anew, past every cache."""
    namespace = await active_namespace(state)
    tokens, held = await state.get_state(TokensState), await account(state, namespace)
    tokens._stale = held._stale = True
    return await tokens.refresh_all()
