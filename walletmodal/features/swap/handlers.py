"""Swapping's handlers of wallet replies, snapshots, final transactions and closed views."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.analytics import events
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.language import _
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.text.formatting import format_quantity
from walletmodal.core.text.texts import SOMETHING_WRONG, swapped, swapping
from walletmodal.core.transfers.transaction_request import PENDING, TransactionRequest
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.db.engine import describe_failure
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.send.handlers import RESULT
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.batches import ONE_BY_ONE
from walletmodal.features.swap.picker import VIEW as PICKER
from walletmodal.features.swap.preview import VIEW, SwapPreviewState
from walletmodal.features.swap.state import VIEW as FORM
from walletmodal.features.swap.state import SwapState
from walletmodal.features.swap.wallet_requests import details_from_context
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.substates import get_substate

logger = logging.getLogger(__name__)

SWAP_VIEWS: Final = frozenset({FORM, PICKER, VIEW})

DECLINED: Final = _("It was declined in your wallet. Nothing was swapped.")
APPROVAL_DECLINED: Final = _("The approval was declined in your wallet. Nothing was swapped.")
WALLET_FAILED: Final = _("Your wallet could not send it: nothing has left your account.")
APPROVAL_FAILED: Final = _("The network has not taken the approval. Try it again.")


async def on_swap_outcome(state: rx.State, outcome: TransactionOutcome, context: dict[str, Any]) -> Followups:
    """Handles the outcome of a swap or of its approval: the wallet has sent it, or has not, or nobody knows."""
    preview, bridge = await state.get_state(SwapPreviewState), await state.get_state(BridgeState)
    toasts, told, approves = await state.get_state(ToastState), details_from_context(context), context["approves"]
    waits = preview.phase == "asking" and preview._question == context["question"]
    if outcome.status == "declined":
        return await _on_declined(state, outcome, context, waits=waits)
    if approves:
        if waits:
            preview._on_approving()
            await bridge._save_record()
        return []
    if outcome.status == "sent":
        preview._sent = context["question"]
        await bridge._publish(events.swap_success(told))
        started = swapping(told.from_token, format_quantity(told.to_amount), told.to_token)
        toasts._show(started, about=outcome.request_id)
        (await state.get_state(SwapState))._clear()
    if waits:
        preview._reload()
        shell = await state.get_state(ShellState)
        if shell.view == VIEW:
            shell._reset("Account")
            shell._push(RESULT)
    await bridge._save_record()
    return []


async def _on_declined(
    state: rx.State, outcome: TransactionOutcome, context: dict[str, Any], *, waits: bool
) -> Followups:
    preview, approves = await state.get_state(SwapPreviewState), context["approves"]
    if context["batch"] and outcome.code in ONE_BY_ONE:
        return preview._on_no_batches() if waits else []
    failed = events.swap_approval_error if approves else events.swap_error
    told = failed(details_from_context(context), message=outcome.message)
    await (await state.get_state(BridgeState))._publish(told)
    refused = is_user_rejection(outcome.code, outcome.message)
    if not refused and not (waits and await (await state.get_state(ShellState))._shows(VIEW)):
        (await state.get_state(ToastState))._show(SOMETHING_WRONG, "error")
    if not waits:
        return []
    if not refused:
        return preview._on_refused(WALLET_FAILED, own_fee=bool(context.get("paid")))
    return preview._on_refused(APPROVAL_DECLINED if approves else DECLINED)


async def on_swap_final(state: rx.State) -> Followups:
    """Goes on once the network has taken the approval, and says what a swap has brought."""
    preview = await state.get_state(SwapPreviewState)
    if preview._sent:
        swap = await _final_request(preview._sent)
        if swap is not None:
            preview._sent = ""
            if _is_through(swap) and (await state.get_state(ShellState)).view != RESULT:
                proposal, brought = swap.proposal, swap.proposal.amount if swap.gained is None else swap.gained
                amount = format_quantity(to_decimal(brought, proposal.decimals))
                (await state.get_state(ToastState))._show(swapped(proposal.given_symbol, amount, proposal.symbol))
    if preview.phase != "approving":
        return []
    approval = await _final_request(preview._question)
    if approval is None:
        return []
    followups = preview._reload() if _is_through(approval) else preview._reload(APPROVAL_FAILED)
    await (await state.get_state(BridgeState))._save_record()
    return followups


async def _final_request(request_id: str) -> TransactionRequest | None:
    """Returns a request on record about which the network has decided; None before that, and where the record cannot be read."""
    try:
        asked = await deployment().requests.get(request_id)
    except (SQLAlchemyError, OSError) as error:
        logger.warning("whether a transaction is through cannot be read: %s", describe_failure(error))
        return None
    return None if asked is None or asked.status in PENDING else asked


def _is_through(asked: TransactionRequest) -> bool:
    return asked.status == "confirmed" and not asked.altered


async def fill_in(state: rx.State, given: Mapping[str, str], host: str) -> None:
    """Fills in what the host gives with `open({view: "Swap", arguments})`."""
    if any(given.values()):
        (await state.get_state(SwapState))._fill_in(given, host)


async def sync_swap(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates form and preview to the wallet."""
    if (await state.get_state(ShellState)).view not in SWAP_VIEWS:
        return []
    return await (await state.get_state(SwapPreviewState))._sync()


async def refresh_swap(state: rx.State) -> Followups:
    """Loads what is filled in anew where the form is shown already."""
    return [SwapState.load] if (await state.get_state(ShellState)).view == FORM else []


async def reset_swap(state: rx.State) -> None:
    """Clears the preview of the page before; what was entered stays, and what the wallet was asked is on record."""
    (await state.get_state(SwapPreviewState))._reload()


async def clear_swap(state: rx.State) -> None:
    """Clears what nobody looks at; what the wallet or the network has goes on."""
    preview = await state.get_state(SwapPreviewState)
    if preview.phase not in ("asking", "approving"):
        preview._reload()
        (await state.get_state(SwapState))._clear()


_FORM = ("source", "target", "amount", "slippage", "own_slippage", "host")


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record; None where nothing was entered."""
    form = await get_substate(state, SwapState)
    if not form.amount and not form.target:
        return None
    preview = await state.get_state(SwapPreviewState)
    waits = preview.phase in ("asking", "approving")
    return {
        **{name: getattr(form, name) for name in _FORM},
        "filled_in": list(form._filled_in),
        "phase": preview.phase if waits else "",
        "question": preview._question if waits else "",
        "plan": preview.get_value("plan") if waits else None,
    }


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned. A preview is made afresh, but for one that the wallet or the network has."""
    form, preview = await state.get_state(SwapState), await state.get_state(SwapPreviewState)
    for name in _FORM:
        setattr(form, name, part[name])
    form._filled_in = tuple(part["filled_in"])
    form.filled += 1
    if part["question"] and part["plan"] is not None:
        preview._question, preview.plan, preview.phase = part["question"], part["plan"], part["phase"]
