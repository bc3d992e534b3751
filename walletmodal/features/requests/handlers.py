"""What the host page asks its provider for, apart from plain reads (those are HTTP: walletmodal/web/rpc.py)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.codes import CHAIN_UNKNOWN, LIMIT_EXCEEDED, REJECTED
from walletmodal.core.errors.rpc import UserRejectedRequestError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.requests.methods import (
    ACCOUNT_REQUESTS,
    MODAL_METHODS,
    WALLET_METHODS,
    WALLET_READS,
    MethodClass,
    classify,
)
from walletmodal.core.requests.params import PERMISSION, check_params, check_revoked_permissions
from walletmodal.core.version import VERSION
from walletmodal.features.account.disconnecting import disconnect
from walletmodal.features.account.state import AccountMixin, account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.requests.checks import Refusal, refusal_of
from walletmodal.features.requests.decisions import decide, read_from_wallet, refuse_method
from walletmodal.features.requests.state import MAX_ASKED, RequestsState
from walletmodal.features.shell.state import ShellState

OVER_WEBSOCKET = sorted(MODAL_METHODS.union(ACCOUNT_REQUESTS, WALLET_READS, *WALLET_METHODS.values()))
"""Methods that the frame brings here. The others go to `/v1/rpc`, which gives back what is no read of a node."""


def permissions(held: AccountMixin) -> list[dict[str, Any]]:
    """EIP-2255: what the page may use."""
    if held.status != "connected":
        return []
    return [
        {
            "parentCapability": PERMISSION,
            "caveats": [{"type": "restrictReturnedAccounts", "value": list(held._accounts)}],
        }
    ]


def _granted(method: str, held: AccountMixin) -> list[Any]:
    """What a request for accounts is answered with, each in the form of its standard."""
    if method == "wallet_requestPermissions":
        return permissions(held)
    accounts = list(held._accounts)
    return [{"pubkey": address} for address in accounts] if method == "solana_requestAccounts" else accounts


async def forget_waiting(state: rx.State) -> None:
    """Nobody of the page before waits any more."""
    (await state.get_state(RequestsState))._waiting = []


def _kind(asked: HostRequest) -> MethodClass:
    """Who answers a request: each namespace has methods of its own, and but for requests for accounts only eip155 has any that the modal answers."""
    own = asked.method in WALLET_METHODS[asked.namespace]
    if ACCOUNT_REQUESTS.get(asked.method, asked.namespace) != asked.namespace:
        return "refused"
    if asked.method in ACCOUNT_REQUESTS:
        return "modal"
    if asked.namespace != "eip155":
        return "unsafe" if own else "refused"
    kind = classify(asked.method, asked.params)
    return "refused" if kind == "unsafe" and not own else kind


async def answer(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Checks a request and sends it on its way: the modal's own methods, the wallet's, or a refusal."""
    bridge = await state.get_state(BridgeState)
    method, params = asked.method, asked.params
    kind = _kind(asked)
    held = await account(state, asked.namespace)
    if asked.namespace == "eip155" and method in WALLET_READS:
        await read_from_wallet(state, call, asked)
    elif kind in ("refused", "safe"):
        await refuse_method(state, call, asked)
    elif kind == "modal" and (refusal := _misshapen(method, params)) is not None:
        await bridge._settle(call, code=refusal.code, message=refusal.message)
    elif method in ACCOUNT_REQUESTS:
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
        return await decide(state, call, asked)
    return []


def _misshapen(method: str, params: Any) -> Refusal | None:
    """What is wrong with the parameters of a method that the modal itself answers."""
    try:
        if method == "wallet_revokePermissions":
            check_revoked_permissions(params)
        elif method in MODAL_METHODS:
            check_params(method, params)
    except PayloadError as error:
        return refusal_of(error)
    return None


async def _ask_to_connect(state: rx.State, call: str, method: str, held: AccountMixin) -> None:
    bridge = await state.get_state(BridgeState)
    if held.status == "connected":
        await bridge._settle(call, _granted(method, held))
        return
    requests = await state.get_state(RequestsState)
    if len(requests._waiting) >= MAX_ASKED:
        await bridge._settle(call, code=LIMIT_EXCEEDED, message="Too many requests wait for the visitor")
        return
    if all(entry["call"] != call for entry in requests._waiting):
        requests._waiting = [*requests._waiting, {"call": call, "method": method}]
    shell = await state.get_state(ShellState)
    if not await shell._visible():
        await shell._narrow(ACCOUNT_REQUESTS[method])
        await shell._open("Connect")


async def _switch(state: rx.State, call: str, params: Any) -> Followups:
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    held = await account(state, "eip155")
    chain = f"eip155:{int(params[0]['chainId'], 16)}"
    if chain not in networks._networks:
        await bridge._settle(call, code=CHAIN_UNKNOWN, message="An error occurred when attempting to switch chain.")
    elif held.status == "connected" and chain == f"eip155:{held._chain}":
        await bridge._settle(call)
    else:
        return await networks._asked_to_switch(chain, call)
    return []


async def settle_waiting(state: rx.State) -> None:
    """Those who waited for an account get it; when the modal was closed instead, they are rejected."""
    await _settle_waiting(state, closed=True)


async def connected(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """A new account answers those who waited for one."""
    await _settle_waiting(state, closed=False)
    return []


async def _settle_waiting(state: rx.State, *, closed: bool) -> None:
    requests = await state.get_state(RequestsState)
    if not requests._waiting:
        return
    bridge, left = await state.get_state(BridgeState), list[dict[str, str]]()
    waiting, requests._waiting = requests._waiting, []
    for entry in waiting:
        held = await account(state, ACCOUNT_REQUESTS[entry["method"]])
        if held.status == "connected":
            await bridge._settle(entry["call"], _granted(entry["method"], held))
        elif closed:
            await bridge._settle(entry["call"], code=REJECTED, message=UserRejectedRequestError.text)
        else:
            left.append(entry)
    if left:
        requests._waiting = left
