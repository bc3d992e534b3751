"""Provider requests of the host page, apart from plain reads (those are HTTP: walletmodal/web/rpc.py)."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, REJECTED
from walletmodal.core.errors.rpc import UserRejectedRequestError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.requests.methods import ACCOUNT_METHODS, find_method, methods_of_kinds
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.requests.checks import refusal_of
from walletmodal.features.requests.decisions import decide, read_from_wallet, refuse_method
from walletmodal.features.requests.modal_methods import MODAL_METHODS, granted
from walletmodal.features.requests.state import MAX_ASKED, RequestsState
from walletmodal.features.shell.state import ShellState

OVER_WEBSOCKET = sorted(methods_of_kinds("modal", "account", "wallet_read", "wallet"))
"""Methods that the frame brings here. The others go to `/v1/rpc`, which gives back what is no read of a node."""


async def reset_waiting(state: rx.State) -> None:
    """Clears the requests that the page before waited for."""
    (await state.get_state(RequestsState))._waiting = []


async def handle_request(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Checks a request and dispatches it: the modal's own methods, the wallet's, or a refusal."""
    spec = find_method(asked.namespace, asked.method, asked.params)
    if spec is None or spec.kind in ("node", "page"):
        await refuse_method(state, call, asked)
    elif spec.kind == "wallet":
        return await decide(state, call, asked)
    elif spec.kind == "wallet_read":
        return await read_from_wallet(state, call, asked, spec)
    else:
        try:
            params = spec.check(asked.params)
        except PayloadError as error:
            refusal = refusal_of(error)
            await (await state.get_state(BridgeState))._settle(call, code=refusal.code, message=refusal.message)
            return []
        if spec.kind == "modal":
            return await MODAL_METHODS[spec.name](state, call, params)
        await _ask_to_connect(state, call, asked)
    return []


async def _ask_to_connect(state: rx.State, call: str, asked: HostRequest) -> None:
    bridge, held = await state.get_state(BridgeState), await account(state, asked.namespace)
    if held.status == "connected":
        await bridge._settle(call, granted(asked.method, asked.namespace, list(held._accounts)))
        return
    requests = await state.get_state(RequestsState)
    if len(requests._waiting) >= MAX_ASKED:
        await bridge._settle(call, code=LIMIT_EXCEEDED, message="Too many requests wait for the visitor")
        return
    if all(entry["call"] != call for entry in requests._waiting):
        requests._waiting = [*requests._waiting, {"call": call, "method": asked.method}]
    shell = await state.get_state(ShellState)
    if not await shell._is_visible():
        await shell._set_namespace(asked.namespace)
        await shell._open("Connect")


async def withdraw(state: rx.State, call: str) -> Followups:
    """Forgets a request that has waited for the visitor to connect."""
    requests = await state.get_state(RequestsState)
    requests._waiting = [entry for entry in requests._waiting if entry["call"] != call]
    return []


async def close_waiting(state: rx.State) -> None:
    """Answers waiting requests when the modal closes: with the account, or a rejection."""
    await _settle_waiting(state, closed=True)


async def sync_waiting(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Answers waiting requests once there is an account."""
    await _settle_waiting(state, closed=False)
    return []


async def _settle_waiting(state: rx.State, *, closed: bool) -> None:
    requests = await state.get_state(RequestsState)
    if not requests._waiting:
        return
    bridge, left = await state.get_state(BridgeState), list[dict[str, str]]()
    waiting, requests._waiting = requests._waiting, []
    for entry in waiting:
        held = await account(state, ACCOUNT_METHODS[entry["method"]])
        if held.status == "connected":
            await bridge._settle(entry["call"], granted(entry["method"], held.namespace, list(held._accounts)))
        elif closed:
            await bridge._settle(entry["call"], code=REJECTED, message=UserRejectedRequestError.text)
        else:
            left.append(entry)
    if left:
        requests._waiting = left
