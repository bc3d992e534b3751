"""Events of the entry point, by which a bundle's logs are told apart: a bundler puts operations of several accounts into one transaction."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from eth_utils.crypto import keccak

OPERATION_EVENT: Final = keccak(text="UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)")
"""Emitted behind each operation, with its hash."""

_EVENT_DATA: Final = re.compile(r"0x[0-9a-fA-F]{256}")
"""Nonce, success, cost and gas."""
_BEFORE_EXECUTION: Final = "0x" + keccak(text="BeforeExecution()").hex()
_OPERATION_EVENT: Final = "0x" + OPERATION_EVENT.hex()


def logs_of_operation(
    logs: Sequence[Mapping[str, Any]], entry_point: str, operation_hash: str
) -> list[Mapping[str, Any]]:
    """Returns the logs of an operation's calls, its own event the last; none where the bundle does not have it.

    Args:
        logs: of the bundle's transaction, in their order, JSON.
        entry_point: its address.
        operation_hash: in hex.
    """
    own = list[Mapping[str, Any]]()
    for log in logs:
        own.append(log)
        topics = log.get("topics")
        if not isinstance(topics, list) or str(log.get("address")).lower() != entry_point.lower():
            continue
        told = [str(one).lower() for one in topics[:2]]
        if told == [_OPERATION_EVENT, operation_hash.lower()]:
            return own
        if told[:1] in ([_BEFORE_EXECUTION], [_OPERATION_EVENT]):
            own = []
    return []


def gas_of_operation(event: Mapping[str, Any]) -> str:
    """Returns the gas that an operation has used, in hex, by its event (the last of `logs_of_operation`); "" where it does not say."""
    data = event.get("data")
    if not isinstance(data, str) or not _EVENT_DATA.fullmatch(data):
        return ""
    return hex(int(data[-64:], 16))
