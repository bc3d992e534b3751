"""A user operation (ERC-4337) that a host page asks for, of any entry point: the fields that say who acts, what is done and who pays."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from walletmodal.core.decoding.delegations import read_delegations
from walletmodal.core.smart_accounts.authorization import Authorization
from walletmodal.core.smart_accounts.fields import read_address, read_bytes, read_quantity, unreadable

_ADDRESS: Final = 20
_NONE: Final = (None, "", "0x")
"""What stands in a field that is not used."""
_OF_7702: Final = re.compile(r"0x7702(?:0{36}(?:[0-9a-fA-F]{2})*)?")
"""In the place of a factory: the account is not made, but handed over, and called with what stands behind (EntryPoint 0.8)."""
_GAS: Final = (
    "callGasLimit",
    "verificationGasLimit",
    "preVerificationGas",
    "paymasterVerificationGasLimit",
    "paymasterPostOpGasLimit",
)
_READ: Final = frozenset(
    [
        *_GAS,
        "sender",
        "nonce",
        "callData",
        "initCode",
        "factory",
        "factoryData",
        "paymaster",
        "paymasterData",
        "paymasterAndData",
        "maxFeePerGas",
        "maxPriorityFeePerGas",
        "signature",
        "eip7702Auth",
    ]
)


@dataclass(frozen=True, slots=True)
class RequestedOperation:
    """What an account is to do.

    Attributes:
        sender: the account.
        data: what it is called with.
        cost: of the native coin at most, in base units; None where it does not say.
        paymaster: the contract that pays, "" for none.
        creates: the account is made first.
        delegates: the account is handed over to a contract first (EIP-7702).
        delegation: to which, as far as the operation says it.
        unread: names of what else it has.
    """

    sender: str
    data: bytes
    cost: int | None
    paymaster: str
    creates: bool
    delegates: bool
    delegation: Authorization | None
    unread: tuple[str, ...]


def read_requested_operation(given: object) -> RequestedOperation:
    """Read a user operation of either form, with its fields packed (EntryPoint 0.6) or apart (0.7 and later).

    Raises:
        PayloadError: it names no account, what it does is no call data, or a price or an amount of gas is no number.
    """
    if not isinstance(given, Mapping):
        raise unreadable("no object")
    packed = read_bytes(given, "paymasterAndData")
    makers = [one for one in map(given.get, ("initCode", "factory")) if one not in _NONE]
    handed = [one for one in makers if isinstance(one, str) and _OF_7702.fullmatch(one)]
    payer = given.get("paymaster")
    if payer in _NONE:
        payer = "0x" + packed[:_ADDRESS].hex() if packed else None
    return RequestedOperation(
        sender=read_address(given.get("sender"), "sender"),
        data=read_bytes(given, "callData"),
        cost=_cost(given),
        paymaster="" if payer is None else read_address(payer, "paymaster"),
        creates=len(makers) > len(handed),
        delegates=bool(given.get("eip7702Auth") or handed),
        delegation=next(iter(read_delegations([given.get("eip7702Auth")])), None),
        unread=tuple(
            str(name) for name, value in given.items() if name not in _READ and value not in (None, "", [], {})
        ),
    )


def _cost(given: Mapping[str, Any]) -> int | None:
    gas, price = [read_quantity(given, name) for name in _GAS], read_quantity(given, "maxFeePerGas")
    return None if price is None or None in gas[:3] else price * sum(one or 0 for one in gas)
