"""Tokens that may be sent: their keys, search, and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.chains.addresses import is_address, is_native_token, normal_address
from walletmodal.core.chains.caip import ChainId, parse_account_id
from walletmodal.core.language import _
from walletmodal.core.text.amounts import to_base_units
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.formatting import format_amount, format_usd

TokenRow = tuple[str, str, str, str, str, str]
"""Key, name, symbol, picture (a path of ours, or ""), amount, value."""

MAX_ROWS: Final = 60
"""Of one list; who has more tokens finds them by searching."""

_MAX_NAME: Final = 40
_MAX_SYMBOL: Final = 12
_NAMELESS: Final = _("Unnamed token")


def is_coin(token: TokenBalance, chain: ChainId) -> bool:
    """Whether a token is the network's own coin, which some services give an address that stands for it."""
    if token.address is None:
        return True
    address = parse_account_id(token.address).address
    return is_native_token(chain.namespace, address)


def token_key(token: TokenBalance, chain: ChainId) -> str:
    """Returns a token's key: its CAIP-10 id, the network's CAIP-2 id for the coin."""
    if token.address is None or is_coin(token, chain):
        return str(chain)
    address = parse_account_id(token.address).address
    valid = is_address(chain.namespace, address)
    return f"{chain}:{normal_address(chain.namespace, address) if valid else address}"


def find_token(tokens: Iterable[TokenBalance], chain: ChainId, key: str) -> TokenBalance | None:
    """Finds a token by its key."""
    return next((token for token in tokens if token_key(token, chain) == key), None)


def named_token(tokens: Iterable[TokenBalance], chain: ChainId, name: str) -> TokenBalance | None:
    """Finds the token that a host page names: by its CAIP-10 id or plain address, or by its symbol where only one has it."""
    wanted, owned = name.lower(), list(tokens)
    found = [one for one in owned if wanted in (token_key(one, chain).lower(), _address(one).lower())]
    found = found or [one for one in owned if one.symbol.lower() == wanted]
    return found[0] if len(found) == 1 else None


def _address(token: TokenBalance) -> str:
    return "" if token.address is None else parse_account_id(token.address).address


def units(token: TokenBalance) -> int:
    """Returns a token's balance in base units. What services say beyond the token's own decimals is not there."""
    return to_base_units(token.quantity.numeric, token.quantity.decimals)


def symbol(token: TokenBalance) -> str:
    """Returns a token's symbol, made safe to show; without one its name, or none."""
    return clean_text(token.symbol, limit=_MAX_SYMBOL) or clean_text(token.name, limit=_MAX_SYMBOL) or "?"


def rows(
    tokens: Iterable[TokenBalance], chain: ChainId, search: str, picture: Callable[[str], str]
) -> tuple[list[TokenRow], int]:
    """Makes the rows of a list, and counts how many more there are.

    Args:
        tokens: what the account owns.
        chain: where.
        search: part of a name or symbol, or a whole address; "" for all.
        picture: the path of a token's picture on our server.
    """
    wanted = search.casefold()
    found = [token for token in tokens if not wanted or _matches(token, wanted)]
    shown: list[TokenRow] = [
        (
            token_key(token, chain),
            clean_text(token.name, limit=_MAX_NAME) or _NAMELESS,
            symbol(token),
            picture(token.icon_url) if token.icon_url else "",
            format_amount(token.quantity.numeric),
            "" if token.value is None else format_usd(token.value),
        )
        for token in found[:MAX_ROWS]
    ]
    return shown, len(found) - len(shown)


def _matches(token: TokenBalance, wanted: str) -> bool:
    address = _address(token)
    return wanted in token.name.casefold() or wanted in token.symbol.casefold() or wanted == address.casefold()
