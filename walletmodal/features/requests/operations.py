"""Batches and permissions of host pages, and what somebody else may pay the network fee of: worked out before the wallet is asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import INTERNAL_ERROR
from walletmodal.core.errors.flow import NoActiveAddressError
from walletmodal.core.errors.permissions import PermissionsUnsupportedError
from walletmodal.core.language import _
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.requests.methods import calls_id_of
from walletmodal.core.requests.policy import Deny
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.transfers.transaction_request import proposal_of
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.db.engine import describe_failure
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_asker, wallet_request
from walletmodal.features.approve.fees import read_token_fee
from walletmodal.features.approve.showing import (
    NO_TRIAL,
    Attempt,
    Trial,
    attempt_of,
    note_tried,
    render_trial,
    simulate_attempt,
)
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.account_type import uses_smart_account
from walletmodal.features.embedded.operations import PaidOperation, ask_operation, prepare_paid
from walletmodal.features.embedded.owners import FRAME_SECONDS
from walletmodal.features.embedded.payers import (
    CAPABILITIES,
    FeeOption,
    find_fee_options,
    host_paymaster,
    may_be_paid_for,
    with_paymasters,
)
from walletmodal.features.process import PROCESS
from walletmodal.features.requests.calls_ids import refuse_known_id, refuse_waiting_id
from walletmodal.features.requests.checks import Refusal, check_room, refusal_of, waiting_requests
from walletmodal.features.requests.decisions import (
    apply_policy,
    approved_request,
    ask_for_approval,
    ask_wallet,
    audit_request,
    checked_request,
    deny,
    hint_of,
    on_request_approved,
    refuse,
)
from walletmodal.features.requests.grants import GRANTERS
from walletmodal.features.requests.operation_status import operation_status
from walletmodal.features.requests.permissions import READS, SAFE_ACCOUNT, supported
from walletmodal.features.transactions.records import new_request_id
from walletmodal.features.transactions.state import PendingState
from walletmodal.reflex_internals.substates import get_substate
from walletmodal.services.http import Caller

_GRANTING: Final = frozenset({"wallet_requestExecutionPermissions", "wallet_grantPermissions"})
NOT_KNOWN_NOW: Final = "What became of these calls cannot be told now"
logger = logging.getLogger(__name__)


class OperationsState(rx.State):
    """Host requests that are being worked out, and hosts' questions for what became of some.

    Both by the id of the host's call.
    """

    # The request, why the deployment wants it confirmed, and the worker that works it out, "" for none yet.
    _preparing: dict[str, dict[str, Any]] = {}
    # The request, and the worker that answers it.
    _questions: dict[str, dict[str, Any]] = {}

    @rx.event(background=True)
    async def prepare(self, call: str) -> Any:
        """Works a request out: what it does, whether somebody pays for it, and what its owner could pay in. The wallet is asked after that."""
        async with self:
            item = self._begin("_preparing", call)
            if item is None:
                return None
            asked, reason = HostRequest(**item["asked"]), str(item["reason"])
            found = await checked_request(self, asked)
            # Account and network may be others than those that the policy has been asked about.
            decision = None if isinstance(found, Refusal) else await apply_policy(found)
            if isinstance(found, Refusal) or isinstance(decision, Deny):
                self._take("_preparing", call)
                if isinstance(found, Refusal):
                    await refuse(self, call, asked, found)
                elif isinstance(decision, Deny):
                    await deny(self, call, asked, found, decision)
                return None
            browser = (await self.get_state(PendingState))._ensure_owner()
            caller = (await self.get_state(EmbedState))._caller()
        hosted = _Hosted(call, asked, found, reason)
        if found.method in GRANTERS:
            return await self._prepare_permission(hosted, caller, browser)
        taken = await refuse_known_id(found, browser)
        worked = taken or await _work_out(self, found, browser)
        async with self:
            return await _go_on(self, hosted, worked) if self._take("_preparing", call) else None

    async def _prepare_permission(self, hosted: _Hosted, caller: Caller, browser: str) -> Followups:
        """Has a permission granted or taken back, once what must be known for that is."""
        call, asked, found, reason = hosted
        own, looked, failure = GRANTERS[found.method], None, None
        async with self:
            several = (await account(self, found.namespace)).several
        try:
            if several and found.method in _GRANTING:
                # Neither a Safe nor its owner's account is a contract that holds limits.
                raise PermissionsUnsupportedError(str(found.chain), SAFE_ACCOUNT)
            looked = await own.look(found, caller, browser)
        except WalletModalError as error:
            failure = error
        async with self:
            if not self._take("_preparing", call):
                return []
            held = await account(self, found.namespace)
            here = (held.connector, held._chain) == (AUTH_ID, found.chain.reference) and found.account in held._accounts
            try:
                if failure is not None or not here:
                    raise failure or NoActiveAddressError(found.account)
                followups = await own.ask(self, call, found, reason, looked)
            except WalletModalError as error:
                await refuse(self, call, asked, refusal_of(error))
                return []
            await audit_request(asked, found, "allowed", reason)
            return followups

    def _begin(self, name: str, call: object) -> dict[str, Any] | None:
        """Begins with what waits; None for what does not, or is being done: a client may send an event as often as it likes."""
        waiting = self.get_value(name)
        item = waiting.get(call) if isinstance(call, str) else None
        if item is None or item["worker"] == PROCESS:
            return None
        setattr(self, name, {**waiting, call: {**item, "worker": PROCESS}})
        return dict(item)

    def _take(self, name: str, call: str) -> bool:
        """Ends it; False where nobody waits for it any more."""
        waiting = dict(self.get_value(name))
        found = waiting.pop(call, None)
        setattr(self, name, waiting)
        return found is not None

    def _left_behind(self) -> Followups:
        """What this worker has not begun: another one may have, and be gone. Who ends it first has ended it."""
        events = {"_preparing": OperationsState.prepare, "_questions": OperationsState.tell}
        return [
            event(call)
            for name, event in events.items()
            for call, item in self.get_value(name).items()
            if item["worker"] != PROCESS
        ]

    def _kept(self) -> list[object]:
        """The texts of pages that are kept here."""
        return [*self.get_value("_preparing").values(), *self.get_value("_questions").values()]

    @rx.event(background=True)
    async def tell(self, call: str) -> None:
        """Tells the host what the wallet alone cannot: of calls that went as an operation, of who may pay for calls, and of permissions."""
        async with self:
            item = self._begin("_questions", call)
            if item is None:
                return
            asked = HostRequest(**item["asked"])
            held = await account(self, asked.namespace)
            address, chain = held.address, ChainId(asked.namespace, held._chain)
            is_safe = bool(held._owner_of(address))
            forwarded = wallet_request(held, asked.method, asked.params, call=call)
            origin = (await self.get_state(EmbedState))._origin
            owner = (await self.get_state(PendingState))._ensure_owner()
        told: object = None
        failure: Refusal | None = None
        own = READS.get(asked.method)
        try:
            if own is supported and is_safe:
                told = {}
            elif own is not None:
                told = await own(AccountId(chain, address), origin, owner)
            elif asked.method == CAPABILITIES:
                ask = wallet_asker(self, chain, seconds=FRAME_SECONDS)
                told = with_paymasters(await ask(asked.method, list(asked.params or [])))
            else:
                bundle = str(asked.params[0] if isinstance(asked.params, list) else "")
                known = await deployment().requests.of_bundle(owner, origin, address, bundle)
                told = await operation_status(known, bundle)
        except WalletModalError as error:
            failure = refusal_of(error)
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what became of calls cannot be read: %s", describe_failure(error))
            failure = Refusal(INTERNAL_ERROR, NOT_KNOWN_NOW)
        async with self:
            if not self._take("_questions", call):
                return
            bridge = await self.get_state(BridgeState)
            if failure is not None:
                # The wallet does not know these calls, and who hears so would make them again.
                await bridge._settle(call, code=failure.code, message=failure.message)
            elif told is not None:
                await bridge._settle(call, told)
            else:
                await bridge._issue("wallet.request", forwarded)


async def sync_operations(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Goes on with what a worker before has begun."""
    return (await get_substate(state, OperationsState))._left_behind()


async def begin(state: rx.State, call: str, asked: HostRequest, reason: str) -> Followups:
    """Has a request worked out; a frame that loads anew may say the same request again."""
    own = await state.get_state(OperationsState)
    known, awaited = own.get_value("_preparing"), (await state.get_state(PendingState)).get_value("_awaited")
    if call in known or call in awaited.values() or await _is_being_signed(state, call):
        return []
    refusal = await _no_room(state, own, asked) or refuse_waiting_id(asked, known)
    if refusal is not None:
        await refuse(state, call, asked, refusal)
        return []
    own._preparing = {**known, call: {"asked": asdict(asked), "reason": reason, "worker": ""}}
    return [OperationsState.prepare(call)]


async def ask_ours(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Has a host told what became of its calls, or what the account can do."""
    own = await state.get_state(OperationsState)
    full = await _no_room(state, own, asked)
    if full is not None:
        await (await state.get_state(BridgeState))._settle(call, code=full.code, message=full.message)
        return []
    own._questions = {**own.get_value("_questions"), call: {"asked": asdict(asked), "worker": ""}}
    return [OperationsState.tell(call)]


async def _no_room(state: rx.State, own: OperationsState, asked: HostRequest) -> Refusal | None:
    """What waits here counts with what waits for the wallet."""
    commands, pending = (await state.get_state(BridgeState)).commands, await state.get_state(PendingState)
    return check_room(asked, [*waiting_requests(commands), *own._kept(), *pending.get_value("_awaited").values()])


async def _is_being_signed(state: rx.State, call: str) -> bool:
    records = (await state.get_state(BridgeState)).get_value("_records").values()
    return any(call in record["calls"] for record in records)


class _Hosted(NamedTuple):
    """A host's request that was read; why the deployment wants it confirmed, "" for nothing."""

    call: str
    asked: HostRequest
    found: HostedRequest
    reason: str


class _Worked(NamedTuple):
    """What was found out of a request: what it would do and how a node is asked that, who pays or why nobody does, and what its owner could pay in."""

    trial: Trial
    attempt: Attempt | None
    paid: PaidOperation | None
    failure: WalletModalError | None
    fees: Sequence[FeeOption]


async def _work_out(state: OperationsState, found: HostedRequest, browser: str) -> _Worked:
    attempt = attempt_of(found)
    simulation, (paid, failure) = await asyncio.gather(simulate_attempt(attempt), _find_payer(state, found, browser))
    gas = simulation.gas if simulation is not None else 0
    fees = await find_fee_options(state, found, gas) if paid is None and not _insists(found) else []
    return _Worked(await render_trial(attempt, simulation), attempt, paid, failure, fees)


async def _find_payer(
    state: OperationsState, found: HostedRequest, browser: str
) -> tuple[PaidOperation | None, WalletModalError | None]:
    async with state:
        held = await account(state, found.namespace)
        owner, several = held._owner_of(found.account), held.several
        passkey = held._passkey_of(found.chain, found.account)
    if not may_be_paid_for(found) or (several and not owner):
        # Beside a Safe the key's own account is an ordinary one.
        return None, None
    # Who has chosen an ordinary account makes ordinary transactions, and does not get another kind by what somebody pays.
    if not owner and not await uses_smart_account(state, found.chain):
        return None, None
    try:
        return await prepare_paid(found, browser, owner, passkey), None
    except WalletModalError as error:
        return None, error


def _insists(found: HostedRequest) -> bool:
    """Whether the page wants its paymaster to pay, or nobody."""
    named = host_paymaster(found)
    return named is not None and not named.optional


async def _go_on(state: rx.State, hosted: _Hosted, worked: _Worked | Refusal) -> Followups:
    if isinstance(worked, Refusal):
        await refuse(state, hosted.call, hosted.asked, worked)
        return []
    if worked.paid is None:
        return await _pay_oneself(state, hosted, worked)
    return await _ask_to_sign(state, hosted, worked.paid, worked.trial, worked.attempt)


async def _pay_oneself(state: rx.State, hosted: _Hosted, worked: _Worked) -> Followups:
    """Lets the visitor pay where nobody else does, unless the page insists on its paymaster. What would fail, or leaves a choice, is shown before."""
    call, asked, found, reason = hosted
    if worked.failure is not None and _insists(found):
        await refuse(state, call, asked, refusal_of(worked.failure))
        return []
    why = worked.failure.short_message if worked.failure is not None else ""
    if worked.fees or worked.trial["state"] == "fails":
        (await state.get_state(ApproveState))._tried = note_tried(worked.attempt, worked.trial)
        reasons = " ".join(one for one in (reason, why) if one)
        return await ask_for_approval(state, call, asked, found, reasons, fees=worked.fees)
    hint, request_id = hint_of(summarize(found), reason, why), await new_request_id(state, proposal_of(found))
    (await state.get_state(ApproveState))._keep_trial(request_id, worked.trial, worked.attempt)
    return await ask_wallet(state, call, asked, found, "allowed", hint=hint, reason=reason, request_id=request_id)


async def on_approved(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Carries out what the visitor approved: as an operation where a token of theirs pays the fee."""
    fee = (await state.get_state(ApproveState))._take_fee()
    if fee is None:
        return await on_request_approved(state, call, asked)
    found = await approved_request(state, call, asked)
    if found is None:
        return []
    return await _ask_to_sign(state, _Hosted(call, asked, found, ""), read_token_fee(fee), fee=fee["most"])


async def _ask_to_sign(
    state: rx.State,
    hosted: _Hosted,
    paid: PaidOperation,
    trial: Trial = NO_TRIAL,
    attempt: Attempt | None = None,
    *,
    fee: str = "",
) -> Followups:
    """Has the frame ask the owner of an operation. `fee`: the most that it takes of a token, "" where somebody else pays."""
    call, asked, found, reason = hosted
    payer = _("Network fee: at most {fee}", fee=fee) if fee else paid.payer
    hint, proposal = hint_of(summarize(found), reason, payer), proposal_of(found)
    request_id = await new_request_id(state, proposal)
    (await state.get_state(ApproveState))._keep_trial(request_id, trial, attempt)
    try:
        followups = await ask_operation(
            state,
            paid,
            proposal=proposal,
            kind="host",
            hint=hint,
            call=call,
            request_id=request_id,
            calls_id=calls_id_of(found.method, found.params),
        )
    except WalletModalError as error:
        await refuse(state, call, asked, refusal_of(error))
        return []
    await audit_request(asked, found, "confirmed" if fee else "allowed", reason, request_id=request_id)
    return followups


async def reset_operations(state: rx.State) -> None:
    """Clears what the page before waited for; what is signed already is handed in all the same."""
    own = await state.get_state(OperationsState)
    own._preparing, own._questions = {}, {}
