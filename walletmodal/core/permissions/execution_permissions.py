"""Requests and answers of ERC-7715 as it stands: `wallet_requestExecutionPermissions` and the methods beside it.

What a wallet does not know it must not grant: a field, a rule or a type of no known meaning makes the whole request unreadable.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.decoding.typed_data_values import read_uint
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.contract_calls import draft_call_data, method_of
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import (
    CONTRACT_CALL,
    KINDS,
    MAX_PARTIES,
    Permission,
    PermissionKind,
    check_permission,
)
from walletmodal.core.text.display_text import clean_text

RULES: Final = ("expiry", "redeemer", "payee")
MAX_REQUESTS: Final = 8
"""Permissions of one request: each is signed by itself."""
MAX_JUSTIFICATION: Final = 120

_QUANTITY: Final = re.compile(r"0x[0-9a-fA-F]{1,64}")
_CHAIN: Final = re.compile(r"0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,31})")
_CONTEXT: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})+")
_OF_A_REQUEST: Final = frozenset(["chainId", "from", "to", "permission", "rules"])
_OF_A_PERMISSION: Final = frozenset(["type", "isAdjustmentAllowed", "data"])
_AMOUNTS: Final = {"periodic": "periodAmount", "allowance": "allowanceAmount", "stream": "amountPerSecond"}


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """One permission that a page asks for.

    Attributes:
        chain_id: of the network.
        delegate: who is to act (`to`).
        account: for which account; "" where the page leaves it to the wallet.
        permission: what may be spent; its start is 0 where it is to count from now on.
        justification: the page's own words, cleaned.
        adjustable: whether the page takes less than it asks for.
        functions: signatures, or selectors, of what may be called, in the order of the permission's methods; empty but for contract-call.
    """

    chain_id: int
    delegate: str
    account: str
    permission: Permission
    justification: str = ""
    adjustable: bool = False
    functions: tuple[str, ...] = ()

    def starting(self, now: int) -> "PermissionRequest":
        """Returns it with a start, in Unix seconds, where it has none.

        Raises:
            PermissionUnreadableError: it would have ended by then.
        """
        if self.permission.start or self.permission.manner == "call":
            return self
        permission = replace(self.permission, start=now)
        check_permission(permission)
        return replace(self, permission=permission)


def read_permission_requests(params: object) -> tuple[PermissionRequest, ...]:
    """Reads the parameters of `wallet_requestExecutionPermissions`.

    Raises:
        PermissionUnreadableError: something in them has no known meaning, or is no number, address or moment; its details name the field.
    """
    if not isinstance(params, list) or not 0 < len(params) <= MAX_REQUESTS:
        raise PermissionUnreadableError("params")
    return tuple(_request(one) for one in params)


def _request(given: object) -> PermissionRequest:
    raw = _object(given, "params")
    _known(raw, _OF_A_REQUEST)
    wanted = _object(raw.get("permission"), "permission")
    _known(wanted, _OF_A_PERMISSION)
    kind, chain = wanted.get("type"), raw.get("chainId")
    if kind not in KINDS:
        raise PermissionUnreadableError("permission.type")
    if not isinstance(chain, str) or not _CHAIN.fullmatch(chain):
        raise PermissionUnreadableError("chainId")
    adjustable = wanted.get("isAdjustmentAllowed", False)
    if not isinstance(adjustable, bool):
        raise PermissionUnreadableError("permission.isAdjustmentAllowed")
    data = dict(_object(wanted.get("data"), "permission.data"))
    justification = data.pop("justification", None) or ""
    if not isinstance(justification, str):
        raise PermissionUnreadableError("permission.data.justification")
    functions = _functions(data) if kind == CONTRACT_CALL else ()
    found = _calls(data, functions) if functions else _permission(cast("PermissionKind", kind), data)
    permission = _rules(found, raw.get("rules"))
    # What has no start yet is checked with the earliest one that there is.
    check_permission(permission if permission.start or functions else replace(permission, start=1))
    return PermissionRequest(
        chain_id=int(chain, 16),
        delegate=_address(raw.get("to"), "to"),
        account="" if raw.get("from") is None else _address(raw["from"], "from"),
        permission=permission,
        justification=clean_text(justification, limit=MAX_JUSTIFICATION),
        adjustable=adjustable,
        functions=functions,
    )


def _permission(kind: PermissionKind, data: dict[str, Any]) -> Permission:
    manner = kind.rpartition("-")[2]
    token = _address(data.pop("tokenAddress", None), "tokenAddress") if kind.startswith("erc20") else ""
    start = data.pop("startTime", None)
    found = Permission(
        kind=kind,
        amount=_amount(data.pop(_AMOUNTS[manner], None), _AMOUNTS[manner]),
        start=0 if start is None else _number(start, "startTime"),
        token=token,
    )
    if manner == "periodic":
        found = replace(found, period=_number(data.pop("periodDuration", None), "periodDuration"))
    if manner == "stream":
        first, most = data.pop("initialAmount", None), data.pop("maxAmount", None)
        found = replace(
            found,
            initial=0 if first is None else _amount(first, "initialAmount"),
            maximum=2**256 - 1 if most is None else _amount(most, "maxAmount"),
        )
    _known(data, ())
    return found


def _functions(data: dict[str, Any]) -> tuple[str, ...]:
    given = data.pop("functions", None)
    if not isinstance(given, list) or not given or not all(isinstance(one, str) for one in given):
        raise PermissionUnreadableError("functions")
    return tuple(given)


def _calls(data: dict[str, Any], functions: tuple[str, ...]) -> Permission:
    coins, count = data.pop("valueLimit", None), data.pop("callLimit", None)
    found = Permission(
        CONTRACT_CALL,
        amount=0 if coins is None else _amount(coins, "valueLimit"),
        start=0,
        contract=_address(data.pop("address", None), "address"),
        methods=tuple(map(method_of, functions)),
        calls=None if count is None else _number(count, "callLimit"),
    )
    _known(data, ())
    return found


def read_draft_calls(
    data: Mapping[str, Any], policies: Iterable[object], until: int | None
) -> tuple[Permission, tuple[str, ...]]:
    """Reads a `contract-call` of ERC-7715's draft of 2024: what may be called, and its functions by signature.

    Args:
        data: of the permission.
        policies: of the grant; `call-limit` alone is held by the chain.
        until: when the grant ends, in Unix seconds; None for never.

    Raises:
        PermissionUnreadableError: something in it is not held by the caveats of a call.
    """
    given = draft_call_data(data, policies)
    functions = _functions(given)
    permission = replace(_calls(given, functions), until=until)
    check_permission(permission)
    return permission, functions


def _rules(permission: Permission, given: object) -> Permission:
    if given is not None and not isinstance(given, list):
        raise PermissionUnreadableError("rules")
    seen = set[str]()
    for one in given or ():
        rule = _object(one, "rules")
        _known(rule, ("type", "data"))
        kind, data = rule.get("type"), _object(rule.get("data"), "rules.data")
        if not isinstance(kind, str) or kind not in RULES or kind in seen:
            raise PermissionUnreadableError("rules.type")
        seen.add(kind)
        if kind == "expiry":
            _known(data, ("timestamp",))
            permission = replace(permission, until=_number(data.get("timestamp"), "timestamp"))
            continue
        _known(data, ("addresses",))
        parties = _addresses(data.get("addresses"), kind)
        permission = (
            replace(permission, redeemers=parties) if kind == "redeemer" else replace(permission, payees=parties)
        )
    return permission


def request_json(request: PermissionRequest, account: str) -> dict[str, Any]:
    """Returns a permission as it was granted, in the form of ERC-7715.

    Args:
        request: with a start.
        account: that has granted it.
    """
    permission = request.permission
    data: dict[str, Any] = (
        {
            "address": permission.contract,
            "functions": list(request.functions or permission.methods),
            "valueLimit": hex(permission.amount),
        }
        if permission.manner == "call"
        else {_AMOUNTS[permission.manner]: hex(permission.amount), "startTime": permission.start}
    )
    if permission.calls is not None:
        data["callLimit"] = permission.calls
    if permission.token:
        data["tokenAddress"] = permission.token
    if permission.period is not None:
        data["periodDuration"] = permission.period
    if permission.maximum is not None:
        data |= {"initialAmount": hex(permission.initial), "maxAmount": hex(permission.maximum)}
    if request.justification:
        data["justification"] = request.justification
    rules: list[dict[str, Any]] = []
    if permission.until is not None:
        rules.append({"type": "expiry", "data": {"timestamp": permission.until}})
    for kind, parties in (("redeemer", permission.redeemers), ("payee", permission.payees)):
        if parties:
            rules.append({"type": kind, "data": {"addresses": list(parties)}})
    return {
        "chainId": hex(request.chain_id),
        "from": account,
        "to": request.delegate,
        "permission": {"type": permission.kind, "isAdjustmentAllowed": request.adjustable, "data": data},
        "rules": rules,
    }


def permission_response(granted: Mapping[str, Any], context: bytes) -> dict[str, Any]:
    """Returns the answer for one permission, of an account that nobody has to make first (`dependencies`).

    Args:
        granted: of `request_json`.
        context: the signed delegation (`encode_context`).
    """
    return {
        **granted,
        "context": "0x" + context.hex(),
        "dependencies": [],
        "delegationManager": MANAGER,
    }


def supported_permissions(chain_ids: Iterable[int]) -> dict[str, Any]:
    """Returns the answer of `wallet_getSupportedExecutionPermissions`."""
    chains = [hex(one) for one in chain_ids]
    return {
        kind: {"chainIds": chains, "ruleTypes": [one for one in RULES if one != "payee" or kind != CONTRACT_CALL]}
        for kind in KINDS
    }


def read_revocation(params: object) -> bytes:
    """Reads the context that `wallet_revokeExecutionPermission` names, in an object or in a list of one.

    Raises:
        PermissionUnreadableError: there is none.
    """
    given = params[0] if isinstance(params, list) and len(params) == 1 else params
    context = _object(given, "params").get("permissionContext")
    if not isinstance(context, str) or not _CONTEXT.fullmatch(context):
        raise PermissionUnreadableError("permissionContext")
    return bytes.fromhex(context[2:])


def _object(value: object, field: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PermissionUnreadableError(field)
    return value


def _known(value: Mapping[str, Any], names: Iterable[str]) -> None:
    others = set(value) - set(names)
    if others:
        raise PermissionUnreadableError(f"{clean_text(min(map(str, others)), limit=64)} is not known")


def _amount(value: object, field: str) -> int:
    if not isinstance(value, str) or not _QUANTITY.fullmatch(value):
        raise PermissionUnreadableError(field)
    return int(value, 16)


def _number(value: object, field: str) -> int:
    number = read_uint(value)
    if not number:
        raise PermissionUnreadableError(field)
    return number


def _address(value: object, field: str) -> str:
    try:
        return normal_address("eip155", value if isinstance(value, str) else "")
    except AddressError as error:
        raise PermissionUnreadableError(field) from error


def _addresses(value: object, field: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_PARTIES:
        raise PermissionUnreadableError(field)
    return tuple(_address(one, field) for one in value)
