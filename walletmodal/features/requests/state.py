"""What the host page asks its provider for, apart from plain reads (those are HTTP: walletmodal/web/rpc.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import reflex as rx
from reflex.utils.format import json_dumps

from walletmodal.config import settings
from walletmodal.core.addresses import normal_address
from walletmodal.core.asked import TRANSACTION_METHODS, propose
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.errors import WalletModalError
from walletmodal.core.host_calls import HostRequest
from walletmodal.core.outgoing import Command
from walletmodal.core.rpc_methods import METHOD_NOT_ALLOWED, MODAL_METHODS, WALLET_METHODS, MethodClass, classify
from walletmodal.core.rpc_params import check_params
from walletmodal.core.rule_errors import PayloadError
from walletmodal.core.snapshots import Snapshot
from walletmodal.core.version import VERSION
from walletmodal.features.account.state import AccountMixin, account, disconnect
from walletmodal.features.bridge.state import BridgeState, Followups, on_new_page, on_request, on_snapshot
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState, on_close
from walletmodal.features.transactions.state import HostTransaction, ask_transaction

OVER_WEBSOCKET = sorted(MODAL_METHODS.union(*WALLET_METHODS.values()))
"""Methods that the frame brings here; the others are reads, and go to `/v1/rpc`."""

MAX_ASKED = 16
"""Requests of one page that may wait at the same time: for the visitor, or for the wallet."""

MAX_WAITING_TEXT = 160 * 1024
"""Characters of JSON of all requests that wait for the wallet: the loader takes 256 kB of commands, others among them."""

LIMIT_EXCEEDED, CHAIN_DISCONNECTED = -32005, 4901
REJECTED, UNAUTHORIZED, UNSUPPORTED, CHAIN_UNKNOWN, INVALID_PARAMS = 4001, 4100, 4200, 4902, -32602


class RequestsState(rx.State):
    """Requests that wait for the visitor to connect."""

    _waiting: list[dict[str, str]] = []


def permissions(held: AccountMixin) -> list[dict[str, Any]]:
    """EIP-2255: what the page may use."""
    if held.status != "connected":
        return []
    return [
        {
            "parentCapability": "eth_accounts",
            "caveats": [{"type": "restrictReturnedAccounts", "value": list(held._accounts)}],
        }
    ]


def _signer(method: str, params: Any, accounts: Sequence[str]) -> Any:
    """The account that is to sign, where a method puts it (EIP-191, EIP-712, EIP-1193, the pairings' own); the first if it names none."""
    first = accounts[0]
    places: dict[str, Callable[[], Any]] = {
        "personal_sign": lambda: params[1],
        "eth_signTypedData_v4": lambda: params[0],
        "eth_sendTransaction": lambda: params[0]["from"],
        "wallet_sendCalls": lambda: params[0].get("from", first),
        "solana_signMessage": lambda: params["pubkey"],
        "signMessage": lambda: params["address"],
        "sendTransfer": lambda: params["account"],
        "polkadot_signMessage": lambda: params["address"],
    }
    named = places.get(method)
    return first if named is None else named()


def _own_account(namespace: Namespace, method: str, params: Any, accounts: Sequence[str]) -> bool:
    """Whether the account that is to sign is one of the connected ones."""
    try:
        return normal_address(namespace, _signer(method, params, accounts)) in accounts
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, WalletModalError):
        return False


def _own_chain(method: str, params: Any, caip_address: str) -> bool:
    """Whether what names a chain (EIP-1193, EIP-5792) names the one that the wallet is on; `_own_account` has seen its form."""
    if method not in ("eth_sendTransaction", "wallet_sendCalls") or params[0].get("chainId") is None:
        return True
    try:
        return caip_address.startswith(f"eip155:{int(params[0]['chainId'], 16)}:")
    except (TypeError, ValueError):
        return False


@on_new_page
async def forget_waiting(state: rx.State) -> None:
    """Nobody of the page before waits any more."""
    (await state.get_state(RequestsState))._waiting = []


def _kind(asked: HostRequest) -> MethodClass:
    """Who answers a request: each namespace has methods of its own, and only eip155 has any that the modal answers."""
    own = asked.method in WALLET_METHODS[asked.namespace]
    if asked.namespace != "eip155":
        return "unsafe" if own else "refused"
    kind = classify(asked.method, asked.params)
    return "refused" if kind == "unsafe" and not own else kind


@on_request
async def answer(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Checks a request and sends it on its way: the modal's own methods, the wallet's, or a refusal."""
    bridge = await state.get_state(BridgeState)
    method, params = asked.method, asked.params
    kind = _kind(asked)
    held = await account(state, asked.namespace)
    if kind in ("refused", "safe"):
        await bridge._settle(call, code=UNSUPPORTED, message=METHOD_NOT_ALLOWED)
    elif method in ("eth_requestAccounts", "wallet_requestPermissions"):
        await _ask_to_connect(state, call, method, held)
    elif method == "wallet_getPermissions":
        await bridge._settle(call, permissions(held))
    elif method == "wallet_revokePermissions" and kind == "modal":
        return await disconnect(state, "eip155", call)
    elif method in ("wallet_switchEthereumChain", "wallet_addEthereumChain"):
        return await _switch(state, call, params)
    elif method in ("net_version", "web3_clientVersion"):
        first = (await state.get_state(NetworksState))._first_of("eip155").partition(":")[2]
        await bridge._settle(call, held._chain or first if method == "net_version" else f"WalletModal/{VERSION}")
    else:
        return await _ask_wallet(bridge, call, asked, held)
    return []


def _characters(value: object) -> int:
    """How long `JSON.stringify` makes a value: UTF-16 units, as the loader counts them."""
    return len(json_dumps(value, separators=(",", ":")).encode("utf-16-le")) // 2


def _refusal(asked: HostRequest, held: AccountMixin, waiting: list[Command]) -> tuple[int, str] | None:
    """Why a request does not reach the wallet: code and message; None when it may."""
    if held.status != "connected":
        return UNAUTHORIZED, "No wallet is connected"
    if not _own_account(asked.namespace, asked.method, asked.params, held._accounts):
        return UNAUTHORIZED, "The account is not the connected one"
    if not _own_chain(asked.method, asked.params, held.caip_address):
        return CHAIN_DISCONNECTED, "The transaction is for another network than the active one"
    try:
        check_params(asked.method, asked.params)
    except PayloadError as error:
        return error.code, f"{error.details}: {error.short_message}"
    if len(waiting) >= MAX_ASKED or _characters([asked.params, *waiting]) > MAX_WAITING_TEXT:
        return LIMIT_EXCEEDED, "Too many requests wait for the wallet"
    return None


async def _ask_wallet(bridge: BridgeState, call: str, asked: HostRequest, held: AccountMixin) -> Followups:
    refusal = _refusal(asked, held, [c for c in bridge.commands if c["method"] == "wallet.request"])
    if refusal is not None:
        await bridge._settle(call, code=refusal[0], message=refusal[1])
        return []
    if asked.method in TRANSACTION_METHODS:
        return await _ask_to_send(bridge, call, asked, held)
    await bridge._issue(
        "wallet.request",
        {
            "namespace": asked.namespace,
            "connector": held.connector,
            "chain": f"{asked.namespace}:{held._chain}",
            "method": asked.method,
            "params": asked.params,
            "timeout": settings().wallet_timeout_seconds * 1000,
            "request": call,
        },
    )
    return []


async def _ask_to_send(bridge: BridgeState, call: str, asked: HostRequest, held: AccountMixin) -> Followups:
    """What sends goes on record first."""
    chain = ChainId(asked.namespace, held._chain)
    sender = normal_address(asked.namespace, _signer(asked.method, asked.params, held._accounts))
    try:
        proposal = propose(chain, sender, asked.method, asked.params)
        prepared = HostTransaction(chain, asked.method, asked.params or [])
        return await ask_transaction(bridge, prepared=prepared, proposal=proposal, kind="host", call=call)
    except WalletModalError as error:
        await bridge._settle(call, code=error.code, message=error.short_message)
        return []


async def _ask_to_connect(state: rx.State, call: str, method: str, held: AccountMixin) -> None:
    bridge = await state.get_state(BridgeState)
    if held.status == "connected":
        value: Any = list(held._accounts) if method == "eth_requestAccounts" else permissions(held)
        await bridge._settle(call, value)
        return
    requests = await state.get_state(RequestsState)
    if len(requests._waiting) >= MAX_ASKED:
        await bridge._settle(call, code=LIMIT_EXCEEDED, message="Too many requests wait for the visitor")
        return
    if all(entry["call"] != call for entry in requests._waiting):
        requests._waiting = [*requests._waiting, {"call": call, "method": method}]
    shell = await state.get_state(ShellState)
    if not await shell._visible():
        await shell._narrow("eip155")
        await shell._open("Connect")


async def _switch(state: rx.State, call: str, params: Any) -> Followups:
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    held = await account(state, "eip155")
    try:
        chain = f"eip155:{int(params[0]['chainId'], 16)}"
    except (TypeError, ValueError, KeyError, IndexError):
        await bridge._settle(call, code=INVALID_PARAMS, message="Invalid parameters were provided to the RPC method.")
        return []
    if chain not in networks._networks:
        await bridge._settle(call, code=CHAIN_UNKNOWN, message="An error occurred when attempting to switch chain.")
    elif held.status == "connected" and chain == f"eip155:{held._chain}":
        await bridge._settle(call)
    else:
        return await networks._asked_to_switch(chain, call)
    return []


@on_close
async def settle_waiting(state: rx.State) -> None:
    """Those who waited for an account get it; when the modal was closed instead, they are rejected."""
    requests = await state.get_state(RequestsState)
    if not requests._waiting:
        return
    held, bridge = await account(state, "eip155"), await state.get_state(BridgeState)
    waiting, requests._waiting = requests._waiting, []
    for entry in waiting:
        if held.status == "connected":
            value: Any = list(held._accounts) if entry["method"] == "eth_requestAccounts" else permissions(held)
            await bridge._settle(entry["call"], value)
        else:
            await bridge._settle(entry["call"], code=REJECTED, message="User rejected the request.")


@on_snapshot
async def connected(state: rx.State, _snapshot: Snapshot) -> Followups:
    """A new account answers those who waited for one."""
    if (await account(state, "eip155")).status == "connected":
        await settle_waiting(state)
    return []
