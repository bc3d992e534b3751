"""Handlers of names: the wallet's reply, changed accounts, the closed modal, and a session that was lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.language import _
from walletmodal.core.language.text import recalled
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import SIGNATURE_DECLINED
from walletmodal.deployment import deployment
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.names.registration import SignatureRequest
from walletmodal.features.names.state import CHOOSE, NOT_SIGNED, SUCCESS, VIEW, NamesState
from walletmodal.reflex_internals.substates import get_substate
from walletmodal.services.sign_in.proofs import MAX_SIGNATURE

NAME_VIEWS: Final = frozenset({CHOOSE, VIEW, SUCCESS})
DECLINED: Final = _("You have declined it in your wallet. Nothing was registered.")


async def on_sign_reply(state: rx.State, reply: Reply, _context: dict[str, Any]) -> Followups:
    """Handles the wallet's reply: it signed, declined, or cannot."""
    names = await state.get_state(NamesState)
    asked: SignatureRequest | None = names._asked
    if names._command != reply.id or asked is None:
        return []
    names._command = ""
    if reply.error is not None:
        if is_user_rejection(reply.error.code, reply.error.message):
            return await names._on_failed(DECLINED, told=reply.error.message, toast=SIGNATURE_DECLINED)
        return await names._on_failed(NOT_SIGNED, told=reply.error.message)
    if not isinstance(reply.value, str) or not 0 < len(reply.value) <= MAX_SIGNATURE:
        return await names._on_failed(NOT_SIGNED)
    names._signature, names._took = reply.value, max(0.0, deployment().clock.now().timestamp() - asked.at)
    names._put(phase="registering")
    return [NamesState.submit]


async def sync_names(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Syncs the form with account and network after a snapshot."""
    return await (await state.get_state(NamesState))._sync()


async def on_account_change(state: rx.State) -> Followups:
    """Syncs the form when another account or network is in use."""
    return await (await state.get_state(NamesState))._sync()


async def reset_names(state: rx.State) -> None:
    """Clears what the page before has begun."""
    names = await state.get_state(NamesState)
    await names._cancel()
    names._clear()
    names._of = None


async def clear_names(state: rx.State) -> None:
    """Clears a form that nobody looks at; what the wallet was asked goes on."""
    names = await state.get_state(NamesState)
    if names.phase == "idle":
        names._clear()


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record; None where nothing was typed, nor registered."""
    names = await get_substate(state, NamesState)
    asked: SignatureRequest | None = names.get_value("_asked")
    if not names.typed and not names.done and asked is None:
        return None
    return {
        "typed": names.typed,
        "note": names.note,
        "done": names.done,
        "asked": None if asked is None else asked._asdict(),
        "label": names.label,
        "command": names._command,
        "signature": names._signature,
        "took": names._took,
    }


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned. The name is looked up anew, unless the wallet was asked to sign for it."""
    names = await state.get_state(NamesState)
    asked = part["asked"]
    names.typed, names.done, names.filled = part["typed"], part["done"], names.filled + 1
    names.note = recalled(part["note"])
    names._took = part["took"]
    if asked is None:
        return
    names._asked, names._command, names._signature = SignatureRequest(**asked), part["command"], part["signature"]
    names.phase = "registering" if names._signature else "signing"
    names._of, names.label, names.check = asked["about"], part["label"], "available"
