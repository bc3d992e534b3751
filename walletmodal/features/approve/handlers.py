"""What runs for ApproveTransaction on events: a request that is to be shown, a page or account that changes, a session that is restored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, REJECTED
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.text.texts import REQUEST_WAS_ABORTED
from walletmodal.features.approve.entries import Waiting, room_error
from walletmodal.features.approve.state import VIEW, ApproveState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups
from walletmodal.features.embedded.payers import FeeOption
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.substates import get_substate
from walletmodal.services.tracing import carried


async def ask_visitor(
    state: rx.State,
    call: str,
    request: HostedRequest,
    *,
    reason: str = "",
    fees: Sequence[FeeOption] = (),
    stamp: str = "",
) -> Followups:
    """Asks the visitor to approve a request of the host, which has passed every other check.

    On approval it goes to the step of `on_approved`; else the call is settled with 4001.

    Args:
        state: any of the visitor's.
        call: the envelope id under which the host waits; asking again for one that waits changes nothing.
        request: what the connected account is to sign or send.
        reason: why the deployment wants it confirmed, for the visitor; "" for none.
        fees: what the account may pay the network fee in; empty where there is no choice.
        stamp: of the request.
    """
    own, bridge = await state.get_state(ApproveState), await state.get_state(BridgeState)
    if any(entry["call"] == call for entry in own._entries()):
        return []
    entry = Waiting(
        call=call,
        namespace=request.namespace,
        method=request.method,
        params=request.params,
        account=request.account,
        chain=str(request.chain),
        reason=reason,
        fees=list(fees),
        stamp=stamp,
    )
    if trace := carried():
        entry["trace"] = trace
    full = room_error(own._entries(), entry)
    if full:
        await bridge._settle(call, code=LIMIT_EXCEEDED, message=full)
        return []
    try:
        summarize(request)
    except WalletModalError as error:
        # What cannot be shown is not asked: the visitor could only guess.
        await bridge._settle(call, code=error.code, message=error.short_message)
        return []
    shell, framed = await state.get_state(ShellState), await state.get_state(EmbeddedState)
    if not framed.confirming:
        framed._put(framed=False)
    if not await shell._is_visible():
        await shell._open(VIEW, request.namespace)
    elif all(view != VIEW for view, _ in shell._stack):
        shell._push(VIEW)
    return own._add(entry)


async def check_waiting(state: rx.State, _extent: Extent) -> None:
    """Aborts requests whose view is gone, and goes on when the wallet has answered."""
    own = await get_substate(state, ApproveState)
    if own.phase == "idle":
        return
    shell = await get_substate(state, ShellState)
    if not await shell._is_visible() or all(view != VIEW for view, _ in shell._stack):
        # The visitor or the host has gone elsewhere, on whichever way.
        await own._abort()
    elif own.phase == "asking" and not (await get_substate(state, BridgeState))._is_in_progress(own._asking):
        # The skeleton of the next one asks for its reading.
        await own._next()


async def abort_waiting(state: rx.State) -> None:
    """Rejects waiting requests when the modal closes."""
    own = await state.get_state(ApproveState)
    if own.phase != "idle":
        await own._abort()


async def withdraw(state: rx.State, call: str) -> Followups:
    """Takes back a request of which the host was told that it came to nothing; not from a wallet that has it."""
    own = await state.get_state(ApproveState)
    entries = own._entries()
    entry = next((one for one in entries if one["call"] == call), None)
    if entry is None:
        return []
    own._waiting = [one for one in entries if one is not entry]
    await own._decline(entry, "aborted")
    if own.phase != "asking" and entry is entries[0]:
        return await own._next()
    own._put(total=own.total - 1)
    return []


async def reset_approvals(state: rx.State) -> None:
    """Clears the requests of the page before."""
    (await state.get_state(ApproveState))._clear()


async def sync_approvals(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Shows requests anew when the wallet has another account or network: what is shown must be what is carried out. Goes on with what a process before has begun."""
    own = await state.get_state(ApproveState)
    if own.phase not in ("loading", "ready"):
        return own._left_behind()
    first = own._entries()[0]["call"] if own._entries() else ""
    await own._drop_foreign()
    entries = own._entries()
    if not entries or entries[0]["call"] != first:
        return await own._next()
    if own.phase == "ready" and await own._current_signer(entries[0]) == tuple(own.get_value("_for")):
        return own._left_behind()
    # Also what is being read: the process that read it may be gone.
    return own._reload(whole=own.whole)


async def on_account_change(state: rx.State) -> Followups:
    """Shows requests anew when the host or visitor has put a pairing on another network."""
    own = await state.get_state(ApproveState)
    entries = own._entries()
    if own.phase != "ready" or not entries:
        return []
    standing = await own._current_signer(entries[0])
    return own._reload(whole=own.whole) if standing not in (None, tuple(own.get_value("_for"))) else []


async def to_record(state: rx.State) -> Mapping[str, Any] | None:
    """Returns the part of the resume record; None when nothing waits."""
    own = await get_substate(state, ApproveState)
    if own.phase == "idle":
        return None
    return {"waiting": own._entries(), "asking": own._asking, "place": own.place, "total": own.total, "lost": []}


def without_requests(record: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Returns the part without the requests, which are too large: only who waits, to be told that it came to nothing."""
    if record is None:
        return None
    lost = [*record["lost"], *(entry["call"] for entry in record["waiting"])]
    return {"waiting": [], "asking": record["asking"], "place": 1, "total": 1, "lost": lost}


async def restore(state: rx.State, record: Mapping[str, Any]) -> None:
    """Restores waiting requests; they are read anew when the page has said who it is."""
    own, bridge = await state.get_state(ApproveState), await state.get_state(BridgeState)
    for call in record["lost"]:
        await bridge._settle(call, code=REJECTED, message=REQUEST_WAS_ABORTED)
    if record["asking"]:
        own._waiting, own._asking = list(record["waiting"]), record["asking"]
        own._put(phase="asking", place=record["place"], total=record["total"])
    elif record["waiting"]:
        own._waiting = list(record["waiting"])
        own._reload()
        own._put(place=record["place"], total=record["total"])
