"""Transactions that a wallet is asked to send: on record before it is asked, and whatever it answers after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import reflex as rx

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.decoding.solana_message import read_transaction
from walletmodal.core.errors.codes import INTERNAL_ERROR, UNSUPPORTED_METHOD
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.answers import Answer
from walletmodal.core.requests.methods import WALLET_METHODS, calls_id_of
from walletmodal.core.text.texts import WALLET_SIGNED_ANOTHER
from walletmodal.core.transfers.transaction_request import Proposal, TransactionKind, TransactionRequest
from walletmodal.core.transfers.wallet_response import TransactionOutcome, read_answer
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.transactions.operations import OperationStep, calls_of_safe, work_out
from walletmodal.features.transactions.records import (
    new_request_id,
    record_transaction,
    run_step,
    save_changes,
)
from walletmodal.features.transactions.state import PendingState

ANSWERED: Final = "transactions.answered"


async def ask_transaction(
    state: rx.State,
    *,
    proposal: Proposal,
    params: Sequence[object] | Mapping[str, object],
    kind: TransactionKind,
    then: str = "",
    context: Mapping[str, Any] | None = None,
    call: str = "",
    request_id: str = "",
    hint: Hint | None = None,
) -> Followups:
    """Records a transaction, then asks the account's wallet for it. The result view follows one of the modal's own.

    Args:
        state: any of the visitor's.
        proposal: what the wallet is asked, as it goes on record.
        params: the parameters of its method, JSON.
        kind: who wants it.
        then: the name of the step (`Wiring.transaction_outcomes`) that the answer goes to; empty when nothing follows.
        context: what that step needs, JSON.
        call: id of the host's request that it carries out; the loader settles it.
        request_id: one of `new_request_id`, where it must be known elsewhere.
        hint: for the embedded wallet.

    Raises:
        NoActiveAddressError: the account is not connected any more.
        AnotherNetworkError: it is on another network.
        TooManyPendingError: 99 are pending.
        DuplicateIdError: the page has given other calls its id.
        NotRecordedError: the database did not take it.
        SmartAccountUnavailableError, ContractCreationError: the account is a Safe, which cannot do that here. In all of these cases the wallet was not asked.
    """
    chain, method = parse_chain_id(proposal.chain), proposal.method
    request_id = request_id or await new_request_id(state, proposal)
    held, pending = await account(state, chain.namespace), await state.get_state(PendingState)
    owner = held._owner_of(proposal.sender)
    calls = calls_of_safe(chain, proposal.sender, method, params) if owner else ()
    calls_id = calls_id_of(method, params) if owner else ""
    await record_transaction(state, proposal, kind, request_id, calls_id=calls_id)
    if kind != "host":
        # Before the question, whose resume record has it then.
        pending._watch(request_id)
    if owner:
        names = WALLET_METHODS[method].batch is None
        step = OperationStep(request_id, str(chain), call, names, then, dict(context or {}), hint)
        passkey = held._passkey_of(chain, proposal.sender)
        return await work_out(state, step, owner, calls, passkey=passkey, calls_id=calls_id)
    sent = dict(params) if isinstance(params, Mapping) else list(params)
    request = wallet_request(held, method, sent, chain=str(chain), call=call, hint=hint)
    record: dict[str, Any] = {"entry": request_id, "step": then, "given": dict(context or {}), "asked": method}
    if _sign_method(method) and not call:
        # A wallet that only signs is asked for that; what it signs is ours to bring to the network, so it is looked at first.
        record |= {"to_sign": request, "expected": proposal.data}
    await (await state.get_state(BridgeState))._issue(
        "wallet.request", request, then=ANSWERED, command_id=request_id, **record
    )
    pending._reset_interval()
    return [PendingState.poll]


def _sign_method(method: str) -> str:
    """Returns the method for wallets that sign, but do not send."""
    return WALLET_METHODS[method].signs


def _read_reply(reply: Reply, context: Mapping[str, Any]) -> Answer:
    answer = read_answer(context["asked"], reply)
    if answer.signed and " ".join(read_transaction(answer.signed).instructions) != context["expected"]:
        return Answer("declined", code=INTERNAL_ERROR, message=WALLET_SIGNED_ANOTHER)
    return answer


def _must_only_sign(answer: Answer, context: Mapping[str, Any]) -> bool:
    """Whether a wallet says that it cannot send: then it is asked to sign. A host's request has its answer with that."""
    return "to_sign" in context and bool(_sign_method(context["asked"])) and answer.code == UNSUPPORTED_METHOD


async def save_reply(_state: rx.State, reply: Reply, context: dict[str, Any]) -> bool:
    """Saves what the wallet has answered, before the browser may forget it. False: it could not be written now."""
    answer = _read_reply(reply, context)
    if _must_only_sign(answer, context):
        return True
    return await save_answer(context["entry"], answer)


async def save_answer(request_id: str, answer: Answer) -> bool:
    """Writes a wallet's answer to an entry. False: it could not be written now."""
    return await save_changes(request_id, lambda known: _reply_changes(known, answer))


def _reply_changes(known: TransactionRequest, answer: Answer) -> dict[str, Any]:
    """Returns how an answer changes an entry. The chain may have been faster: what was found there stays, unless the wallet names another."""
    now = deployment().clock.now()
    if answer.status == "sent":
        if known.hash and known.hash == answer.hash:
            return {} if known.answered_at is not None else {"answered_at": now}
        fresh = {"mined_hash": "", "altered": (), "settled": False, "proven": False, "missed_at": None, "nonce": None}
        facts = {"hash": answer.hash, "bundle": answer.bundle, "signed": answer.signed, "reason": ""}
        return {"status": "sent", "answered_at": now, **facts, **fresh}
    if known.hash:
        return {}
    declined = {"status": "declined", "settled": True} if answer.status == "declined" else {}
    return {**declined, "answered_at": now, "reason": answer.message}


async def on_transaction_reply(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Goes on with the flow once the wallet's answer is on record."""
    answer = _read_reply(reply, context)
    if _must_only_sign(answer, context):
        method = _sign_method(context["asked"])
        request = {**context["to_sign"], "method": method}
        record = {name: context[name] for name in ("entry", "step", "given", "to_sign", "expected")}
        await (await state.get_state(BridgeState))._issue(
            "wallet.request", request, then=ANSWERED, asked=method, **record
        )
        return []
    pending = await state.get_state(PendingState)
    pending._reset_interval()
    followups: Followups = [PendingState.poll]
    outcome = TransactionOutcome(context["entry"], answer.status, answer.hash, answer.code, answer.message)
    return [*followups, *await run_step(state, outcome, context)]
