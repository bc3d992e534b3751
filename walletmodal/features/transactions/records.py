"""Entries of the record: written before a wallet is asked, changed with what it answers, and where the flow goes on then."""

from __future__ import annotations

import logging
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.flow import AnotherNetworkError, NoActiveAddressError
from walletmodal.core.transfers.transaction_request import Proposal, TransactionKind, TransactionRequest
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.db.requests import MAX_ORIGIN
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.wiring import Followups, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.transactions.state import PendingState
from walletmodal.services.metrics import count_ignored

_ID_BYTES: Final = 12
_TRIES: Final = 4
"""How often an answer is written when somebody else has written to its entry at the same moment."""

logger = logging.getLogger(__name__)


async def new_request_id(state: rx.State, proposal: Proposal) -> str:
    """Makes the id of the next entry: the same one where its event is done again because it was not written; as unguessable as `new_id`.

    Args:
        state: any of the visitor's.
        proposal: what the wallet is asked.
    """
    pending, life = await state.get_state(PendingState), (await state.get_state(EmbedState))._life
    pending._number += 1
    # What bounds its life is another one when it is done again.
    asked = proposal.model_copy(update={"anchor": ""}).model_dump_json()
    digest = sha256(f"{life or new_id()} {pending._number} {asked}".encode()).digest()
    return urlsafe_b64encode(digest[:_ID_BYTES]).decode()


async def record_transaction(
    state: rx.State,
    proposal: Proposal,
    kind: TransactionKind,
    request_id: str,
    *,
    height: int | None = None,
    calls_id: str = "",
) -> None:
    """Records what the account's wallet is about to be asked; returns once that is durable.

    Args:
        state: any of the visitor's.
        proposal: what the wallet is asked, as it goes on record.
        kind: who wants it.
        request_id: one of `new_request_id`.
        height: of the chain, where it is known already.
        calls_id: of the page's own, of calls that go as a user operation.

    Raises:
        NoActiveAddressError, AnotherNetworkError, TooManyPendingError, DuplicateIdError, NotRecordedError: as `ask_transaction`.
    """
    chain = parse_chain_id(proposal.chain)
    held = await account(state, chain.namespace)
    if held.status != "connected" or proposal.sender not in held._accounts:
        raise NoActiveAddressError(proposal.sender)
    if held._chain != chain.reference:
        raise AnotherNetworkError(str(chain))
    pending, embed = await state.get_state(PendingState), await state.get_state(EmbedState)
    now = deployment().clock.now()
    asked = TransactionRequest(
        id=request_id,
        owner=pending._ensure_owner(),
        origin=embed._origin[:MAX_ORIGIN],
        kind=kind,
        proposal=proposal,
        asked_at=now,
        changed_at=now,
        height=height,
        calls_id=calls_id,
    )
    await deployment().requests.ask(asked)


async def save_changes(request_id: str, changes_of: Callable[[TransactionRequest], Mapping[str, Any]]) -> bool:
    """Writes what a wallet's answer changes in an entry. False: it could not be written now."""
    store = deployment().requests
    try:
        for _ in range(_TRIES):
            known = await store.get(request_id)
            changes = {} if known is None else changes_of(known)
            if known is None or not changes or await store.change(known, **changes):
                return True
    except (SQLAlchemyError, OSError):
        logger.exception("the answer of a wallet could not be written; it is asked for again")
    return False


async def run_step(state: rx.State, outcome: TransactionOutcome, context: Mapping[str, Any]) -> Followups:
    """Goes on with the flow that has asked, at the step that the command's context names; nothing follows without one."""
    if not context["step"]:
        return []
    step = wiring().transaction_outcomes.get(context["step"])
    if step is None:
        count_ignored("continuation_unknown")
        return []
    return await step(state, outcome, dict(context["given"]))
