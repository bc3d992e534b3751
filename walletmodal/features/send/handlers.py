"""What sending does when the wallet answers, when the browser tells what it knows, and when the visitor goes elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import FAILED_TO_SEND_TRANSACTION, SOMETHING_WENT_WRONG, TRANSACTION_STARTED
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.send.picker import VIEW as PICKER
from walletmodal.features.send.review import VIEW, ReviewState
from walletmodal.features.send.state import VIEW as FORM
from walletmodal.features.send.state import SendState
from walletmodal.features.send.wallet_requests import told_again
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.substates import get_substate

RESULT: Final = "WalletSendResult"
SEND_VIEWS: Final = frozenset({FORM, PICKER, VIEW})

DECLINED: Final = "It was declined in your wallet. Nothing was sent."
WALLET_FAILED: Final = "Your wallet could not send it: nothing has left your account."


async def answered(state: rx.State, outcome: TransactionOutcome, context: dict[str, Any]) -> Followups:
    """The wallet has sent it, or has not, or nobody knows."""
    review, bridge = await state.get_state(ReviewState), await state.get_state(BridgeState)
    toasts, told = await state.get_state(ToastState), told_again(context)
    waits = review.phase == "asking" and review._question == context["question"]
    if outcome.status == "declined":
        evm, refused = told.network.startswith("eip155:"), is_user_rejection(outcome.code, outcome.message)
        await bridge._publish(events.send_error(told, message=outcome.message))
        if not refused:
            toasts._show(SOMETHING_WENT_WRONG if evm else FAILED_TO_SEND_TRANSACTION, "error")
        if not waits:
            return []
        return review._refused(DECLINED if refused else WALLET_FAILED)
    if outcome.status == "sent":
        await bridge._publish(events.send_success(told))
        toasts._show(TRANSACTION_STARTED)
        await (await state.get_state(SendState))._forget()
    if waits:
        review._end()
        shell = await state.get_state(ShellState)
        if shell.view == VIEW:
            shell._reset("Account")
            shell._push(RESULT)
    await bridge._keep()
    return []


async def follow_wallet(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """What is being looked at follows the wallet."""
    if (await state.get_state(ShellState)).view not in SEND_VIEWS:
        return []
    return await (await state.get_state(ReviewState))._follow()


async def forget_preview(state: rx.State) -> None:
    """A preview ends with its page; what was entered stays, and what the wallet was asked is on record."""
    (await state.get_state(ReviewState))._end()


async def leave_preview(state: rx.State) -> None:
    """A preview that nobody looks at is made afresh; what the wallet has goes on."""
    review = await state.get_state(ReviewState)
    if review.phase != "asking":
        review._end()


_FORM = ("token", "symbol", "icon", "amount", "receiver")


async def recorded(state: rx.State) -> dict[str, Any] | None:
    """What a lost session gets back; None where nothing was entered."""
    form = await get_substate(state, SendState)
    if not form.token and not form.receiver:
        return None
    review = await state.get_state(ReviewState)
    asking = review.phase == "asking"
    return {
        **{name: getattr(form, name) for name in _FORM},
        "speed": review.speed,
        "question": review._question if asking else "",
        "plan": review.get_value("plan") if asking else None,
    }


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Brings back what `recorded` gave. A preview is made afresh, but for one that the wallet has."""
    form, review = await state.get_state(SendState), await state.get_state(ReviewState)
    for name in _FORM:
        setattr(form, name, part[name])
    form.filled += 1
    review.speed = part["speed"]
    if part["question"] and part["plan"] is not None:
        review._question, review.plan, review.phase = part["question"], part["plan"], "asking"
