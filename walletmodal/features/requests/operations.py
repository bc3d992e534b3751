"""Requests of host pages whose network fee somebody else pays: worked out as user operations, signed in the frame, handed in by us."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NamedTuple

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import WalletModalError
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.requests.policy import Deny
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.account_state import Implementation
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.transfers.transaction_request import proposal_of
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_asker, wallet_request
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.requests.checks import Refusal, check_room, refusal_of, waiting_requests
from walletmodal.features.requests.decisions import (
    apply_policy,
    ask_wallet,
    audit_request,
    checked_request,
    deny,
    hint_of,
    refuse,
)
from walletmodal.features.requests.operation_status import operation_status
from walletmodal.features.requests.payers import CAPABILITIES, host_paymaster, payer_of, with_paymasters
from walletmodal.features.transactions.operations import SIGNED, OperationStep, ask_to_sign
from walletmodal.features.transactions.records import record_transaction
from walletmodal.features.transactions.state import PendingState
from walletmodal.features.transactions.wallet_requests import BATCH
from walletmodal.services.outside_budget import current_asker
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation


class OperationsState(rx.State):
    """User operations of host requests that are being worked out, and hosts' questions for what became of some.

    Both by the id of the host's call.
    """

    # The request, why the deployment wants it confirmed, and whether it is being worked out already.
    _preparing: dict[str, dict[str, Any]] = {}
    # The request, and whether it is being answered already.
    _questions: dict[str, dict[str, Any]] = {}

    @rx.event(background=True)
    async def prepare(self, call: str) -> Any:
        """Works an operation out: its gas, and whether somebody pays for it. The wallet is asked after that."""
        async with self:
            item = self._begin("_preparing", call)
            if item is None:
                return None
            asked, reason = HostRequest(**item["asked"]), str(item["reason"])
            found = await checked_request(self, asked)
            # Account and network may be others than those that the policy has been asked about.
            decision = None if isinstance(found, Refusal) else await apply_policy(found)
            if not isinstance(found, Refusal) and isinstance(decision, Deny):
                self._take("_preparing", call)
                await deny(self, call, found, decision)
                return None
            browser = (await self.get_state(PendingState))._ensure_owner()
            held = await account(self, asked.namespace)
            owner = "" if isinstance(found, Refusal) else held._owner_of(found.account)
        asker = current_asker()
        prepared: PreparedOperation | None = None
        height, failure = None, None
        if not isinstance(found, Refusal):
            try:
                payer = payer_of(found, browser=browser, line=asker.address if asker is not None else "")
                calls = tuple(AccountCall(one.to, one.value, one.data) for one in found.calls)
                kind: Implementation = "safe" if owner else "delegator"
                request = OperationRequest(found.chain, kind, owner or found.account, calls, payer)
                prepared = await deployment().smart_accounts.operations.prepare(request)
                height = await deployment().chains.adapter("eip155").height(found.chain)
            except WalletModalError as error:
                prepared, failure = None, error
        async with self:
            if not self._take("_preparing", call):
                return None
            if isinstance(found, Refusal):
                await refuse(self, call, asked, found)
                return None
            hosted = _Hosted(call, asked, found, reason)
            if prepared is None or height is None:
                return await _pay_oneself(self, hosted, failure)
            return await _ask_to_sign(self, hosted, prepared, height)

    def _begin(self, name: str, call: object) -> dict[str, Any] | None:
        """Begins with what waits; None for what does not, or is being done: a client may send an event as often as it likes."""
        waiting = self.get_value(name)
        item = waiting.get(call) if isinstance(call, str) else None
        if item is None or item["begun"]:
            return None
        setattr(self, name, {**waiting, call: {**item, "begun": True}})
        return dict(item)

    def _take(self, name: str, call: str) -> bool:
        """Ends it; False where nobody waits for it any more."""
        waiting = dict(self.get_value(name))
        found = waiting.pop(call, None)
        setattr(self, name, waiting)
        return found is not None

    def _kept(self) -> list[object]:
        """The texts of pages that are kept here."""
        return [*self.get_value("_preparing").values(), *self.get_value("_questions").values()]

    @rx.event(background=True)
    async def tell(self, call: str) -> None:
        """Tells the host what the wallet alone cannot: what became of calls that went as an operation, and that others may pay for calls."""
        async with self:
            item = self._begin("_questions", call)
            if item is None:
                return
            asked = HostRequest(**item["asked"])
            held = await account(self, asked.namespace)
            address, chain = held.address, ChainId(asked.namespace, held._chain)
        try:
            if asked.method == CAPABILITIES:
                told = with_paymasters(await wallet_asker(self, chain)(asked.method, list(asked.params or [])))
            else:
                told = await operation_status(address, str(asked.params[0] if isinstance(asked.params, list) else ""))
        except (WalletModalError, SQLAlchemyError, OSError):
            told = None
        async with self:
            if not self._take("_questions", call):
                return
            bridge = await self.get_state(BridgeState)
            if told is not None:
                await bridge._settle(call, told)
            else:
                await bridge._issue("wallet.request", wallet_request(held, asked.method, asked.params, call=call))


async def begin(state: rx.State, call: str, asked: HostRequest, reason: str) -> Followups:
    """Has an operation worked out for a request; a frame that loads anew may say the same request again."""
    own = await state.get_state(OperationsState)
    known = own.get_value("_preparing")
    if call in known or await _is_being_signed(state, call):
        return []
    full = await _no_room(state, own, asked)
    if full is not None:
        await refuse(state, call, asked, full)
        return []
    own._preparing = {**known, call: {"asked": asdict(asked), "reason": reason, "begun": False}}
    return [OperationsState.prepare(call)]


async def ask_ours(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Has a host told what became of its calls, or what the account can do."""
    own = await state.get_state(OperationsState)
    full = await _no_room(state, own, asked)
    if full is not None:
        await (await state.get_state(BridgeState))._settle(call, code=full.code, message=full.message)
        return []
    own._questions = {**own.get_value("_questions"), call: {"asked": asdict(asked), "begun": False}}
    return [OperationsState.tell(call)]


async def _no_room(state: rx.State, own: OperationsState, asked: HostRequest) -> Refusal | None:
    """What waits here counts with what waits for the wallet."""
    return check_room(asked, [*waiting_requests((await state.get_state(BridgeState)).commands), *own._kept()])


async def _is_being_signed(state: rx.State, call: str) -> bool:
    records = (await state.get_state(BridgeState)).get_value("_records").values()
    return any(record["then"] == SIGNED and call in record["calls"] for record in records)


class _Hosted(NamedTuple):
    """A host's request that was read; why the deployment wants it confirmed, "" for nothing."""

    call: str
    asked: HostRequest
    found: HostedRequest
    reason: str


async def _pay_oneself(state: rx.State, hosted: _Hosted, failure: WalletModalError | None) -> Followups:
    """Lets the visitor pay where nobody else does, unless the page insists on its paymaster."""
    call, asked, found, reason = hosted
    named = host_paymaster(found)
    if failure is not None and named is not None and not named.optional:
        await refuse(state, call, asked, refusal_of(failure))
        return []
    why = failure.short_message if failure is not None else ""
    hint = hint_of(summarize(found), reason, why)
    return await ask_wallet(state, call, asked, found, "allowed", hint=hint, reason=reason)


async def _ask_to_sign(state: rx.State, hosted: _Hosted, prepared: PreparedOperation, height: int) -> Followups:
    """Records the operation, then has the frame ask its owner."""
    call, asked, found, reason = hosted
    request_id = new_id()
    try:
        await record_transaction(state, proposal_of(found), "host", request_id, height=height)
    except WalletModalError as error:
        await refuse(state, call, asked, refusal_of(error))
        return []
    audit_request(found, "allowed", reason, request_id=request_id)
    hint = hint_of(summarize(found), reason)
    names = found.method != BATCH
    step = OperationStep(request_id, str(found.chain), call=call, names_transaction=names, hint=hint)
    await ask_to_sign(state, prepared, step)
    return [PendingState.poll]


async def reset_operations(state: rx.State) -> None:
    """Clears what the page before waited for; what is signed already is handed in all the same."""
    own = await state.get_state(OperationsState)
    own._preparing, own._questions = {}, {}
