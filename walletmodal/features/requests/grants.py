"""Permissions as AppKit's pages ask for them: `wallet_grantPermissions` and `wallet_revokePermissions`, ERC-7715 in its draft of 2024.

The page has a sessions service hand in its calls. The embedded wallet's frame reads the grant, writes the delegation to that service's key,
and signs it; what the account has signed is read here, and goes on record beside the other permissions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import reflex as rx

from walletmodal.core.chains.caip import AccountId, ChainId, parse_chain_id
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import UNAUTHORIZED
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.language import _
from walletmodal.core.permissions.contract_calls import named_functions
from walletmodal.core.permissions.delegation import ROOT, Delegation, decode_context, encode_context
from walletmodal.core.permissions.execution_permissions import PermissionRequest, read_draft_calls
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import Permission, read_caveats
from walletmodal.core.permissions.redemption import disable_call
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.answers import Answer
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.transfers.transaction_request import proposal_of
from walletmodal.core.transfers.wallet_response import read_answer
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.permissions.lookup import CHAIN_SECONDS, UNKNOWN_NOW
from walletmodal.features.permissions.state import show_created
from walletmodal.features.requests.first_delegation import answer_page
from walletmodal.features.requests.permissions import (
    DECIDED,
    NOT_SIGNED,
    Grantable,
    Granter,
    begin_becoming,
    keep,
    look_at_account,
    signature_bytes,
    signed_by_account,
)
from walletmodal.features.transactions.records import new_request_id, record_transaction
from walletmodal.features.transactions.state import PendingState
from walletmodal.features.transactions.wallet_requests import save_answer
from walletmodal.services.chains.eip155.signatures import personal_digest, signer
from walletmodal.services.http import Caller

GRANTED: Final = "permissions.granted_to_keys"
REVOKED: Final = "permissions.revoked_from_keys"
UNKNOWN_PCI: Final = "The sessions service knows no such permission of this account"
_SENDS: Final = "eth_sendTransaction"
_ANSWERED: Final = ("expiry", "signer", "permissions", "policies")


async def _look_for_grant(found: HostedRequest, _caller: Caller, browser: str) -> Grantable:
    return await look_at_account(found, browser, 1)


async def grant_to_keys(
    state: rx.State, call: str, found: HostedRequest, reason: str, grantable: Grantable
) -> Followups:
    """Has the frame write and sign what a page asks for.

    Raises:
        WalletModalError: it cannot be granted; nothing was asked.
    """
    first = await begin_becoming(state, found, grantable)
    hint = Hint(title=_("Grant a permission"), lines=[one for one in (reason, first.payer if first else "") if one])
    if first:
        hint["facts"] = [first.payer]
    context = first.context if first else {"entry": "", "awaited": ""}
    params = [*found.params, *first.params] if first else found.params
    await _ask(state, call, found, params, then=GRANTED, hint=hint, context=context)
    return [PendingState.poll] if first else []


async def _ask(
    state: rx.State,
    call: str,
    found: HostedRequest,
    params: object,
    *,
    then: str,
    hint: Hint,
    context: Mapping[str, Any],
) -> None:
    held = await account(state, "eip155")
    command = wallet_request(held, found.method, params, chain=str(found.chain), hint=hint)
    await (await state.get_state(BridgeState))._issue(
        "wallet.request",
        command,
        then=then,
        calls=[call],
        account=found.account,
        chain=str(found.chain),
        origin=found.origin,
        asked=params,
        **context,
    )


async def on_granted(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Verifies what the frame has signed, puts it on record, and answers the page."""
    bridge, (call,) = await state.get_state(BridgeState), context["calls"]
    if reply.error is not None:
        await bridge._settle(call, code=reply.error.code, message=reply.error.message)
        return []
    chain, asked = parse_chain_id(context["chain"]), context["asked"][0]
    read = _read_grant(reply.value, chain, context["account"])
    if read is None:
        await bridge._settle(call, code=UNAUTHORIZED, message=NOT_SIGNED)
        return []
    signed, permission = read
    functions = named_functions(_functions_of(asked), permission.methods)
    request = PermissionRequest(chain.number, signed.delegate, signed.delegator, permission, functions=functions)
    record = await keep(state, call, request, signed, context["origin"])
    if record is None:
        return []
    answer = {name: asked[name] for name in _ANSWERED if name in asked}
    answer |= {"chainId": hex(chain.number), "address": signed.delegator, "context": "0x" + record.context.hex()}
    answer["signerMeta"] = {"delegationManager": MANAGER}
    await answer_page(state, call, answer, str(context["awaited"]))
    await show_created(state, 1)
    return [PendingState.poll] if context["entry"] else []


def _functions_of(asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The signatures that the page has named; what the account has signed knows their selectors alone."""
    try:
        (permission,) = asked["permissions"]
        return read_draft_calls(permission["data"], asked.get("policies") or (), None)[1]
    except (PermissionUnreadableError, KeyError, TypeError, ValueError):
        return ()


def _read_grant(value: object, chain: ChainId, account_address: str) -> tuple[Delegation, Permission] | None:
    """Reads the delegation of an answer and what it lets be spent; None where the account has not signed just that."""
    context = value.get("context") if isinstance(value, Mapping) else None
    try:
        delegation = _only_delegation(context if isinstance(context, str) else "")
        permission = read_caveats(delegation.caveats)
    except PermissionUnreadableError:
        return None
    if delegation.delegator != account_address:
        return None
    unsigned, signature = replace(delegation, signature=b""), "0x" + delegation.signature.hex()
    signed = signed_by_account(unsigned, signature, chain)
    return None if signed is None else (signed, permission)


def _only_delegation(context: str) -> Delegation:
    """Reads a context of one delegation, of the account itself.

    Raises:
        PermissionUnreadableError: it is none.
    """
    try:
        delegations = decode_context(bytes.fromhex(context.removeprefix("0x")))
    except ValueError as error:
        raise PermissionUnreadableError("context") from error
    if len(delegations) != 1 or delegations[0].authority != ROOT:
        raise PermissionUnreadableError("it was handed on by somebody else")
    return delegations[0]


async def _look_for_revocation(found: HostedRequest, caller: Caller, _browser: str) -> Delegation:
    """Finds the delegation that the sessions service knows by the id of the page.

    Raises:
        WalletModalError: it knows none of this account, or cannot be asked.
    """
    about, pci = AccountId(found.chain, found.account), _given(found).get("pci")
    try:
        async with asyncio.timeout(CHAIN_SECONDS):
            sessions = await deployment().services.blockchain.smart_sessions.granted(caller, about)
    except TimeoutError as error:
        raise WalletModalError(UNKNOWN_NOW, details="TimeoutError") from error
    context = next((one.context for one in sessions if one.pci == pci), "")
    delegation = _only_delegation(context) if context else None
    if delegation is None or delegation.delegator != about.address:
        raise PermissionUnreadableError(UNKNOWN_PCI)
    return delegation


def _given(found: HostedRequest) -> Mapping[str, Any]:
    params: Any = found.params
    return params[0] if isinstance(params, list) else params


async def revoke_from_keys(
    state: rx.State, call: str, found: HostedRequest, reason: str, delegation: Delegation
) -> Followups:
    """Has the account take a permission back on its chain, and sign its id for the service.

    Raises:
        WalletModalError: the transaction cannot be recorded.
    """
    transaction = {"from": found.account, "to": MANAGER, "data": "0x" + disable_call(delegation).hex()}
    read = read_request(
        method=_SENDS, chain=found.chain, account=found.account, origin=found.origin, params=[transaction]
    )
    proposal = proposal_of(read)
    entry = await new_request_id(state, proposal)
    await record_transaction(state, proposal, "host", entry)
    named = [{**_given(found), "context": "0x" + encode_context([delegation]).hex()}]
    hint = Hint(title=_("Take back a permission"), lines=[reason] if reason else [])
    await _ask(state, call, found, named, then=REVOKED, hint=hint, context={"entry": entry})
    return [PendingState.poll]


async def save_revocation(_state: rx.State, reply: Reply, context: dict[str, Any]) -> bool:
    """Saves what became of the transaction: refused, or to be looked for, since the frame gives the signature. False: it could not be written now."""
    answer = read_answer(_SENDS, reply) if reply.error is not None else Answer("unanswered")
    return await save_answer(str(context["entry"]), answer)


async def on_revoked(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Gives the page the signature with which the service hears of the end."""
    bridge, (call,) = await state.get_state(BridgeState), context["calls"]
    if reply.error is not None:
        await bridge._settle(call, code=reply.error.code, message=reply.error.message)
    elif not _has_signed(reply.value, context["asked"][0]["pci"], context["account"]):
        await bridge._settle(call, code=UNAUTHORIZED, message=NOT_SIGNED)
    else:
        await bridge._settle(call, reply.value)
    return [PendingState.poll]


def _has_signed(signature: object, pci: str, account_address: str) -> bool:
    raw = signature_bytes(signature)
    return raw is not None and signer(personal_digest(pci), raw) == account_address


GRANTERS: Final[Mapping[str, Granter]] = {
    **DECIDED,
    "wallet_grantPermissions": Granter(_look_for_grant, grant_to_keys),
    "wallet_revokePermissions": Granter(_look_for_revocation, revoke_from_keys),
}
"""All requests about permissions of the embedded wallet's accounts, by method."""
