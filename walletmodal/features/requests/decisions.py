"""Decision about a request that signs, sends or grants: checks, the operator's policy, the visitor's approval, the wallet.

Whatever becomes of it is put down in the audit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import deepcopy
from typing import Any, Final

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.decoding.signed_operation import PACKED_OPERATION
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, UNAUTHORIZED
from walletmodal.core.errors.flow import TooManyPendingError
from walletmodal.core.permissions.dangers import DANGER_TEXTS
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.audit import AuditEntry, Outcome, params_digest
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.methods import NOT_ALLOWED, WALLET_METHODS, MethodNotAllowedError, find_method
from walletmodal.core.requests.policy import Confirm, Decision, DeniedError, Deny, stricter
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_parts import Summary
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.account_state import smart_account_address
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.texts import ACTION_NOT_ALLOWED
from walletmodal.core.transfers.transaction_request import proposal_of
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.approve.handlers import ask_visitor
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.payers import BATCH, TRANSACTION, FeeOption, may_be_paid_for
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.requests.calls_status import SHOW as SHOW_CALLS
from walletmodal.features.requests.calls_status import show_calls
from walletmodal.features.requests.capabilities import ask_capabilities, capability_error
from walletmodal.features.requests.checks import TOO_LARGE, Refusal, check, check_read, refusal_of
from walletmodal.features.requests.grants import GRANTERS
from walletmodal.features.requests.limits import allow_text
from walletmodal.features.requests.permissions import READS as PERMISSION_READS
from walletmodal.features.requests.state import RequestsState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.operations import ids_in_work
from walletmodal.features.transactions.records import new_request_id
from walletmodal.features.transactions.wallet_requests import ask_transaction
from walletmodal.services.holdings import with_holdings
from walletmodal.services.metrics import count_decision

OWNERS_REFUSED: Final = Refusal(UNAUTHORIZED, "A page cannot change who controls this account, nor its modules")
ASKED: Final = "requests.asked"
OBEYED_REFUSED: Final = Refusal(UNAUTHORIZED, "A page cannot have this account sign what the account itself would obey")
TOO_FAST: Final = Refusal(LIMIT_EXCEEDED, "Too many requests in a short time", "limited")
TOO_MUCH: Final = Refusal(LIMIT_EXCEEDED, TOO_LARGE, "limited")
MAX_HINTS: Final = 8
_PARTLY_OURS: Final = frozenset({"wallet_getCallsStatus", "wallet_getCapabilities"})
"""What the embedded wallet is asked, and does not know whole: operations are ours."""
NOBODY_CONFIRMS: Final = Deny("this deployment does not ask visitors to confirm")


async def refuse_method(state: rx.State, call: str, asked: HostRequest) -> None:
    """Refuses an unknown method. The modal is not opened for it: libraries try methods out, and the visitor has not asked for anything."""
    bridge = await state.get_state(BridgeState)
    if not (await state.get_state(RequestsState))._take_allowance():
        await refuse(state, call, asked, TOO_FAST)
        return
    await refuse(state, call, asked, _unknown_method(asked))
    await bridge._warn(f"{NOT_ALLOWED}: {_method_name(asked)}", level="error")
    if await (await state.get_state(ShellState))._is_visible():
        (await state.get_state(ToastState))._show(ACTION_NOT_ALLOWED, "error")


def _unknown_method(asked: HostRequest) -> Refusal:
    return refusal_of(MethodNotAllowedError(asked.method), "not_allowed")


async def read_from_wallet(state: rx.State, call: str, asked: HostRequest, spec: MethodSpec) -> Followups:
    """Sends a request for what only the wallet knows, and nobody has to agree to. What we know of operations, we tell."""
    bridge, held = await state.get_state(BridgeState), await account(state, asked.namespace)
    refusal = check_read(asked, spec, held, bridge.commands)
    if refusal is None and not allow_text(state, asked):
        refusal = TOO_FAST
    embedded = held.connector == AUTH_ID
    asks_chain = embedded and asked.method in PERMISSION_READS
    if refusal is None and asks_chain and not (await state.get_state(RequestsState))._take_allowance():
        refusal = TOO_FAST
    if refusal is not None:
        await bridge._settle(call, code=refusal.code, message=refusal.message)
    elif embedded and asked.method == SHOW_CALLS:
        return await show_calls(state, call, asked)
    elif asks_chain or (embedded and asked.method in _PARTLY_OURS and deployment().smart_accounts.bundler_networks):
        return await wiring().on_wallet_question(state, call, asked)
    else:
        await bridge._issue("wallet.request", wallet_request(held, asked.method, asked.params, call=call))
    return []


async def decide(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Decides a request: asks the wallet, or first the visitor, or refuses."""
    if any(entry["call"] == call for entry in (await state.get_state(ApproveState))._entries()):
        # A frame that loads anew says again what waits for the visitor already.
        return []
    requests = await state.get_state(RequestsState)
    if not requests._take_allowance():
        await refuse(state, call, asked, TOO_FAST)
        return []
    asked = requests._stamped(asked, (await state.get_state(EmbedState))._life)
    found = await checked_request(state, asked)
    if not isinstance(found, Refusal) and not allow_text(state, asked):
        found = TOO_FAST
    if isinstance(found, Refusal):
        await refuse(state, call, asked, found)
        return []
    decision = await apply_policy(found)
    wanted = stricter(settings().confirm_requests, (await state.get_state(EmbedState))._options.confirm_requests)
    if isinstance(decision, Confirm) and wanted == "off":
        decision = NOBODY_CONFIRMS
    if isinstance(decision, Deny):
        await deny(state, call, asked, found, decision)
        return []
    reason = decision.reason if isinstance(decision, Confirm) else ""
    embedded = (await account(state, asked.namespace)).connector == AUTH_ID
    if embedded or isinstance(decision, Confirm) or wanted == "all":
        ask = _ask_embedded if embedded else _confirm
        return await ask(state, call, asked, found, reason)
    return await ask_wallet(state, call, asked, found, "allowed")


async def on_capabilities_reply(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Asks the visitor about what the wallet can do, and refuses what it cannot."""
    asked = HostRequest(**context["asked"], stamp=context.get("stamp", ""))
    (call,) = context["calls"]
    found = await checked_request(state, asked)
    if isinstance(found, Refusal):
        await refuse(state, call, asked, found)
        return []
    same = (await account(state, asked.namespace)).connector == context["connector"]
    error = capability_error(asked, reply, found.chain, context["connector"]) if same else None
    if error is not None:
        await refuse(state, call, asked, refusal_of(error))
        return []
    return await ask_for_approval(state, call, asked, found, context["reason"])


async def on_request_approved(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Carries out what the visitor approved."""
    found = await approved_request(state, call, asked)
    return [] if found is None else await ask_wallet(state, call, asked, found, "confirmed")


async def approved_request(state: rx.State, call: str, asked: HostRequest) -> HostedRequest | None:
    """Returns what the visitor approved as checks and policy see it now; None where it is refused, which the host is told."""
    found = await checked_request(state, asked)
    if isinstance(found, Refusal):
        await refuse(state, call, asked, found)
        return None
    decision = await apply_policy(found)
    if isinstance(decision, Deny):
        await deny(state, call, asked, found, decision)
        return None
    return found


async def on_request_declined(state: rx.State, _call: str, asked: HostRequest, why: Outcome) -> None:
    """Records in the audit that the visitor has not approved; the host has been told."""
    found = await checked_request(state, asked)
    if isinstance(found, Refusal):
        await _audit(state, asked, why)
    else:
        await audit_request(asked, found, why)


async def checked_request(state: rx.State, asked: HostRequest) -> HostedRequest | Refusal:
    """Checks and parses a request, once: the policy, the visitor and the record get this value."""
    spec = find_method(asked.namespace, asked.method, asked.params)
    if spec is None:
        return _unknown_method(asked)
    bridge, networks = await state.get_state(BridgeState), await state.get_state(NetworksState)
    held = await account(state, asked.namespace)
    ids = await ids_in_work(state) if spec.batch else ()
    signing = check(asked, spec, held, bridge.commands, networks._networks, ids=ids)
    if isinstance(signing, Refusal):
        return signing
    about = AccountId(ChainId(asked.namespace, held._chain), signing)
    try:
        found = read_request(
            method=asked.method,
            chain=about.chain,
            account=about.address,
            origin=(await state.get_state(EmbedState))._origin,
            params=asked.params,
            signed_in=deployment().policy.is_set and await (await state.get_state(SignInState))._has_session(about),
            at=int(deployment().clock.now().timestamp()),
        )
    except WalletModalError as error:
        return refusal_of(error)
    if held.connector == AUTH_ID and _is_obeyed(found, held._accounts):
        return OBEYED_REFUSED
    # A Safe obeys what it tells itself: its owners are changed in our own views alone.
    tells_itself = any(one.to == about.address and one.data for call in found.calls for one in call.all)
    return OWNERS_REFUSED if tells_itself and held._owner_of(about.address) else found


def _is_obeyed(found: HostedRequest, accounts: Collection[str]) -> bool:
    """Whether typed data is for one of the accounts itself, or a user operation: whoever has it signed need not ask for what it does."""
    typed = found.typed_data
    if typed is None:
        return False
    # The Safes of the keys as well, also of a site that has none any more.
    own = {*accounts, *(smart_account_address("safe", one) for one in accounts)}
    return typed.primary_type == PACKED_OPERATION or not own.isdisjoint({typed.account, typed.verifying_contract})


async def apply_policy(found: HostedRequest) -> Decision:
    """Asks the policy, which sees what there is of the tokens that others could take; permissions without a limit are refused before."""
    policy, dangers = deployment().policy, found.dangers
    if dangers and not settings().allow_open_permissions:
        return Deny(" ".join(DANGER_TEXTS[one] for one in dangers))
    if not policy.is_set:
        return await policy.decide(found)
    # A copy: what the operator's code does to it must not be what the visitor sees and the wallet gets.
    return await policy.decide(await with_holdings(deepcopy(found), deployment().chains))


async def _confirm(state: rx.State, call: str, asked: HostRequest, found: HostedRequest, reason: str) -> Followups:
    """Asks the visitor; before that the wallet, whether it has what not every wallet has."""
    if not WALLET_METHODS[found.method].optional:
        return await ask_for_approval(state, call, asked, found, reason)
    if not await ask_capabilities(state, call, asked, reason):
        await refuse(state, call, asked, TOO_MUCH)
    return []


async def ask_for_approval(
    state: rx.State, call: str, asked: HostRequest, found: HostedRequest, reason: str, *, fees: Sequence[FeeOption] = ()
) -> Followups:
    """Has the visitor asked in the modal; the audit hears where that cannot be."""
    followups = await ask_visitor(state, call, found, reason=reason, fees=fees, stamp=asked.stamp)
    if all(entry["call"] != call for entry in (await state.get_state(ApproveState))._entries()):
        await audit_request(asked, found, "limited", "it could not be shown to the visitor")
    return followups


async def _ask_embedded(state: rx.State, call: str, asked: HostRequest, found: HostedRequest, reason: str) -> Followups:
    """Asks the embedded wallet, whose frame has every request confirmed; what is warned of goes along with it."""
    try:
        summary = summarize(found)
    except WalletModalError as error:
        # What cannot be shown is not asked: the visitor could only guess.
        await refuse(state, call, asked, refusal_of(error))
        return []
    of_safe = bool((await account(state, asked.namespace))._owner_of(found.account)) and found.method == TRANSACTION
    if found.method in GRANTERS or found.method == BATCH or of_safe or may_be_paid_for(found):
        return await wiring().on_prepared(state, call, asked, reason)
    return await ask_wallet(state, call, asked, found, "allowed", hint=hint_of(summary, reason), reason=reason)


def hint_of(summary: Summary, reason: str = "", fact: str = "") -> Hint:
    """What the embedded wallet's frame shows beside what it reads itself: why it is to be confirmed, who pays or why nobody does, and what is warned of."""
    lines = [line for line in (reason, fact, *summary.warnings) if line]
    hint = Hint(title=summary.title, lines=lines[:MAX_HINTS])
    return Hint(**hint, facts=[fact]) if fact else hint


async def ask_wallet(
    state: rx.State,
    call: str,
    asked: HostRequest,
    found: HostedRequest,
    outcome: Outcome,
    *,
    hint: Hint | None = None,
    reason: str = "",
    request_id: str = "",
) -> Followups:
    """Sends a request to the wallet; what sends goes on record first. `request_id`: for the record, where it must be known elsewhere."""
    if not WALLET_METHODS[found.method].sends:
        await audit_request(asked, found, outcome, reason)
        held = await account(state, asked.namespace)
        request = wallet_request(held, asked.method, asked.params, call=call, hint=hint)
        about = {"method": found.method, "origin": found.origin, "chain": str(found.chain), "account": found.account}
        digest = params_digest(found.params)
        await (await state.get_state(BridgeState))._issue(
            "wallet.request", request, then=ASKED, audit={**about, "digest": digest}
        )
        return []
    proposal = proposal_of(found)
    request_id = request_id or await new_request_id(state, proposal)
    try:
        # What sends goes on record first.
        followups = await ask_transaction(
            state,
            proposal=proposal,
            params=asked.params or [],
            kind="host",
            call=call,
            request_id=request_id,
            hint=hint,
        )
    except WalletModalError as error:
        outcome = "limited" if isinstance(error, TooManyPendingError) else "refused"
        await refuse(state, call, asked, Refusal(error.code, error.short_message, outcome))
        return []
    await audit_request(asked, found, outcome, reason, request_id=request_id)
    return followups


async def on_wallet_answer(_state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Puts down in the audit what the wallet has answered, which the loader tells the host."""
    outcome: Outcome = "signed" if reply.ok else "declined"
    reason = reply.error.message if reply.error else ""
    entry = AuditEntry(deployment().clock.now(), outcome, **context["audit"], reason=reason, key=f"answer {reply.id}")
    await _write_audit(entry)
    return []


async def deny(state: rx.State, call: str, asked: HostRequest, found: HostedRequest, decision: Deny) -> None:
    """Tells the host, and the audit, that the policy has denied a request."""
    error = DeniedError(decision.reason)
    await (await state.get_state(BridgeState))._settle(call, code=error.code, message=error.short_message)
    await audit_request(asked, found, "denied", decision.reason or "the policy failed")


async def refuse(state: rx.State, call: str, asked: HostRequest, refusal: Refusal) -> None:
    """Tells the host an error, and the audit that the request was refused."""
    await (await state.get_state(BridgeState))._settle(call, code=refusal.code, message=refusal.message)
    await _audit(state, asked, refusal.outcome, refusal.message)


async def _audit(state: rx.State, asked: HostRequest, outcome: Outcome, reason: str = "") -> None:
    """Audits a request that has not been read; nothing is counted on that a page may say."""
    held = await account(state, asked.namespace)
    await _write_audit(
        AuditEntry(
            at=deployment().clock.now(),
            outcome=outcome,
            method=_method_name(asked),
            origin=(await state.get_state(EmbedState))._origin,
            chain=f"{asked.namespace}:{held._chain}" if held.status == "connected" else "",
            account=held._accounts[0] if held.status == "connected" else "",
            reason=reason,
        )
    )


async def audit_request(
    asked: HostRequest, found: HostedRequest, outcome: Outcome, reason: str = "", *, request_id: str = ""
) -> None:
    """Puts down what became of a request that was read."""
    digest = params_digest(found.params)
    await _write_audit(
        AuditEntry(
            at=deployment().clock.now(),
            outcome=outcome,
            method=found.method,
            origin=found.origin,
            chain=str(found.chain),
            account=found.account,
            reason=reason,
            summary=found.summary,
            digest=digest,
            request_id=request_id,
            # Another request may have got the stamp of one that was not written.
            key=asked.stamp and f"{asked.stamp} {outcome} {found.method} {digest}",
        )
    )


def _method_name(asked: HostRequest) -> str:
    """Cleans a method's name: one that is in no list may be any text."""
    return clean_text(asked.method, limit=64) or "-"


async def _write_audit(entry: AuditEntry) -> None:
    count_decision(entry.outcome)
    await deployment().audit.save(entry)
