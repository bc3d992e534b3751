"""User operations whose network fee somebody else pays: worked out, put on record, signed in the frame, handed in by us."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import reflex as rx

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import INTERNAL_ERROR
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.transfers.transaction_request import Proposal, TransactionKind, TransactionRequest
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, wiring
from walletmodal.features.embedded.payers import TRANSACTION, Offer, payer_of, payer_text
from walletmodal.features.transactions.state import PendingState
from walletmodal.features.transactions.wallet_requests import record_transaction, save_changes
from walletmodal.operation_watch import write_signed
from walletmodal.services.metrics import count_ignored
from walletmodal.services.smart_accounts.operations import OperationRequest, Payer, PreparedOperation
from walletmodal.services.smart_accounts.signing import (
    SIGN_OPERATION,
    WrongSignatureError,
    from_record,
    params_of,
    read_signed_operation,
    to_record,
)

SIGNED: Final = "requests.operation_signed"
PAYER_CHANGED: Final = "Somebody else would pay the fee now. Check it again."
WRONG_SIGNATURE: Final = "The wallet has signed something else. Nothing was sent."


class PaidOperation(NamedTuple):
    """An operation that somebody pays for; `height`: of the chain before it, from which on it is looked for."""

    prepared: PreparedOperation
    height: int

    @property
    def payer(self) -> str:
        """Who pays, as the visitor is told."""
        return payer_text(self.prepared.sponsor)

    @property
    def icon(self) -> str:
        """Their picture for an `<img>`: within the URL, or at our server; "" for none."""
        icon = self.prepared.icon
        return icon if icon.startswith("data:") else deployment().services.images.remote_path(icon)

    @property
    def hint(self) -> Hint:
        """What the frame shows beside its own reading."""
        return Hint(title="", lines=[self.payer], facts=[self.payer])

    def is_paid_like(self, other: PaidOperation) -> bool:
        """Whether the same one pays as for another operation."""
        contracts = self.prepared.operation.paymaster, other.prepared.operation.paymaster
        return (contracts[0], self.prepared.sponsor) == (contracts[1], other.prepared.sponsor)


class FeePayment(NamedTuple):
    """Who pays the fee of what the visitor is about to send: the account itself where nothing is `paid`.

    Attributes:
        offer: what the deployment may pay for, None for nothing.
        paid: the operation that it pays for, as the visitor sees it.
        unpaid: why it does not, for the visitor.
    """

    offer: Offer | None = None
    paid: PaidOperation | None = None
    unpaid: str = ""

    @property
    def payer(self) -> str:
        """Who pays, as the visitor is told; "" for the account."""
        return "" if self.paid is None else self.paid.payer

    @property
    def icon(self) -> str:
        """A picture of who pays, or ""."""
        return "" if self.paid is None else self.paid.icon


ACCOUNT_PAYS: Final = FeePayment()


async def prepare_paid(found: HostedRequest, browser: str) -> PaidOperation:
    """Works the operation of a request out, and has somebody pay for it; what is promised counts for the account and its browser.

    Args:
        found: one that may be paid for.
        browser: the key of the browser's secret.

    Raises:
        OperationError: nobody pays for it, or it would fail.
        NotConfiguredError, TransportError: somebody cannot be asked.
    """
    return await _prepare(found, _calls(found), payer_of(found, browser))


async def prepare_first(found: HostedRequest, browser: str) -> PaidOperation:
    """Works out the operation with which an account becomes a smart account, and that does nothing else, for what it is asked. Raises as `prepare_paid`."""
    return await _prepare(found, (AccountCall(found.account, 0, b""),), payer_of(found, browser))


async def prepare_in_token(found: HostedRequest, token: str) -> PaidOperation:
    """Works the operation of a request out whose fee is taken in a token of the account.

    Args:
        found: one that may be paid for in a token.
        token: its contract.

    Raises:
        OperationError: the token is not taken, there is too little of it, or the operation would fail.
        NotConfiguredError, TransportError: somebody cannot be asked.
    """
    return await _prepare(found, _calls(found), deployment().smart_accounts.token_payer(found.chain, token))


def _calls(found: HostedRequest) -> tuple[AccountCall, ...]:
    return tuple(AccountCall(one.to, one.value, one.data) for one in found.calls)


async def _prepare(found: HostedRequest, calls: tuple[AccountCall, ...], payer: Payer) -> PaidOperation:
    request = OperationRequest(found.chain, "delegator", found.account, calls, payer)
    prepared = await deployment().smart_accounts.operations.prepare(request)
    return PaidOperation(prepared, await deployment().chains.adapter("eip155").height(found.chain))


async def find_payment(offer: Offer | None, method: str, params: object) -> FeePayment:
    """Has the deployment pay for what the visitor is about to send in the modal itself.

    Args:
        offer: what it may pay for; None where the account pays.
        method: what the wallet would be asked otherwise.
        params: of that.
    """
    if offer is None:
        return ACCOUNT_PAYS
    try:
        return FeePayment(offer, await prepare_paid(offer.request(method, params), offer.browser))
    except WalletModalError as error:
        return FeePayment(offer, unpaid=error.short_message)


async def renew_payment(shown: FeePayment, method: str, params: object) -> tuple[PaidOperation | None, str]:
    """Prepares once more what the visitor saw paid: promise, nonce and price are of that time.

    Returns:
        The operation that may be signed, or None and why the visitor must look again.
    """
    again = await find_payment(shown.offer, method, params)
    if again.paid is None or shown.paid is None:
        return None, again.unpaid
    return (again.paid, "") if again.paid.is_paid_like(shown.paid) else (None, PAYER_CHANGED)


async def ask_operation(
    state: rx.State,
    paid: PaidOperation,
    *,
    proposal: Proposal,
    kind: TransactionKind,
    hint: Hint,
    then: str = "",
    context: Mapping[str, Any] | None = None,
    call: str = "",
    request_id: str = "",
) -> Followups:
    """Records an operation, then has the frame ask its owner. Arguments and errors are those of `ask_transaction`."""
    request_id = request_id or new_id()
    await record_transaction(state, proposal, kind, request_id, height=paid.height)
    held, prepared = await account(state, "eip155"), paid.prepared
    pending = await state.get_state(PendingState)
    if kind != "host":
        pending._watch(request_id)
    await (await state.get_state(BridgeState))._issue(
        "wallet.request",
        wallet_request(held, SIGN_OPERATION, params_of(prepared), chain=str(prepared.chain), hint=hint),
        then=SIGNED,
        calls=[call] if call else [],
        command_id=request_id,
        entry=request_id,
        chain=str(prepared.chain),
        prepared=to_record(prepared),
        asked=proposal.method,
        step=then,
        given=dict(context or {}),
    )
    pending._reset_interval()
    return [PendingState.poll]


def _changes(known: TransactionRequest, reply: Reply, context: dict[str, Any]) -> dict[str, Any]:
    now = deployment().clock.now()
    if known.entry_point:
        return {}
    if reply.error is not None:
        return {"status": "declined", "settled": True, "answered_at": now, "reason": reply.error.message}
    prepared = from_record(parse_chain_id(context["chain"]), context["prepared"])
    try:
        signed = read_signed_operation(prepared, reply.value)
    except WrongSignatureError:
        return {"status": "declined", "settled": True, "answered_at": now, "reason": WRONG_SIGNATURE}
    handed = {"bundle": "0x" + prepared.hash.hex(), "entry_point": prepared.entry_point, "signed": write_signed(signed)}
    return {"status": "sent", "answered_at": now, "reason": "", **handed}


async def save_signed(_state: rx.State, reply: Reply, context: dict[str, Any]) -> bool:
    """Saves a signed operation, before the browser may forget it: from then on it is ours to hand in."""
    return await save_changes(context["entry"], lambda known: _changes(known, reply, context))


async def on_signed(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Goes on with the flow, or tells the host, and has the operation handed in."""
    pending = await state.get_state(PendingState)
    pending._reset_interval()
    prepared = from_record(parse_chain_id(context["chain"]), context["prepared"])
    outcome = _outcome(prepared, reply, context["entry"])
    followups: Followups = [PendingState.poll]
    if context["step"]:
        step = wiring().transaction_outcomes.get(context["step"])
        if step is None:
            count_ignored("continuation_unknown")
        else:
            followups += await step(state, outcome, dict(context["given"]))
        return followups
    for call in context["calls"]:
        await _tell_host(state, call, outcome, prepared, asked=context["asked"])
    return followups


def _outcome(prepared: PreparedOperation, reply: Reply, entry: str) -> TransactionOutcome:
    if reply.error is not None:
        return TransactionOutcome(entry, "declined", code=reply.error.code, message=reply.error.message)
    try:
        read_signed_operation(prepared, reply.value)
    except WrongSignatureError:
        return TransactionOutcome(entry, "declined", code=INTERNAL_ERROR, message=WRONG_SIGNATURE)
    return TransactionOutcome(entry, "sent")


async def _tell_host(
    state: rx.State, call: str, outcome: TransactionOutcome, prepared: PreparedOperation, *, asked: str
) -> None:
    """Tells the host of its calls by their id at once; of a transaction once the chain has it, for only then it has a hash."""
    bridge = await state.get_state(BridgeState)
    if outcome.status == "declined":
        await bridge._settle(call, code=outcome.code, message=outcome.message)
    elif asked == TRANSACTION:
        (await state.get_state(PendingState))._await_transaction(outcome.request_id, call)
    else:
        await bridge._settle(call, {"id": "0x" + prepared.hash.hex()})
