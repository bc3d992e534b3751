"""Why a request of the host page does not reach the wallet, before anybody is asked about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import CHAIN_DISCONNECTED, INVALID_PARAMS, LIMIT_EXCEEDED, UNAUTHORIZED
from walletmodal.core.errors.rpc import BundleTooLargeError, DuplicateIdError, UnsupportedChainIdError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.protocol.commands import Command
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.requests.audit import Outcome
from walletmodal.core.requests.params import check_params
from walletmodal.core.requests.reading import MAX_CALLS, count_calls
from walletmodal.core.requests.signer import signer
from walletmodal.features.account.state import AccountMixin
from walletmodal.features.requests.state import MAX_ASKED
from walletmodal.reflex_internals.json_text import json_dumps

MAX_WAITING_TEXT: Final = 320 * 1024
"""Characters of JSON of all requests that wait for the wallet: a visitor's session keeps them. One message of a page is up to 256 kB, which a transaction of 128 kB takes."""
TOO_MANY: Final = "Too many requests wait for the wallet"
TOO_LARGE: Final = "The requests that wait for the wallet are too large together"

_OF_SEVERAL_CHAINS: Final = ("wallet_sendCalls", "wallet_grantPermissions")
"""Their standards let them name a chain that the wallet is not on, and have a code (5710) for one that nobody offers."""
_CHAIN: Final = re.compile(r"0x[0-9a-fA-F]{1,32}")
NOT_OURS: Final = "The account is not the connected one"
NO_ADDRESS: Final = "The account is missing, or no address"


class Refusal(NamedTuple):
    """The error that the host gets, and what the audit calls it."""

    code: int
    message: str
    outcome: Outcome = "refused"


def refusal_of(error: WalletModalError, outcome: Outcome = "refused") -> Refusal:
    """The same of an error of ours."""
    text = f"{error.details}: {error.short_message}" if isinstance(error, PayloadError) else error.short_message
    return Refusal(error.code, text, outcome)


def check(
    asked: HostRequest, held: AccountMixin, commands: Sequence[Command], networks: Collection[str]
) -> Refusal | None:
    """What is wrong with a request that is to sign, send or grant; None when nothing is.

    Args:
        asked: as the host made it.
        held: the account of its namespace.
        commands: what is pending for the browser.
        networks: CAIP-2 ids of those that are offered.
    """
    waiting = [command for command in commands if command["method"] == "wallet.request"]
    return (
        _standing(asked, held)
        or _batch(asked, waiting)
        or _chain(asked, held, networks)
        or _shape(asked)
        or _room(asked, waiting)
    )


def check_read(asked: HostRequest, held: AccountMixin, commands: Sequence[Command]) -> Refusal | None:
    """The same of what only the wallet knows."""
    if held.status != "connected":
        return Refusal(UNAUTHORIZED, "No wallet is connected")
    waiting = [command for command in commands if command["method"] == "wallet.request"]
    return _shape(asked) or _about_own_account(asked, held._accounts) or _room(asked, waiting)


def _standing(asked: HostRequest, held: AccountMixin) -> Refusal | None:
    """The account that is to sign must be one of the connected ones."""
    if held.status != "connected":
        return Refusal(UNAUTHORIZED, "No wallet is connected")
    try:
        own = signer(asked.namespace, asked.method, asked.params, held._accounts[0]) in held._accounts
        own = own and (asked.method != "wallet_grantPermissions" or _grants_of(asked.params, held._accounts))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, WalletModalError):
        return _shape(asked) or Refusal(INVALID_PARAMS, NO_ADDRESS)
    return None if own else Refusal(UNAUTHORIZED, NOT_OURS)


def _grants_of(params: Any, accounts: Sequence[str]) -> bool:
    """Whether none of several grants is of an account that the page has not been given; where ERC-7715 and its forerunners name it."""
    named = [entry[name] for entry in params for name in ("address", "account", "from") if entry.get(name) is not None]
    return all(normal_address("eip155", one) in accounts for one in named)


def _about_own_account(asked: HostRequest, accounts: Sequence[str]) -> Refusal | None:
    """A read names no account, or one that the page has been given (EIP-5792, ERC-7811)."""
    first: Any = asked.params[0] if isinstance(asked.params, list) and asked.params else None
    if asked.method == "wallet_getAssets":
        named = first["account"]
    else:
        named = first if asked.method == "wallet_getCapabilities" else None
    own = {account.lower() for account in accounts}
    return None if named is None or named.lower() in own else Refusal(UNAUTHORIZED, NOT_OURS)


def _batch(asked: HostRequest, waiting: Sequence[Command]) -> Refusal | None:
    """EIP-5792, before anything of the calls is looked at."""
    if count_calls(asked.method, asked.params) > MAX_CALLS:
        return refusal_of(BundleTooLargeError(), "limited")
    wanted = _bundle(asked.method, asked.params)
    if wanted is not None and any(
        wanted == _bundle(command["params"]["method"], command["params"]["params"]) for command in waiting
    ):
        return refusal_of(DuplicateIdError())
    return None


def _bundle(method: str, params: Any) -> Any:
    """The id that the host has given its calls."""
    first = params[0] if method == "wallet_sendCalls" and isinstance(params, list) and params else None
    return first.get("id") if isinstance(first, dict) else None


def _chain(asked: HostRequest, held: AccountMixin, networks: Collection[str]) -> Refusal | None:
    """What names a chain (EIP-1193, EIP-5792 and its forerunner, by call, ERC-7715) must name the one that the wallet is on; `_standing` has seen its form."""
    for named in (place.get("chainId") for place in _naming_chains(asked)):
        chain = _numbered(named)
        if named is None or chain == f"eip155:{held._chain}":
            continue
        if asked.method in _OF_SEVERAL_CHAINS and chain and chain not in networks:
            return refusal_of(UnsupportedChainIdError())
        what = "permission" if asked.method == "wallet_grantPermissions" else "transaction"
        return Refusal(CHAIN_DISCONNECTED, f"The {what} is for another network than the active one")
    return None


def _naming_chains(asked: HostRequest) -> list[Any]:
    """The objects of a request in which a chain may stand."""
    if asked.method == "wallet_grantPermissions":
        return list(asked.params or [])
    if asked.method not in ("eth_sendTransaction", "wallet_sendCalls"):
        return []
    first: Any = asked.params[0] if isinstance(asked.params, list) else {}
    calls = first.get("calls") if asked.method == "wallet_sendCalls" else None
    return [first, *(one for one in calls if isinstance(one, dict))] if isinstance(calls, list) else [first]


def _numbered(named: object) -> str:
    """A chain by its number in hex, "" for what wallets could read as different ones, such as `10`, `0xa_4b1`."""
    return f"eip155:{int(named, 16)}" if isinstance(named, str) and _CHAIN.fullmatch(named) else ""


def _shape(asked: HostRequest) -> Refusal | None:
    try:
        check_params(asked.method, asked.params)
    except PayloadError as error:
        return refusal_of(error)
    return None


def _room(asked: HostRequest, waiting: Sequence[Command]) -> Refusal | None:
    if len(waiting) >= MAX_ASKED:
        return Refusal(LIMIT_EXCEEDED, TOO_MANY, "limited")
    if _characters([asked.params, *waiting]) > MAX_WAITING_TEXT:
        return Refusal(LIMIT_EXCEEDED, TOO_LARGE, "limited")
    return None


def _characters(value: object) -> int:
    """How long `JSON.stringify` makes a value: UTF-16 units, as the loader counts them."""
    return len(json_dumps(value, separators=(",", ":")).encode("utf-16-le")) // 2
