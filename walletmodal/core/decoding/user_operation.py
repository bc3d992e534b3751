"""A user operation (ERC-4337) as bundlers take it: the fields that say who acts, what is done and who pays."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.rules import PayloadError

_BYTES: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})*")
_QUANTITY: Final = re.compile(r"0x[0-9a-fA-F]{1,64}")
_ADDRESS: Final = 20
_NONE: Final = (None, "", "0x")
"""What stands in a field that is not used."""
_OF_7702: Final = re.compile(r"0x7702(?:0{36}(?:[0-9a-fA-F]{2})*)?")
"""In the place of a factory: the account is not made, but handed over, and called with what stands behind (EntryPoint 0.8)."""
ENTRY_POINTS: Final = frozenset(
    [
        "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789",
        "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
        "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108",
        "0x433709009B8330FDa32311DF1C2AFA402eD8D009",
    ]
)
"""Of ERC-4337, 0.6 to 0.9, on every network."""
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
class UserOperation:
    """What an account is to do.

    Attributes:
        sender: the account.
        data: what it is called with.
        cost: of the native coin at most, in base units; None where it does not say.
        paymaster: the contract that pays, "" for none.
        creates: the account is made first.
        delegates: the account is handed over to a contract first (EIP-7702).
        unread: names of what else it has.
    """

    sender: str
    data: bytes
    cost: int | None
    paymaster: str
    creates: bool
    delegates: bool
    unread: tuple[str, ...]


def read_user_operation(given: object) -> UserOperation:
    """Read a user operation of either form, with its fields packed (EntryPoint 0.6) or apart (0.7 and later).

    Raises:
        PayloadError: it names no account, what it does is no call data, or a price or an amount of gas is no number.
    """
    if not isinstance(given, Mapping):
        raise _unreadable("no object")
    packed = _bytes(given, "paymasterAndData")
    makers = [one for one in map(given.get, ("initCode", "factory")) if one not in _NONE]
    handed = [one for one in makers if isinstance(one, str) and _OF_7702.fullmatch(one)]
    payer = given.get("paymaster")
    if payer in _NONE:
        payer = "0x" + packed[:_ADDRESS].hex() if packed else None
    return UserOperation(
        sender=_account(given.get("sender"), "sender"),
        data=_bytes(given, "callData"),
        cost=_cost(given),
        paymaster="" if payer is None else _account(payer, "paymaster"),
        creates=len(makers) > len(handed),
        delegates=bool(given.get("eip7702Auth") or handed),
        unread=tuple(
            str(name) for name, value in given.items() if name not in _READ and value not in (None, "", [], {})
        ),
    )


def _unreadable(field: str) -> PayloadError:
    return PayloadError("The user operation cannot be read", details=field)


def _account(value: object, field: str) -> str:
    try:
        return normal_address("eip155", value if isinstance(value, str) else "")
    except AddressError as error:
        raise _unreadable(field) from error


def _bytes(given: Mapping[str, Any], field: str) -> bytes:
    value = given.get(field)
    if value is None:
        return b""
    if not isinstance(value, str) or not _BYTES.fullmatch(value):
        raise _unreadable(field)
    return bytes.fromhex(value[2:])


def _cost(given: Mapping[str, Any]) -> int | None:
    gas, price = [_number(given, name) for name in _GAS], _number(given, "maxFeePerGas")
    return None if price is None or None in gas[:3] else price * sum(one or 0 for one in gas)


def _number(given: Mapping[str, Any], field: str) -> int | None:
    value = given.get(field)
    if value is None:
        return None
    if not isinstance(value, str) or not _QUANTITY.fullmatch(value):
        raise _unreadable(field)
    return int(value, 16)
