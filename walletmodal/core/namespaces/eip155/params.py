"""Parameters of EVM methods, and what is found in them.

What hosts may ask of the kit that this product replaces is accepted here, and repaired where it refuses or loses something that the
method's own standard has:

* the five methods of ERC-4337 bundlers (ERC-7769), which its lists name and its shapes forget;
* `eth_syncing`, which has no parameters, may come without a list of them;
* `wallet_getCapabilities` keeps its account and chains (EIP-5792), `wallet_getCallsStatus` needs its id;
* `wallet_getAssets` needs its account (ERC-7811), and permissions are granted and taken back (ERC-7715) by at least one object;
* `wallet_sendCalls` needs its one request object, and fields that are not checked reach the wallet as they came.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.parsing.schema import (
    INVALID,
    MISSING,
    REQUIRED,
    Path,
    anything,
    array,
    boolean,
    either,
    number,
    record,
    text,
)
from walletmodal.core.requests.shapes import Params
from walletmodal.core.text.display_text import clean_text

_HEX_CHAIN: Final = re.compile(r"0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,31})")
"""A quantity of JSON-RPC: no zeros in front, which some wallets would not read."""
_HEX_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")
_HEX_HASH: Final = re.compile(r"0x[0-9a-fA-F]{64}")

PERMISSION: Final = "eth_accounts"
"""The one permission of EIP-2255 that pages can have here."""

HASHES: Final = array(text(prefix="0x", pattern=_HEX_HASH), at_least=1)
HASHES_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "array",
    "items": {"type": "string", "pattern": "^0x[0-9a-fA-F]{64}$"},
    "minItems": 1,
}
IDS: Final = array(text(), at_least=1)
OBJECTS: Final = array(record(), at_least=1)
CHAIN: Final = array(record({"chainId": text(prefix="0x", pattern=_HEX_CHAIN)}), at_least=1)
ASSETS: Final = array(record({"account": text()}), at_least=1)

_CALL: Final = record({"to": text(prefix="0x")}, {"data": text(prefix="0x"), "value": text()})
SEND_CALLS: Final = array(
    record(
        {"calls": array(_CALL)},
        {
            "chainId": either(text(), number),
            "from": text(),
            "version": text(),
            "id": text(),
            "atomicRequired": boolean,
            "capabilities": anything,
        },
    ),
    at_least=1,
)

OPERATION_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "array",
    "description": "Nested no deeper than 24 levels; integers as far as a browser carries them exactly.",
    "minItems": 2,
    "prefixItems": [
        {"type": "object"},
        {"type": "string", "pattern": "^0x[0-9a-fA-F]{40}$"},
    ],
}


def user_operation(value: object, path: Path) -> Params:
    """ERC-7769: the operation and the entry point; an estimate may have state overrides behind them."""
    given = array(anything, at_least=2)(value, path)
    operation = record()(given[0], (*path, 0))
    entry_point = text(prefix="0x", pattern=_HEX_ADDRESS)(given[1], (*path, 1))
    return [operation, entry_point, *given[2:]]


def capabilities(value: object, path: Path) -> Params:
    """EIP-5792: the account, then chains. Who names none asks about the wallet."""
    given = [] if value is MISSING else array(anything)(value, path)
    return [text()(given[0], (*path, 0)), *given[1:]] if given else []


def revoked_permissions(value: object, path: Path) -> Params:
    """The drafts of ERC-7715 have an object or a list of them; nothing cannot be taken back."""
    given: Params = either(OBJECTS, record())(value, path)
    if not given:
        raise PayloadError(REQUIRED, details=".".join(map(str, path)))
    return given


def permissions(value: object, path: Path) -> Params:
    """EIP-2255: what is asked for, by the method's name. There is one permission that can be had."""
    given: Params = array(record({PERMISSION: record()}), at_least=1)(value, path)
    for at, entry in enumerate(given):
        for name in entry:
            if name != PERMISSION:
                raise PayloadError(INVALID, details=f"{'.'.join(map(str, path))}[{at}].{clean_text(name, limit=64)}")
    return given


def granted_permissions(accounts: Sequence[str]) -> list[Any]:
    """EIP-2255: what the page may use of the connected accounts."""
    caveats = [{"type": "restrictReturnedAccounts", "value": list(accounts)}]
    return [{"parentCapability": PERMISSION, "caveats": caveats}] if accounts else []


def is_eip2255(params: object) -> bool:
    """Whether what is to be taken back is EIP-2255's, a list of objects keyed by method names, and not what ERC-7715 grants."""
    if not isinstance(params, list | tuple) or not params:
        return False
    return all(
        isinstance(entry, dict) and entry and all(_is_grant(*item) for item in entry.items()) for entry in params
    )


def _is_grant(name: object, caveats: object) -> bool:
    return isinstance(name, str) and name.startswith(("eth_", "wallet_")) and isinstance(caveats, dict)


def accounts_of_grants(params: Any) -> list[Any]:
    """The accounts of permissions, where ERC-7715 and its forerunners name them."""
    return [entry[name] for entry in params for name in ("address", "account", "from") if entry.get(name) is not None]


def chains_of_objects(params: Any) -> list[object]:
    """The chain of each object of a list, None where one names none."""
    return [entry.get("chainId") for entry in params]


def chains_of_calls(params: Any) -> list[object]:
    """The chain of several calls, and that of each (EIP-5792 and its forerunner)."""
    calls = params[0].get("calls")
    each = [one.get("chainId") for one in calls if isinstance(one, dict)] if isinstance(calls, list) else []
    return [params[0].get("chainId"), *each]


def count_calls(params: object) -> int:
    """Counts the calls of a batch, before anything of them is looked at."""
    first = params[0] if isinstance(params, list) and params else None
    calls = first.get("calls") if isinstance(first, Mapping) else None
    return len(calls) if isinstance(calls, Sequence) and not isinstance(calls, str) else 0


def bundle_of(params: object) -> object:
    """The id that the host has given its calls."""
    first = params[0] if isinstance(params, list) and params else None
    return first.get("id") if isinstance(first, dict) else None
