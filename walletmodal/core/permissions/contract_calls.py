"""Functions that a permission lets be called: by signature, by selector, and as ERC-7715's draft of 2024 names them, by a contract's ABI."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from walletmodal.core.decoding.decoded_call import KNOWN_FUNCTIONS, selector
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.permission import MAX_METHODS

_SIGNATURE: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{0,63}\([a-z0-9,()\[\]]{0,256}\)")
_SELECTOR: Final = re.compile(r"0x[0-9a-f]{8}")
_DRAFT_DATA: Final = frozenset(["address", "abi", "functions"])
_DRAFT_FUNCTION: Final = frozenset(["functionName", "args", "valueLimit", "operation"])
_MAX_DEPTH: Final = 4
"""Tuples within tuples of an argument."""


def method_of(function: str) -> str:
    """Returns the selector of a function, in hex with `0x`.

    Args:
        function: a signature such as `mint(address,uint256)`, or a selector.

    Raises:
        PermissionUnreadableError: it is neither.
    """
    if _SELECTOR.fullmatch(function):
        return function
    if not _SIGNATURE.fullmatch(function):
        raise PermissionUnreadableError("functions")
    return selector(function)


def hands_over_tokens(methods: Iterable[str]) -> bool:
    """Whether one of these functions moves tokens, or lets somebody else move them: no caveat of a call limits how many."""
    return any(one in KNOWN_FUNCTIONS for one in methods)


def named_functions(functions: Iterable[str], methods: Iterable[str]) -> tuple[str, ...]:
    """Returns each selector's signature, of those that a page has named; the selector itself where none fits."""
    names = {method_of(one): one for one in functions}
    return tuple(names.get(one, one) for one in methods)


def draft_call_data(data: Mapping[str, Any], policies: Iterable[object]) -> dict[str, Any]:
    """Returns the data of a `contract-call` of the draft in the form of ours: `address`, `functions`, `valueLimit` and `callLimit`.

    Args:
        data: `address`, `abi`, and `functions` with `functionName` and `valueLimit`.
        policies: at most `call-limit`.

    Raises:
        PermissionUnreadableError: something in it is not held by the caveats of a call.
    """
    named, entries = data.get("functions"), data.get("abi")
    if not set(data) <= _DRAFT_DATA or not isinstance(named, list) or not isinstance(entries, list):
        raise PermissionUnreadableError("permission.data")
    if not 0 < len(named) <= MAX_METHODS:
        raise PermissionUnreadableError("functions")
    limits = {one.get("valueLimit") or "0x0" if isinstance(one, Mapping) else None for one in named}
    if len(limits) != 1:
        raise PermissionUnreadableError("functions with several valueLimits")
    read: dict[str, Any] = {
        "address": data.get("address"),
        "functions": [_draft_function(one, entries) for one in named],
        "valueLimit": limits.pop(),
    }
    for one in policies:
        limit = one.get("data") if isinstance(one, Mapping) and one.get("type") == "call-limit" else None
        if not isinstance(limit, Mapping) or set(limit) != {"count"} or "callLimit" in read:
            raise PermissionUnreadableError("policies")
        read["callLimit"] = limit["count"]
    return read


def _draft_function(given: Any, abi: list[Any]) -> str:
    if not isinstance(given, Mapping) or not set(given) <= _DRAFT_FUNCTION:
        raise PermissionUnreadableError("functions")
    if given.get("args"):
        raise PermissionUnreadableError("conditions on arguments are not supported")
    if given.get("operation") not in (None, 0, "Call", "CALL"):
        raise PermissionUnreadableError("operation")
    wanted = given.get("functionName")
    found = [
        one for one in abi if isinstance(one, Mapping) and one.get("type") == "function" and one.get("name") == wanted
    ]
    if len(found) != 1 or not isinstance(wanted, str):
        raise PermissionUnreadableError("functionName is in the abi not exactly once")
    return f"{wanted}({_types(found[0].get('inputs'), _MAX_DEPTH)})"


def _types(inputs: object, depth: int) -> str:
    if not isinstance(inputs, list) or not depth:
        raise PermissionUnreadableError("abi")
    return ",".join(_type(one, depth) for one in inputs)


def _type(one: object, depth: int) -> str:
    kind = one.get("type") if isinstance(one, Mapping) else None
    if not isinstance(one, Mapping) or not isinstance(kind, str):
        raise PermissionUnreadableError("abi")
    if kind.startswith("tuple"):
        return f"({_types(one.get('components'), depth - 1)}){kind.removeprefix('tuple')}"
    return kind
