"""Permissions (ERC-7715) of the embedded wallet: written here, signed in its frame, verified, put on record, and looked up on the chain."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.config import settings
from walletmodal.core.chains.caip import AccountId, ChainId, parse_chain_id
from walletmodal.core.errors import TransportError, WalletModalError
from walletmodal.core.errors.codes import INTERNAL_ERROR, UNAUTHORIZED
from walletmodal.core.errors.permissions import PermissionsUnsupportedError, PermissionUnreadableError
from walletmodal.core.language import _
from walletmodal.core.permissions.delegation import Delegation, decode_context
from walletmodal.core.permissions.execution_permissions import (
    PermissionRequest,
    permission_response,
    read_permission_requests,
    read_revocation,
    request_json,
    supported_permissions,
)
from walletmodal.core.permissions.permission import caveats_of
from walletmodal.core.permissions.record import PermissionRecord, record_of
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.summary_cost import permission_rows
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embedded.operations import PaidOperation, prepare_first
from walletmodal.features.embedded.payers import deployment_pays
from walletmodal.features.permissions.lookup import CHAIN_SECONDS, UNKNOWN_NOW, known_permissions
from walletmodal.features.permissions.revoking import ask_to_revoke
from walletmodal.features.permissions.state import show_created
from walletmodal.features.requests.first_delegation import SIGN_FIRST, Becoming, answer_page, record_becoming
from walletmodal.features.transactions.state import PendingState
from walletmodal.services.chains.eip155.signatures import signer
from walletmodal.services.http import Caller

SIGNED: Final = "permissions.signed"
REVOKED: Final = "permissions.revoked"
NOT_SMART: Final = "This account cannot grant permissions: it is no smart account on this network yet"
SAFE_ACCOUNT: Final = "This account cannot grant permissions: its contract has nothing that would hold their limits"
NOT_KEPT: Final = "The permission could not be put on record"
NOT_SIGNED: Final = "The signature is not valid"
FULL: Final = "This account has granted as many permissions here as can be kept"

logger = logging.getLogger(__name__)


class Grantable(NamedTuple):
    """An account that can grant permissions.

    Attributes:
        nonce: that they must name.
        becoming: whether it becomes a smart account with the first.
        paid: the operation with which it does, where somebody pays for that.
    """

    nonce: int
    becoming: bool
    paid: PaidOperation | None = None


async def look_for_grant(found: HostedRequest, _caller: Caller, browser: str) -> Grantable:
    """Looks whether an account can grant what a page asks for.

    Raises:
        WalletModalError: it cannot.
    """
    requests = read_permission_requests(found.params)
    return await look_at_account(found, browser, len(requests))


async def grant(state: rx.State, call: str, found: HostedRequest, reason: str, grantable: Grantable) -> Followups:
    """Has the frame sign the permissions that a page asks for, one after the other.

    Raises:
        WalletModalError: they cannot be granted; nothing was asked.
    """
    now = int(deployment().clock.now().timestamp())
    requests = [one.starting(now) for one in read_permission_requests(found.params)]
    waiting = [request_json(one, found.account) for one in requests]
    first = await begin_becoming(state, found, grantable)
    await _ask_signature(
        state, call, found, waiting=waiting, done=[], nonce=grantable.nonce, reason=reason, first=first
    )
    return [PendingState.poll] if first else []


async def begin_becoming(state: rx.State, found: HostedRequest, grantable: Grantable) -> Becoming | None:
    """Records how the account becomes a smart account with its first permission; None where it is one. Raises as `record_becoming`."""
    if not grantable.becoming:
        return None
    return await record_becoming(state, AccountId(found.chain, found.account), grantable.paid)


async def look_at_account(found: HostedRequest, browser: str, count: int) -> Grantable:
    """Looks whether an account can grant so many more permissions to a page, and who pays if it becomes a smart account for that.

    Args:
        found: what the page asks for.
        browser: the key of the browser's secret.
        count: of the permissions.

    Raises:
        PermissionsUnsupportedError: nothing would hold the limits of what it signs.
        WalletModalError: that cannot be told now.
    """
    running, about = deployment(), AccountId(found.chain, found.account)
    try:
        async with asyncio.timeout(CHAIN_SECONDS):
            state, nonce = await asyncio.gather(
                running.chain_permissions.account_state(about.chain, about.address),
                running.chain_permissions.nonce(about.chain, about.address),
            )
            room = await running.permissions.room(about, found.origin)
    except (TransportError, TimeoutError, SQLAlchemyError, OSError) as error:
        raise WalletModalError(UNKNOWN_NOW, details=type(error).__name__) from error
    becoming = state.kind == "plain"
    if becoming and settings().secure_protocol != "walletmodal":
        raise PermissionsUnsupportedError(str(about), NOT_SMART)
    if state.kind != "delegated" and not becoming:
        raise PermissionsUnsupportedError(str(about), SAFE_ACCOUNT)
    if room < count:
        raise PermissionsUnsupportedError(str(about), FULL)
    return Grantable(nonce, becoming, await _find_payment(found, browser) if becoming else None)


async def _find_payment(found: HostedRequest, browser: str) -> PaidOperation | None:
    if not deployment_pays(found.chain):
        return None
    try:
        return await prepare_first(found, browser)
    except WalletModalError as error:
        # A bundler that takes no authorizations refuses it as well.
        logger.info("nobody pays for an account that becomes a smart account: %s", error.short_message)
        return None


async def _ask_signature(
    state: rx.State,
    call: str,
    found: HostedRequest,
    *,
    waiting: list[dict[str, Any]],
    done: list[dict[str, Any]],
    nonce: int,
    reason: str,
    first: Becoming | None = None,
    awaited: str = "",
) -> None:
    request = _first(waiting)
    salt = secrets.randbits(256)
    typed = _delegation(request, found.account, nonce, salt).typed_data(request.chain_id)
    held = await account(state, "eip155")
    facts: list[str] = [
        _("{name}: {value}", name=row.name, value=row.value) for row in permission_rows(request, found, {})
    ]
    facts = [first.payer, *facts] if first else facts
    hint = Hint(title=_("Grant a permission"), lines=[one for one in (reason, *facts) if one], facts=facts)
    method, params = (SIGN_FIRST, first.params) if first else ("eth_signTypedData_v4", [])
    command = wallet_request(held, method, [found.account, typed, *params], chain=str(found.chain), hint=hint)
    await (await state.get_state(BridgeState))._issue(
        "wallet.request",
        command,
        then=SIGNED,
        calls=[call],
        account=found.account,
        chain=str(found.chain),
        origin=found.origin,
        waiting=waiting,
        done=done,
        nonce=str(nonce),
        salt=str(salt),
        reason=reason,
        **(first.context if first else {"entry": "", "awaited": awaited}),
    )


def _first(waiting: list[dict[str, Any]]) -> PermissionRequest:
    return read_permission_requests(waiting[:1])[0]


def _delegation(request: PermissionRequest, giver: str, nonce: int, salt: int) -> Delegation:
    return Delegation(request.delegate, giver, caveats_of(request.permission, nonce), salt)


async def on_sign_reply(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Verifies what the frame has signed, puts it on record, and goes on with the next one or answers the page."""
    bridge, (call,) = await state.get_state(BridgeState), context["calls"]
    if reply.error is not None:
        await bridge._settle(call, code=reply.error.code, message=reply.error.message)
        return []
    chain, request = parse_chain_id(context["chain"]), _first(context["waiting"])
    unsigned = _delegation(request, context["account"], int(context["nonce"]), int(context["salt"]))
    signed = signed_by_account(unsigned, _signature(reply.value), chain)
    record = await keep(state, call, request, signed, context["origin"])
    if record is None:
        return []
    done = [*context["done"], permission_response(record.granted, record.context)]
    awaited = str(context["awaited"])
    if len(context["waiting"]) == 1:
        await answer_page(state, call, done, awaited)
        await show_created(state, len(done))
        return [PendingState.poll] if awaited else []
    held = await account(state, "eip155")
    if held.status != "connected" or context["account"] not in held._accounts:
        await bridge._settle(call, code=UNAUTHORIZED, message="The account is not connected any more")
        return []
    found = HostedRequest(
        method="wallet_requestExecutionPermissions",
        chain=chain,
        account=context["account"],
        origin=context["origin"],
        at=int(deployment().clock.now().timestamp()),
    )
    rest = {"waiting": context["waiting"][1:], "done": done, "reason": context["reason"]}
    await _ask_signature(state, call, found, nonce=int(context["nonce"]), awaited=awaited, **rest)
    return [PendingState.poll] if awaited else []


def _signature(value: object) -> object:
    """The signature alone, where it came with the transaction that makes the account a smart account."""
    return value.get("signature") if isinstance(value, Mapping) else value


def signed_by_account(unsigned: Delegation, signature: object, chain: ChainId) -> Delegation | None:
    """The delegation with the signature of its account's key; None where it is none."""
    raw = signature_bytes(signature)
    if raw is None or signer(unsigned.digest(chain.number), raw) != unsigned.delegator:
        return None
    return unsigned.signed(raw)


def signature_bytes(signature: object) -> bytes | None:
    """Reads a signature of a key, in hex; None for what is none."""
    if not isinstance(signature, str) or len(signature) != 132 or not signature.startswith("0x"):
        return None
    try:
        return bytes.fromhex(signature[2:])
    except ValueError:
        return None


async def keep(
    state: rx.State, call: str, request: PermissionRequest, signed: Delegation | None, origin: str
) -> PermissionRecord | None:
    """Puts on record what the account has signed; None where it has not (`signed` is None) or that fails, which the page is told."""
    bridge = await state.get_state(BridgeState)
    if signed is None:
        await bridge._settle(call, code=UNAUTHORIZED, message=NOT_SIGNED)
        return None
    record = record_of(request, signed, origin, deployment().clock.now())
    try:
        await deployment().permissions.add(record, (await state.get_state(PendingState))._ensure_owner())
    except (SQLAlchemyError, OSError):
        logger.exception("a permission could not be put on record")
        await bridge._settle(call, code=INTERNAL_ERROR, message=NOT_KEPT)
        return None
    return record


async def look_for_revocation(found: HostedRequest, _caller: Caller, _browser: str) -> Delegation:
    """Reads which permission is to be taken back.

    Raises:
        PermissionUnreadableError: it is none of this account.
    """
    delegation = decode_context(read_revocation(found.params))[-1]
    if delegation.delegator != found.account:
        raise PermissionUnreadableError("it is of another account")
    return delegation


async def revoke(state: rx.State, call: str, found: HostedRequest, _reason: str, delegation: Delegation) -> Followups:
    """Has the account take a permission back on its chain, by a transaction that the frame confirms.

    Raises:
        WalletModalError: the transaction cannot be asked for.
    """
    about = AccountId(found.chain, found.account)
    return await ask_to_revoke(state, about, delegation, origin=found.origin, then=REVOKED, context={"call": call})


async def on_revoked(state: rx.State, outcome: TransactionOutcome, given: dict[str, Any]) -> Followups:
    """Answers the page once the transaction is on its way; that it counts, the chain tells."""
    bridge = await state.get_state(BridgeState)
    if outcome.status == "sent":
        await bridge._settle(given["call"], {})
    else:
        await bridge._settle(
            given["call"],
            code=outcome.code or INTERNAL_ERROR,
            message=outcome.message or "Nobody knows whether the permission was taken back",
        )
    return []


async def supported(_about: AccountId, _origin: str, _owner: str) -> dict[str, Any]:
    """Answers which permissions can be granted on which networks."""
    networks = map(parse_chain_id, settings().networks)
    return supported_permissions(one.number for one in networks if one.namespace == "eip155")


async def granted(about: AccountId, origin: str, owner: str) -> list[dict[str, Any]]:
    """Answers which permissions of the account this page has, without those that are over or taken back."""
    found = await known_permissions(about, origin, owner)
    counting = [one.record for one in found if one.state in ("active", "not_started")]
    return [permission_response(one.granted, one.context) for one in counting]


Reader = Callable[[AccountId, str, str], Awaitable[object]]
"""Answers for an account, to the page of an origin, in a browser (the owner of its requests), while no state is held."""


class Granter(NamedTuple):
    """How the frame is asked in other words.

    Attributes:
        look: finds out what must be known before, for a browser (the key of its secret), while no state is held; raises what the page is
            refused with.
        ask: asks, with the id of the host's call, why the deployment wants it confirmed, and what was found out; raises as `look`.
    """

    look: Callable[[HostedRequest, Caller, str], Awaitable[Any]]
    ask: Callable[[rx.State, str, HostedRequest, str, Any], Awaitable[Followups]]


READS: Final[Mapping[str, Reader]] = {
    "wallet_getGrantedExecutionPermissions": granted,
    "wallet_getSupportedExecutionPermissions": supported,
}
"""What is answered here of an account of the embedded wallet."""

DECIDED: Final[Mapping[str, Granter]] = {
    "wallet_requestExecutionPermissions": Granter(look_for_grant, grant),
    "wallet_revokeExecutionPermission": Granter(look_for_revocation, revoke),
}
"""What its frame is asked in other words."""
