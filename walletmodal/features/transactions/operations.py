"""Transactions of Safes: worked out as user operations, signed by the owner in the secure site's frame, handed in by us.

What somebody else pays for (`features/embedded/operations.py`) is signed and answered here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import INTERNAL_ERROR, UNAUTHORIZED
from walletmodal.core.errors.operations import ContractCreationError, SmartAccountUnavailableError
from walletmodal.core.errors.rpc import DuplicateIdError
from walletmodal.core.language import _
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.requests.reading import read_request
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.core.wallets.capabilities import missing_in_operation
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.process import PROCESS
from walletmodal.features.transactions.records import run_step, save_changes
from walletmodal.features.transactions.state import PendingState
from walletmodal.operation_watch import write_signed
from walletmodal.reflex_internals.substates import get_substate
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation
from walletmodal.services.smart_accounts.signing import (
    SIGN_OPERATION,
    WrongSignatureError,
    from_record,
    params_of,
    read_passkey,
    read_signed_operation,
    to_record,
    write_passkey,
)
from walletmodal.services.smart_accounts.time_limit import within_limit

SIGNED: Final = "transactions.operation_signed"
WRONG_SIGNATURE: Final = _("The wallet has signed something else. Nothing was sent.")
GONE: Final = _("The account is not connected any more")


@dataclass(frozen=True, slots=True)
class OperationStep:
    """Who hears what became of an operation, once it is signed.

    Attributes:
        entry: of the record.
        chain: CAIP-2 id.
        call: id of the host's request, "" for none.
        names_transaction: the host expects the hash of a transaction, which is known when the operation is in a block.
        step, given: of the modal's own flow, as in `ask_transaction`.
        hint: for the frame.
    """

    entry: str
    chain: str
    call: str = ""
    names_transaction: bool = False
    step: str = ""
    given: Mapping[str, Any] | None = None
    hint: Hint | None = None


class SafeOperationsState(rx.State):
    """Operations of Safes that are being worked out, by the id of their entry: what is to be done, and by which process, "" for none yet."""

    _waiting: dict[str, dict[str, Any]] = {}

    def _begin(self, entry: object) -> dict[str, Any] | None:
        """Begins with what waits; None for what does not, or is being done: a client may send an event as often as it likes."""
        waiting = self.get_value("_waiting")
        item = waiting.get(entry) if isinstance(entry, str) else None
        if item is None or item["worker"] == PROCESS:
            return None
        self._waiting = {**waiting, str(entry): {**item, "worker": PROCESS}}
        return dict(item)

    def _take(self, entry: str) -> bool:
        """Ends it; False where nobody waits for it any more."""
        waiting = dict(self.get_value("_waiting"))
        found = waiting.pop(entry, None)
        self._waiting = waiting
        return found is not None

    def _left_behind(self) -> Followups:
        """What this process has not begun: another one may have, and be gone. Who ends it first has ended it."""
        waiting = self.get_value("_waiting").items()
        return [SafeOperationsState.prepare(entry) for entry, item in waiting if item["worker"] != PROCESS]

    def _kept(self) -> list[object]:
        """The texts of pages that are kept here."""
        return list(self.get_value("_waiting").values())

    @rx.event(background=True)
    async def prepare(self, entry: str) -> Any:
        """Works an operation out; the owner is asked after that."""
        async with self:
            item = self._begin(entry)
        if item is None:
            return None
        step, prepared, height, failure = OperationStep(**item["step"]), None, None, None
        calls = tuple(AccountCall(one["to"], int(one["value"]), bytes.fromhex(one["data"])) for one in item["calls"])
        try:
            passkey = read_passkey(item["passkey"])
            request = OperationRequest(parse_chain_id(step.chain), "safe", item["owner"], calls, passkey=passkey)
            prepared, height = await prepare_operation(request)
        except WalletModalError as error:
            failure, reason = error, error.short_message
            await save_changes(entry, lambda _known: _declined(reason))
        async with self:
            if not self._take(entry):
                return None
            if failure is not None:
                outcome = TransactionOutcome(entry, "declined", code=failure.code, message=failure.short_message)
                return await _tell(self, step, outcome)
            if prepared is None:
                return None
            # Workers of the release before write none.
            calls_id = str(item.get("calls_id", ""))
            return [*await ask_to_sign(self, prepared, step, height=height, calls_id=calls_id), PendingState.poll]


async def prepare_operation(request: OperationRequest) -> tuple[PreparedOperation, int]:
    """Works an operation out; gives the height of the chain from which on it is looked for, too.

    Raises:
        OperationError: it is refused, or would fail.
        NotConfiguredError, TransportError: somebody cannot be asked, or not in time.
    """
    running = deployment()

    async def prepare() -> tuple[PreparedOperation, int]:
        prepared = await running.smart_accounts.operations.prepare(request)
        return prepared, await running.chains.adapter("eip155").height(request.chain)

    return await within_limit(running.clock, request.chain, prepare())


def calls_of_safe(chain: ChainId, safe: str, method: str, params: object) -> tuple[AccountCall, ...]:
    """Returns what a Safe is to do.

    Raises:
        SmartAccountUnavailableError: Safes cannot be used on the network.
        UnsupportedNonOptionalCapabilityError: the page insists on what no operation has.
        ContractCreationError: it is to make a contract.
    """
    if str(chain) not in deployment().smart_accounts.bundler_networks:
        raise SmartAccountUnavailableError(str(chain))
    missing = missing_in_operation(params, hex(chain.number)) if method == "wallet_sendCalls" else None
    if missing is not None:
        raise missing
    found = read_request(method=method, chain=chain, account=safe, origin="", params=params)
    if any(not one.to for one in found.calls):
        raise ContractCreationError(method)
    return tuple(AccountCall(one.to, one.value, one.data) for one in found.calls)


async def ids_in_work(state: rx.State) -> frozenset[str]:
    """Lists the page's own ids of calls whose operation is worked out or signed now."""
    records = (await state.get_state(BridgeState)).get_value("_records").values()
    waiting = (await state.get_state(SafeOperationsState)).get_value("_waiting").values()
    return frozenset(str(one.get("calls_id", "")) for one in (*(record["context"] for record in records), *waiting))


async def work_out(
    state: rx.State,
    step: OperationStep,
    owner: str,
    calls: Sequence[AccountCall],
    *,
    passkey: PasskeySigner | None = None,
    calls_id: str = "",
) -> Followups:
    """Has an operation worked out; its entry is on record.

    Args:
        state: any of the visitor's.
        step: who hears what became of it.
        owner: of the Safe.
        calls: `calls_of_safe`.
        passkey: that signs; None where the owner does.
        calls_id: of the page's own, "" for none.
    """
    own = await state.get_state(SafeOperationsState)
    written = [{"to": one.to, "value": str(one.value), "data": one.data.hex()} for one in calls]
    own._waiting = {
        **own.get_value("_waiting"),
        step.entry: {
            "step": asdict(step),
            "owner": owner,
            "calls": written,
            "passkey": write_passkey(passkey),
            "calls_id": calls_id,
            "worker": "",
        },
    }
    return [SafeOperationsState.prepare(step.entry), PendingState.poll]


async def ask_to_sign(
    state: rx.State,
    prepared: PreparedOperation,
    step: OperationStep,
    *,
    height: int | None = None,
    calls_id: str = "",
) -> Followups:
    """Has the frame ask the owner of an account about an operation.

    Args:
        state: any of the visitor's.
        prepared: what is signed.
        step: who hears what became of it.
        height: of the chain, where the entry does not have it yet.
        calls_id: of the page's own, by which it asks for the calls; "" for the hash of the operation.
    """
    held = await account(state, "eip155")
    if prepared.owner not in held._accounts:
        await save_changes(step.entry, lambda _known: _declined(GONE))
        return await _tell(state, step, TransactionOutcome(step.entry, "declined", code=UNAUTHORIZED, message=GONE))
    await (await state.get_state(BridgeState))._issue(
        "wallet.request",
        wallet_request(held, SIGN_OPERATION, params_of(prepared), chain=step.chain, hint=step.hint),
        then=SIGNED,
        calls=[step.call] if step.call else [],
        command_id=step.entry,
        prepared=to_record(prepared),
        height=height,
        calls_id=calls_id,
        about={**asdict(step), "hint": None},
    )
    (await state.get_state(PendingState))._reset_interval()
    return []


def _declined(reason: str) -> dict[str, Any]:
    return {"status": "declined", "settled": True, "answered_at": deployment().clock.now(), "reason": reason}


def _signed_changes(
    known: TransactionRequest, reply: Reply, record: Mapping[str, Any], height: int | None
) -> dict[str, Any]:
    if known.entry_point:
        return {}
    if reply.error is not None:
        return _declined(reply.error.message)
    prepared = from_record(parse_chain_id(known.proposal.chain), record)
    try:
        signed = read_signed_operation(prepared, reply.value)
    except WrongSignatureError:
        return _declined(WRONG_SIGNATURE)
    handed = {"bundle": "0x" + prepared.hash.hex(), "entry_point": prepared.entry_point, "signed": write_signed(signed)}
    height = known.height if known.height is not None else height
    return {"status": "sent", "answered_at": deployment().clock.now(), "reason": "", "height": height, **handed}


async def save_operation(entry: str, reply: Reply, record: Mapping[str, Any], height: int | None = None) -> bool:
    """Saves what was signed of an operation, from then on ours to hand in. False: it could not be written now.

    Args:
        entry: of the record.
        reply: of the frame.
        record: of the operation, as `to_record` writes it.
        height: of the chain, where the entry does not have it yet.
    """
    try:
        return await save_changes(entry, lambda known: _signed_changes(known, reply, record, height))
    except DuplicateIdError as error:
        reason = error.short_message
        return await save_changes(entry, lambda _known: _declined(reason))


async def save_signed(_state: rx.State, reply: Reply, context: dict[str, Any]) -> bool:
    """Saves a signed operation, before the browser may forget it."""
    return await save_operation(context["about"]["entry"], reply, context["prepared"], context["height"])


async def on_signed(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Tells who has asked what became of it, and has the operation handed in."""
    step = OperationStep(**context["about"])
    (await state.get_state(PendingState))._reset_interval()
    outcome = _outcome(step, reply, context)
    if outcome.status == "sent" and context.get("calls_id") and await _is_declined(step.entry):
        taken = DuplicateIdError()
        outcome = TransactionOutcome(step.entry, "declined", code=taken.code, message=taken.short_message)
    # Workers of the release before write no id of the page's.
    bundle = context.get("calls_id") or "0x" + from_record(parse_chain_id(step.chain), context["prepared"]).hash.hex()
    return [*await _tell(state, step, outcome, bundle), PendingState.poll]


async def _is_declined(entry: str) -> bool:
    """Whether what was signed is not handed in, since another tab has signed calls of the same id first."""
    try:
        known = await deployment().requests.get(entry)
    except (SQLAlchemyError, OSError):
        # It is saved as signed or as declined; which of them, the page asks for by the id.
        return False
    return known is not None and known.status == "declined"


def _outcome(step: OperationStep, reply: Reply, context: Mapping[str, Any]) -> TransactionOutcome:
    if reply.error is not None:
        return TransactionOutcome(step.entry, "declined", code=reply.error.code, message=reply.error.message)
    try:
        read_signed_operation(from_record(parse_chain_id(step.chain), context["prepared"]), reply.value)
    except WrongSignatureError:
        return TransactionOutcome(step.entry, "declined", code=INTERNAL_ERROR, message=WRONG_SIGNATURE)
    return TransactionOutcome(step.entry, "sent")


async def _tell(state: rx.State, step: OperationStep, outcome: TransactionOutcome, bundle: str = "") -> Followups:
    bridge, pending = await state.get_state(BridgeState), await state.get_state(PendingState)
    if outcome.status == "declined":
        await bridge._settle(step.call, code=outcome.code or INTERNAL_ERROR, message=outcome.message or WRONG_SIGNATURE)
    elif step.call and step.names_transaction:
        pending._await_transaction(step.entry, step.call)
    else:
        await bridge._settle(step.call, {"id": bundle})
    return await run_step(state, outcome, {"step": step.step, "given": step.given or {}})


async def sync_operations(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Goes on with what a process before has begun."""
    return (await get_substate(state, SafeOperationsState))._left_behind()


async def reset_operations(state: rx.State) -> None:
    """Clears what the page before waited for; what is signed already is handed in all the same."""
    (await state.get_state(SafeOperationsState))._waiting = {}
