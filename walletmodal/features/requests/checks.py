"""Checks of a host page's request before anybody is asked about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import CHAIN_DISCONNECTED, INVALID_PARAMS, LIMIT_EXCEEDED, UNAUTHORIZED
from walletmodal.core.errors.rpc import BundleTooLargeError, DuplicateIdError, UnsupportedChainIdError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.protocol.commands import Command
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.limits import text_bytes
from walletmodal.core.requests.answers import is_bundle_id
from walletmodal.core.requests.audit import Outcome
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.methods import MAX_CALLS
from walletmodal.core.requests.signer import find_signer
from walletmodal.features.account.state import AccountMixin
from walletmodal.features.requests.state import MAX_ASKED
from walletmodal.reflex_internals.json_text import json_dumps

MAX_WAITING_TEXT: Final = 320 * 1024
"""Characters of JSON, and bytes of texts, of all requests that wait for the wallet: a visitor's session keeps them. One message of a page is up to 256 kB, which a transaction of 128 kB takes."""
TOO_MANY: Final = "Too many requests wait for the wallet"
TOO_LARGE: Final = "The requests that wait for the wallet are too large together"

_CHAIN: Final = re.compile(r"0x[0-9a-fA-F]{1,32}")
NOT_OURS: Final = "The account is not the connected one"
NO_ADDRESS: Final = "The account is missing, or no address"
NO_ID: Final = "The id of the calls is none"


class Refusal(NamedTuple):
    """The error that the host gets, and what the audit calls it."""

    code: int
    message: str
    outcome: Outcome = "refused"


NOBODY: Final = Refusal(UNAUTHORIZED, "No wallet is connected")


def refusal_of(error: WalletModalError, outcome: Outcome = "refused") -> Refusal:
    """Makes a refusal of an error."""
    text = f"{error.details}: {error.short_message}" if isinstance(error, PayloadError) else error.short_message
    return Refusal(error.code, text, outcome)


def check(
    asked: HostRequest,
    spec: MethodSpec,
    held: AccountMixin,
    commands: Sequence[Command],
    networks: Collection[str],
    *,
    ids: Collection[str] = (),
) -> Refusal | str:
    """Returns the account that is to sign, send or grant, or the refusal.

    Args:
        asked: as the host made it.
        spec: of its method.
        held: the account of its namespace.
        commands: what is pending for the browser.
        networks: CAIP-2 ids of those that are offered.
        ids: of the page's own, of calls that wait as a user operation.
    """
    if held.status != "connected":
        return NOBODY
    own = held._accounts
    try:
        account = find_signer(asked.namespace, spec, asked.params, own[0])
        named = [normal_address(asked.namespace, one) for one in spec.accounts(asked.params)]
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, WalletModalError):
        return _check_shape(asked, spec) or Refusal(INVALID_PARAMS, NO_ADDRESS)
    if not {account, *named} <= set(own):
        return Refusal(UNAUTHORIZED, NOT_OURS)
    waiting = waiting_requests(commands)
    refusal = (
        _check_batch(asked, spec, waiting, ids)
        or _check_chain(asked, spec, held, networks)
        or _check_shape(asked, spec)
        or check_room(asked, waiting)
    )
    return refusal or account


def check_read(asked: HostRequest, spec: MethodSpec, held: AccountMixin, commands: Sequence[Command]) -> Refusal | None:
    """Returns the refusal of a request for what only the wallet knows; None when it may be sent."""
    if held.status != "connected":
        return NOBODY
    return (
        _check_shape(asked, spec)
        or _check_accounts(asked, spec, held._accounts)
        or check_room(asked, waiting_requests(commands))
    )


def waiting_requests(commands: Sequence[Command]) -> list[Command]:
    """Those of the commands that wait for the wallet."""
    return [command for command in commands if command["method"] == "wallet.request"]


def _check_accounts(asked: HostRequest, spec: MethodSpec, accounts: Sequence[str]) -> Refusal | None:
    """Refuses a read of accounts that the page was not given (EIP-5792, ERC-7811)."""
    own = {account.lower() for account in accounts}
    named = [one.lower() for one in spec.accounts(asked.params)]
    return None if own.issuperset(named) else Refusal(UNAUTHORIZED, NOT_OURS)


def _check_batch(
    asked: HostRequest, spec: MethodSpec, waiting: Sequence[Command], ids: Collection[str]
) -> Refusal | None:
    """Checks count and id of a batch (EIP-5792), before anything of its calls is looked at."""
    if spec.batch is None:
        return None
    if spec.batch.count(asked.params) > MAX_CALLS:
        return refusal_of(BundleTooLargeError(), "limited")
    wanted = spec.batch.bundle(asked.params)
    if wanted is None:
        return None
    if not is_bundle_id(wanted):
        return Refusal(INVALID_PARAMS, NO_ID)
    others = [command["params"]["params"] for command in waiting if command["params"]["method"] == spec.name]
    if wanted in ids or any(wanted == spec.batch.bundle(params) for params in others):
        return refusal_of(DuplicateIdError())
    return None


def _check_chain(asked: HostRequest, spec: MethodSpec, held: AccountMixin, networks: Collection[str]) -> Refusal | None:
    """Refuses a request that names another chain than the wallet's (EIP-1193, EIP-5792 and its forerunner, by call, ERC-7715)."""
    if spec.chains is None:
        return None
    for named in spec.chains.read(asked.params):
        chain = _parse_chain(named)
        if named is None or chain == f"eip155:{held._chain}":
            continue
        if spec.chains.elsewhere and chain and chain not in networks:
            return refusal_of(UnsupportedChainIdError())
        return Refusal(CHAIN_DISCONNECTED, f"The {spec.chains.what} is for another network than the active one")
    return None


def _parse_chain(named: object) -> str:
    """Parses a chain's hex number; "" for what wallets could read as different ones, such as `10`, `0xa_4b1`."""
    return f"eip155:{int(named, 16)}" if isinstance(named, str) and _CHAIN.fullmatch(named) else ""


def _check_shape(asked: HostRequest, spec: MethodSpec) -> Refusal | None:
    try:
        spec.check(asked.params)
    except PayloadError as error:
        return refusal_of(error)
    return None


def check_room(asked: HostRequest, waiting: Sequence[object]) -> Refusal | None:
    """Returns the refusal of a request for which there is no room beside those that wait."""
    if len(waiting) >= MAX_ASKED:
        return Refusal(LIMIT_EXCEEDED, TOO_MANY, "limited")
    everything = [asked.params, *waiting]
    if _json_length(everything) > MAX_WAITING_TEXT or text_bytes(everything) > MAX_WAITING_TEXT:
        return Refusal(LIMIT_EXCEEDED, TOO_LARGE, "limited")
    return None


def _json_length(value: object) -> int:
    """Returns the length of `JSON.stringify(value)` in UTF-16 units, as the loader counts them."""
    return len(json_dumps(value, separators=(",", ":")).encode("utf-16-le")) // 2
