"""Sending's handlers of wallet replies, snapshots and closed views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.language import _
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import FAILED_TO_SEND_TRANSACTION, SOMETHING_WRONG, TRANSACTION_STARTED
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.send.picker import VIEW as PICKER
from walletmodal.features.send.review import VIEW, ReviewState
from walletmodal.features.send.state import VIEW as FORM
from walletmodal.features.send.state import SendState
from walletmodal.features.send.wallet_requests import details_from_context
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.substates import get_substate

RESULT: Final = "WalletSendResult"
SEND_VIEWS: Final = frozenset({FORM, PICKER, VIEW})

DECLINED: Final = _("It was declined in your wallet. Nothing was sent.")
WALLET_FAILED: Final = _("Your wallet could not send it: nothing has left your account.")


async def on_transaction_outcome(state: rx.State, outcome: TransactionOutcome, context: dict[str, Any]) -> Followups:
    """Handles the transaction's outcome: the wallet has sent it, or has not, or nobody knows."""
    review, bridge = await state.get_state(ReviewState), await state.get_state(BridgeState)
    toasts, told = await state.get_state(ToastState), details_from_context(context)
    waits = review.phase == "asking" and review._question == context["question"]
    if outcome.status == "declined":
        evm, refused = told.network.startswith("eip155:"), is_user_rejection(outcome.code, outcome.message)
        await bridge._publish(events.send_error(told, message=outcome.message))
        if not refused and not (waits and await (await state.get_state(ShellState))._shows(VIEW)):
            toasts._show(SOMETHING_WRONG if evm else FAILED_TO_SEND_TRANSACTION, "error")
        if not waits:
            return []
        if not refused:
            return review._on_refused(WALLET_FAILED, own_fee=bool(context.get("paid")))
        return review._on_refused(DECLINED)
    if outcome.status == "sent":
        await bridge._publish(events.send_success(told))
        toasts._show(TRANSACTION_STARTED, about=outcome.request_id)
        await (await state.get_state(SendState))._clear()
    if waits:
        review._clear()
        shell = await state.get_state(ShellState)
        if shell.view == VIEW:
            shell._reset("Account")
            shell._push(RESULT)
    await bridge._save_record()
    return []


async def fill_in(state: rx.State, given: Mapping[str, str], host: str) -> None:
    """Fills in what the host gives with `open({view: "WalletSend", arguments})`."""
    if any(given.values()):
        await (await state.get_state(SendState))._fill_in(given, host)


async def refresh_send(state: rx.State) -> Followups:
    """Loads what is filled in anew where the form is shown already."""
    return [SendState.load] if (await state.get_state(ShellState)).view == FORM else []


async def sync_preview(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates form and preview to the wallet."""
    if (await state.get_state(ShellState)).view not in SEND_VIEWS:
        return []
    return await (await state.get_state(ReviewState))._sync()


async def reset_preview(state: rx.State) -> None:
    """Clears the preview of the page before; what was entered stays, and what the wallet was asked is on record."""
    (await state.get_state(ReviewState))._clear()


async def clear_preview(state: rx.State) -> None:
    """Clears a preview that nobody looks at; what the wallet has goes on."""
    review = await state.get_state(ReviewState)
    if review.phase != "asking":
        review._clear()


_FORM = ("token", "symbol", "icon", "amount", "receiver", "host")


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record; None where nothing was entered."""
    form = await get_substate(state, SendState)
    if not form.token and not form.receiver:
        return None
    review = await state.get_state(ReviewState)
    asking = review.phase == "asking"
    return {
        **{name: getattr(form, name) for name in _FORM},
        "filled_in": list(form._filled_in),
        "speed": review.speed,
        "question": review._question if asking else "",
        "plan": review.get_value("plan") if asking else None,
    }


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned. A preview is made afresh, but for one that the wallet has."""
    form, review = await state.get_state(SendState), await state.get_state(ReviewState)
    for name in _FORM:
        setattr(form, name, part[name])
    form._filled_in = tuple(part["filled_in"])
    form.filled += 1
    review.speed = part["speed"]
    if part["question"] and part["plan"] is not None:
        review._question, review.plan, review.phase = part["question"], part["plan"], "asking"
