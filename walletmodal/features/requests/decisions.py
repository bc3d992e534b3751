"""The way of a request that signs, sends or grants: checks, the operator's policy, the visitor's word where it is wanted, the wallet.

Whatever becomes of it is put down in the audit.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED
from walletmodal.core.errors.flow import TooManyPendingError
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.audit import AuditEntry, Outcome, params_digest
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.methods import NOT_ALLOWED, WALLET_METHODS, MethodNotAllowedError, find
from walletmodal.core.requests.policy import Confirm, Decision, DeniedError, Deny, stricter
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.texts import ACTION_NOT_ALLOWED
from walletmodal.core.transfers.transaction_request import proposal_of
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.approve.state import ApproveState, ask_visitor
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.requests.capabilities import ask_what_it_can, impossible
from walletmodal.features.requests.checks import TOO_LARGE, Refusal, check, check_read, refusal_of
from walletmodal.features.requests.state import RequestsState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.wallet_requests import ask_transaction
from walletmodal.services.holdings import with_holdings
from walletmodal.services.metrics import count_decision

TOO_FAST: Final = Refusal(LIMIT_EXCEEDED, "Too many requests in a short time", "limited")
TOO_MUCH: Final = Refusal(LIMIT_EXCEEDED, TOO_LARGE, "limited")
NOBODY_CONFIRMS: Final = Deny("this deployment does not ask visitors to confirm")


async def refuse_method(state: rx.State, call: str, asked: HostRequest) -> None:
    """A method of no list. The modal is not opened for it: libraries try methods out, and the visitor has not asked for anything."""
    bridge = await state.get_state(BridgeState)
    if not (await state.get_state(RequestsState))._may_ask():
        await _refuse(state, call, asked, TOO_FAST)
        return
    await _refuse(state, call, asked, _unknown(asked))
    await bridge._warn(f"{NOT_ALLOWED}: {_named(asked)}", level="error")
    if await (await state.get_state(ShellState))._visible():
        (await state.get_state(ToastState))._show(ACTION_NOT_ALLOWED, "error")


def _unknown(asked: HostRequest) -> Refusal:
    return refusal_of(MethodNotAllowedError(asked.method), "not_allowed")


async def read_from_wallet(state: rx.State, call: str, asked: HostRequest, spec: MethodSpec) -> None:
    """What only the wallet knows, and nobody has to agree to."""
    bridge, held = await state.get_state(BridgeState), await account(state, asked.namespace)
    refusal = check_read(asked, spec, held, bridge.commands)
    if refusal is None:
        await bridge._issue("wallet.request", wallet_request(held, asked.method, asked.params, call=call))
    else:
        await bridge._settle(call, code=refusal.code, message=refusal.message)


async def decide(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Has the wallet asked, or first the visitor, or nobody."""
    if any(entry["call"] == call for entry in (await state.get_state(ApproveState))._entries()):
        # A frame that loads anew says again what waits for the visitor already.
        return []
    if not (await state.get_state(RequestsState))._may_ask():
        await _refuse(state, call, asked, TOO_FAST)
        return []
    found = await _typed(state, asked)
    if isinstance(found, Refusal):
        await _refuse(state, call, asked, found)
        return []
    decision = await _decided(found)
    wanted = stricter(settings().confirm_requests, (await state.get_state(EmbedState))._options.confirm_requests)
    if isinstance(decision, Confirm) and wanted == "off":
        decision = NOBODY_CONFIRMS
    if isinstance(decision, Deny):
        await _deny(state, call, found, decision)
        return []
    if isinstance(decision, Confirm) or wanted == "all":
        return await _confirm(state, call, asked, found, decision.reason if isinstance(decision, Confirm) else "")
    return await _ask_wallet(state, call, asked, found, "allowed")


async def told(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """The wallet has said what it can do: for what it cannot, the visitor is not asked."""
    asked = HostRequest(**context["asked"])
    (call,) = context["calls"]
    found = await _typed(state, asked)
    if isinstance(found, Refusal):
        await _refuse(state, call, asked, found)
        return []
    same = (await account(state, asked.namespace)).connector == context["connector"]
    error = impossible(asked, reply, found.chain, context["connector"]) if same else None
    if error is not None:
        await _refuse(state, call, asked, refusal_of(error))
        return []
    return await _ask_visitor(state, call, found, context["reason"])


async def carry_out(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """The visitor has approved: whatever has changed meanwhile, checks and policy see the request as it stands now."""
    found = await _typed(state, asked)
    if isinstance(found, Refusal):
        await _refuse(state, call, asked, found)
        return []
    decision = await _decided(found)
    if isinstance(decision, Deny):
        await _deny(state, call, found, decision)
        return []
    return await _ask_wallet(state, call, asked, found, "confirmed")


async def declined(state: rx.State, _call: str, asked: HostRequest, why: Outcome) -> None:
    """The visitor has not approved; the host has been told."""
    found = await _typed(state, asked)
    if isinstance(found, Refusal):
        await _note(state, asked, why)
    else:
        _note_typed(found, why)


async def _typed(state: rx.State, asked: HostRequest) -> HostedRequest | Refusal:
    """A request that passes all checks, read once: the policy, the visitor and the record get this value."""
    spec = find(asked.namespace, asked.method, asked.params)
    if spec is None:
        return _unknown(asked)
    bridge, networks = await state.get_state(BridgeState), await state.get_state(NetworksState)
    held = await account(state, asked.namespace)
    signing = check(asked, spec, held, bridge.commands, networks._networks)
    if isinstance(signing, Refusal):
        return signing
    about = AccountId(ChainId(asked.namespace, held._chain), signing)
    try:
        return read_request(
            method=asked.method,
            chain=about.chain,
            account=about.address,
            origin=(await state.get_state(EmbedState))._origin,
            params=asked.params,
            signed_in=deployment().policy.is_set and await _signed_in(state, about),
        )
    except WalletModalError as error:
        return refusal_of(error)


async def _decided(found: HostedRequest) -> Decision:
    """What the policy says, which sees what there is of the tokens that others could take."""
    policy = deployment().policy
    if not policy.is_set:
        return await policy.decide(found)
    # A copy: what the operator's code does to it must not be what the visitor sees and the wallet gets.
    return await policy.decide(await with_holdings(deepcopy(found), deployment().chains))


async def _signed_in(state: rx.State, about: AccountId) -> bool:
    """As the database has it now; where that cannot be said, nobody is."""
    try:
        return await (await state.get_state(SignInState))._find(about) is not None
    except SignInUnavailableError:
        return False


async def _confirm(state: rx.State, call: str, asked: HostRequest, found: HostedRequest, reason: str) -> Followups:
    """Has the visitor asked; before that the wallet, whether it has what not every wallet has."""
    if not WALLET_METHODS[found.method].optional:
        return await _ask_visitor(state, call, found, reason)
    if not await ask_what_it_can(state, call, asked, reason):
        await _refuse(state, call, asked, TOO_MUCH)
    return []


async def _ask_visitor(state: rx.State, call: str, found: HostedRequest, reason: str) -> Followups:
    followups = await ask_visitor(state, call, found, reason=reason)
    if all(entry["call"] != call for entry in (await state.get_state(ApproveState))._entries()):
        _note_typed(found, "limited", "it could not be shown to the visitor")
    return followups


async def _ask_wallet(
    state: rx.State, call: str, asked: HostRequest, found: HostedRequest, outcome: Outcome
) -> Followups:
    if not WALLET_METHODS[found.method].sends:
        _note_typed(found, outcome)
        request = wallet_request(await account(state, asked.namespace), asked.method, asked.params, call=call)
        await (await state.get_state(BridgeState))._issue("wallet.request", request)
        return []
    request_id = new_id()
    try:
        # What sends goes on record first.
        followups = await ask_transaction(
            state, proposal=proposal_of(found), params=asked.params or [], kind="host", call=call, request_id=request_id
        )
    except WalletModalError as error:
        outcome = "limited" if isinstance(error, TooManyPendingError) else "refused"
        await _refuse(state, call, asked, Refusal(error.code, error.short_message, outcome))
        return []
    _note_typed(found, outcome, request_id=request_id)
    return followups


async def _deny(state: rx.State, call: str, found: HostedRequest, decision: Deny) -> None:
    error = DeniedError(decision.reason)
    await (await state.get_state(BridgeState))._settle(call, code=error.code, message=error.short_message)
    _note_typed(found, "denied", decision.reason or "the policy failed")


async def _refuse(state: rx.State, call: str, asked: HostRequest, refusal: Refusal) -> None:
    await (await state.get_state(BridgeState))._settle(call, code=refusal.code, message=refusal.message)
    await _note(state, asked, refusal.outcome, refusal.message)


async def _note(state: rx.State, asked: HostRequest, outcome: Outcome, reason: str = "") -> None:
    """In the audit, of what has not been read; nothing is counted on that a page may say."""
    held = await account(state, asked.namespace)
    _put_down(
        AuditEntry(
            at=deployment().clock.now(),
            outcome=outcome,
            method=_named(asked),
            origin=(await state.get_state(EmbedState))._origin,
            chain=f"{asked.namespace}:{held._chain}" if held.status == "connected" else "",
            account=held._accounts[0] if held.status == "connected" else "",
            reason=reason,
        )
    )


def _note_typed(found: HostedRequest, outcome: Outcome, reason: str = "", *, request_id: str = "") -> None:
    _put_down(
        AuditEntry(
            at=deployment().clock.now(),
            outcome=outcome,
            method=found.method,
            origin=found.origin,
            chain=str(found.chain),
            account=found.account,
            reason=reason,
            summary=found.summary,
            digest=params_digest(found.params),
            request_id=request_id,
        )
    )


def _named(asked: HostRequest) -> str:
    """A method that is in no list may be any text."""
    return clean_text(asked.method, limit=64) or "-"


def _put_down(entry: AuditEntry) -> None:
    count_decision(entry.outcome)
    deployment().audit.note(entry)
