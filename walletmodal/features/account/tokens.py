"""Tokens of the active account: read when looked at, every 30 s while shown, and after a transaction."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

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
from walletmodal.features.account.state import BalanceLook, account
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.substates import AssigningMixin
from walletmodal.reflex_internals.low_priority import low_priority

SHOWN = 200
"""Tokens of one account on a list: the others, the least valuable, are counted. Anybody can send anybody thousands of them."""
READ_GAP = 300
"""Seconds for which the same answer is not noted as read again: an age may be so much too long, and a look mostly writes nothing."""
_SHOWN = ("phase", "rows", "more", "dollars", "cents", "as_of")
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


def _values(whose: Holder, owned: Sequence[TokenBalance]) -> dict[str, Any]:
    """What is shown of tokens: variables of the state."""
    there = [balance for balance in owned if balance.quantity.numeric]
    worth = total_value(balance for balance in there if balance.value and balance.value > 0)
    total = fiat_total(worth) if worth else None
    return {
        "phase": "known" if there else "empty",
        "rows": [token_row(whose.chain, balance) for balance in there[:SHOWN]],
        "more": max(0, len(there) - SHOWN),
        "dollars": total.dollars if total else "",
        "cents": total.cents if total else "",
        "as_of": 0,
    }


def _worth(owned: Sequence[TokenBalance]) -> str:
    """What the native coin is worth in US dollars; "" where nobody knows."""
    coin = next((balance.value for balance in owned if balance.is_native and balance.value), None)
    return f"{coin:f}" if coin and coin > 0 else ""


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at tokens. `shown`: variables as they are shown, none where they are to be set in any case; `worth`: as in the account."""

    whose: Holder
    fresh: bool
    shown: dict[str, Any]
    worth: str


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
        self._put(**_values(whose, owned))
        (await account(self, whose.chain.namespace))._worth = _worth(owned)
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

    @rx.event(background=True)
    @low_priority("refresh")
    async def refresh_all(self) -> AsyncIterator[Any]:
        """Reads coin and tokens of the account that is looked at, mostly from caches; where nothing has changed nothing is written."""
        async with self:
            namespace = await active_namespace(self)
            held = await account(self, namespace)
            if held.status != "connected":
                return
            coin, followups = await held._begin_look()
            tokens = await self._begin_look()
        if namespace == "bip122":
            yield AddressesState.load_kinds
        for event in followups:
            yield event
        async with asyncio.TaskGroup() as looks:
            if coin is not None:
                looks.create_task(self._look_at_coin(coin))
            if tokens is not None:
                looks.create_task(self._look_at_tokens(tokens))

    async def _begin_look(self) -> _Look | None:
        """Returns what to ask about the tokens; None without an account whose tokens can be read now."""
        whose, now = await holder(self), deployment().clock.now().timestamp()
        if whose is None:
            return None
        if whose.caip_address != self.of:
            self._clear(whose.caip_address)
        fresh = self._stale
        if not fresh and now < self._told_until:
            return None
        if fresh:
            self._stale = False
        worth = (await account(self, whose.chain.namespace))._worth
        shown = (
            {name: self.get_value(name) for name in _SHOWN} if now - self._read < READ_GAP and whose.ask is None else {}
        )
        return _Look(whose, fresh, shown, worth)

    async def _look_at_tokens(self, look: _Look) -> None:
        """Reads the tokens. What cannot be read again stays, with its age."""
        try:
            owned = await look.whose.tokens(fresh=_native_token_ids(look.whose.chain) if look.fresh else None)
        except WalletModalError:
            owned = None
        if owned is not None and (_values(look.whose, owned), _worth(owned)) == (look.shown, look.worth):
            return
        async with self:
            if self.of != look.whose.caip_address:
                return
            if owned is None:
                await self._fail(look.whose)
            else:
                await self._set_tokens(look.whose, owned)

    async def _look_at_coin(self, look: BalanceLook) -> None:
        units = await look.units()
        if not look.shows(units):
            async with self:
                await (await account(self, look.chain.namespace))._show_units(look, units)


def _native_token_ids(chain: ChainId) -> tuple[str, ...]:
    """Names the native coin of an EVM network as the blockchain service does."""
    return (f"{chain}:0x{'e' * 40}",) if chain.namespace == "eip155" else ()


async def refresh_after_transaction(state: rx.State) -> Followups:
    """Reads tokens and native balance anew, past every cache."""
    namespace = await active_namespace(state)
    tokens, held = await state.get_state(TokensState), await account(state, namespace)
    tokens._stale = held._stale = True
    return [TokensState.refresh_all]
