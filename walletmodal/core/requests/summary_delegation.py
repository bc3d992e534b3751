"""Delegations (ERC-7710) that a page wants to have signed as typed data: what they allow, and what speaks against them."""

from collections.abc import Mapping
from typing import Any, Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.decoding.typed_data_values import read_uint
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.language import _
from walletmodal.core.permissions.dangers import DANGER_TEXTS, Danger, delegation_dangers
from walletmodal.core.permissions.delegation import Caveat, Delegation
from walletmodal.core.permissions.execution_permissions import PermissionRequest
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import Permission, read_caveats
from walletmodal.core.requests.summary_cost import permission_rows
from walletmodal.core.requests.summary_parts import Part, Row, Tokens, address_row
from walletmodal.core.requests.typed_request import HostedRequest, TypedData

_FIELDS: Final = frozenset(["delegate", "delegator", "authority", "caveats"])
"""By which it is told from a delegation of votes (ERC-5805)."""


def is_delegation(typed: TypedData) -> bool:
    """Whether typed data delegates what an account can do."""
    return typed.primary_type == "Delegation" and bool(_FIELDS & set(typed.message))


def typed_data_dangers(request: HostedRequest) -> tuple[Danger, ...]:
    """Lists what speaks against typed data that delegates; nothing for all other."""
    typed = request.typed_data
    if typed is None or not is_delegation(typed):
        return ()
    try:
        delegation = _delegation(typed.message)
    except PermissionUnreadableError:
        return ("unreadable",)
    return delegation_dangers(delegation, _permission(typed, delegation))


def delegation_summary(request: HostedRequest, typed: TypedData, tokens: Tokens) -> tuple[Part, tuple[str, ...]]:
    """Returns what a delegation allows, and what is warned of."""
    warnings = tuple(DANGER_TEXTS[one] for one in typed_data_dangers(request))
    try:
        delegation = _delegation(typed.message)
        permission = _permission(typed, delegation)
    except PermissionUnreadableError:
        return Part(_("What it allows"), (Row(_("Cannot be read"), tone="warning"),)), warnings
    who = address_row(_("Who may act"), delegation.delegate)
    if permission is None:
        what = Row(_("What"), _("everything") if not delegation.caveats else _("cannot be read"), tone="warning")
        return Part(_("What it allows"), (who, what)), warnings
    asked = PermissionRequest(
        request.chain.number, delegation.delegate, delegation.delegator, permission, functions=permission.methods
    )
    return Part(_("What it allows"), (who, *permission_rows(asked, request, tokens))), warnings


def delegated_token(typed: TypedData) -> str:
    """Returns the token that a delegation is about; "" for none."""
    try:
        found = _permission(typed, _delegation(typed.message))
    except PermissionUnreadableError:
        return ""
    return found.token if found else ""


def _permission(typed: TypedData, delegation: Delegation) -> Permission | None:
    """What its caveats hold; None where they are of another manager, or not known."""
    if typed.verifying_contract != MANAGER:
        return None
    try:
        return read_caveats(delegation.caveats)
    except PermissionUnreadableError:
        return None


def _delegation(message: Mapping[str, Any]) -> Delegation:
    caveats, salt = message.get("caveats"), read_uint(message.get("salt", 0))
    if not isinstance(caveats, list) or salt is None:
        raise PermissionUnreadableError("caveats")
    return Delegation(
        delegate=_address(message.get("delegate")),
        delegator=_address(message.get("delegator")),
        caveats=tuple(map(_caveat, caveats)),
        salt=salt,
        authority=_bytes(message.get("authority")),
    )


def _caveat(given: object) -> Caveat:
    if not isinstance(given, Mapping):
        raise PermissionUnreadableError("caveats")
    return Caveat(_address(given.get("enforcer")), _bytes(given.get("terms")))


def _address(value: object) -> str:
    try:
        return normal_address("eip155", value.lower() if isinstance(value, str) else "")
    except AddressError as error:
        raise PermissionUnreadableError("an address") from error


def _bytes(value: object) -> bytes:
    if not isinstance(value, str) or not value.startswith("0x"):
        raise PermissionUnreadableError("bytes")
    try:
        return bytes.fromhex(value[2:])
    except ValueError as error:
        raise PermissionUnreadableError("bytes") from error
