"""Tokens that can be swapped on a network: those of the account first."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from walletmodal.config import network_table
from walletmodal.core.accounts.tokens import TokenBalance, worth_sort_key
from walletmodal.core.chains.addresses import is_native_token
from walletmodal.core.chains.caip import ChainId, parse_account_id
from walletmodal.core.constants import SWAP_SUGGESTED_SHOWN, SWAP_SUGGESTED_TOKENS
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.services import TokenBalanceUnavailableError
from walletmodal.core.language import _
from walletmodal.core.swaps.answers import SwapToken
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.formatting import format_amount, format_usd
from walletmodal.deployment import deployment
from walletmodal.features.account.holdings import Holder, token_icon
from walletmodal.features.send.tokens import MAX_ROWS, TokenRow, units
from walletmodal.services.swaps import NATIVE_DECIMALS

_MAX_NAME: Final = 40
_MAX_SYMBOL: Final = 12


@dataclass(frozen=True, slots=True)
class SwapChoice:
    """A token that can be swapped.

    Attributes:
        id: CAIP-10 of its contract as the service names it, the native coin's too.
        name, symbol: to show.
        icon: URL of its picture at the service, or "".
        decimals: exponent between base units and the unit that people read.
        balance: of the account, in base units.
        price: of one, in US dollars; None where nobody knows.
    """

    id: str
    name: str
    symbol: str
    icon: str
    decimals: int
    balance: int = 0
    price: Decimal | None = None

    @property
    def native(self) -> bool:
        """Whether it is the network's own coin."""
        account = parse_account_id(self.id)
        return is_native_token(account.namespace, account.address)


async def load_choices(holder: Holder) -> tuple[SwapChoice, ...]:
    """Loads the tokens that can be swapped: what the account has, the most valuable first, then the others by symbol.

    Raises:
        WalletModalError: they could not be listed.
    """
    listed, owned = await asyncio.gather(
        deployment().services.blockchain.swaps.tokens(holder.caller, holder.chain), _balances(holder)
    )
    chain = holder.chain
    mine = {str(chain) if token.address is None else _key(token.address, chain): token for token in owned}
    places = {key: place for place, key in enumerate(mine)}
    choices = {_key(token.address, chain): token for token in listed}
    made = {key: _choice(token, mine.get(key)) for key, token in choices.items()}

    def order(key: str) -> tuple[int, str]:
        return (places[key] if made[key].balance else len(places), made[key].symbol.casefold())

    return tuple(made[key] for key in sorted(made, key=order))


def fee_coin(chain: ChainId, listed: SwapChoice | None) -> SwapChoice:
    """Returns the coin that fees are told in, with the decimals that the network has, whatever the list of tokens says.

    Args:
        chain: the network.
        listed: its coin as it can be swapped; None where it cannot.
    """
    network = network_table().get(str(chain))
    price = None if listed is None else listed.price
    if network is None:
        return SwapChoice("", "", "", "", NATIVE_DECIMALS, price=price)
    own = network.native_currency
    return SwapChoice("", own.name, own.symbol, "", own.decimals, price=price)


async def _balances(holder: Holder) -> list[TokenBalance]:
    try:
        return sorted(await holder.tokens(), key=worth_sort_key)
    except TokenBalanceUnavailableError:
        # What can be swapped is known all the same.
        return []


async def with_price(holder: Holder, choice: SwapChoice) -> Decimal | None:
    """Returns the price of a token that the account does not have; None where nobody knows it."""
    if choice.price is not None:
        return choice.price
    try:
        found = await deployment().services.blockchain.swaps.prices(holder.caller, holder.chain, [choice.id])
    except WalletModalError:
        return None
    return next((one.price for one in found if one.address.lower() == choice.id.lower()), None)


def find_choice(choices: Sequence[SwapChoice], token: str) -> SwapChoice | None:
    """Finds a token by its CAIP-10 id in any case."""
    return next((one for one in choices if one.id.lower() == token.lower()), None)


def named_choice(choices: Sequence[SwapChoice], name: str) -> SwapChoice | None:
    """Finds the token that a host page names: by its id, its plain address, or its symbol where only one has it."""
    wanted = name.lower()
    found = [one for one in choices if wanted in (one.id.lower(), parse_account_id(one.id).address.lower())]
    found = found or [one for one in choices if one.symbol.lower() == wanted]
    return found[0] if len(found) == 1 else None


def suggested(choices: Sequence[SwapChoice]) -> list[SwapChoice]:
    """Returns the few that most visitors look for, in the order of their list; of a symbol that several have, none."""
    known, several = {one.symbol: one for one in choices}, Counter(one.symbol for one in choices)
    return [known[symbol] for symbol in SWAP_SUGGESTED_TOKENS if several[symbol] == 1][:SWAP_SUGGESTED_SHOWN]


def choice_rows(choices: Sequence[SwapChoice], search: str) -> tuple[list[TokenRow], list[TokenRow], int]:
    """Makes the rows of the account's tokens and of the others, and counts how many more there are."""
    wanted = search.casefold()
    found = [one for one in choices if not wanted or _matches(one, wanted)]
    mine = [one for one in found if one.balance][:MAX_ROWS]
    others = [one for one in found if not one.balance][: MAX_ROWS - len(mine)]
    return [_row(one) for one in mine], [_row(one) for one in others], len(found) - len(mine) - len(others)


def _row(one: SwapChoice) -> TokenRow:
    amount = Decimal(one.balance).scaleb(-one.decimals)
    worth = "" if one.price is None or not one.balance else format_usd(amount * one.price)
    shown = format_amount(amount) if one.balance else ""
    return (one.id, one.name, one.symbol, token_icon(one.icon) if one.icon else "", shown, worth)


def _matches(one: SwapChoice, wanted: str) -> bool:
    address = parse_account_id(one.id).address.casefold()
    return wanted in one.name.casefold() or wanted in one.symbol.casefold() or wanted == address


@lru_cache(maxsize=16_384)
def _shown(text: str, limit: int) -> str:
    # Thousands of names are listed again at each letter of a search.
    return clean_text(text, limit=limit)


def _choice(token: SwapToken, mine: TokenBalance | None) -> SwapChoice:
    # Amounts are read with the decimals of the list, which the service counts with.
    agrees = mine is not None and mine.quantity.decimals == token.decimals
    return SwapChoice(
        token.address,
        _shown(token.name, _MAX_NAME) or _("Unnamed token"),
        _shown(token.symbol, _MAX_SYMBOL) or "?",
        token.logo_uri or (mine.icon_url if mine else ""),
        token.decimals,
        units(mine) if mine is not None and agrees else 0,
        mine.price if mine is not None else None,
    )


def _key(token: str, chain: ChainId) -> str:
    """What tokens of the service and of the account are compared by."""
    account = parse_account_id(token)
    return str(chain) if is_native_token(account.namespace, account.address) else token.lower()
