"""The stateless delegator: what an account that is delegated to it (EIP-7702) is called with, and what its key signs."""

from collections.abc import Sequence
from typing import Final

from eth_abi.abi import encode

from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call, require_calls
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7
from walletmodal.core.smart_accounts.typed_message import Domain, Fields, TypedMessage
from walletmodal.core.smart_accounts.user_operation import PACKED_FIELDS, UserOperation

ENTRY_POINT: Final = ENTRY_POINT_0_7
"""The only one that the account takes user operations from."""

_NAME: Final = "EIP7702StatelessDeleGator"
_EXECUTE: Final = "execute(bytes32,bytes)"
_SINGLE: Final = bytes(32)
_BATCH: Final = b"\x01" + bytes(31)
"""Modes of ERC-7579: one call, or several of which all are made or none."""
_FIELDS: Final[Fields] = (*PACKED_FIELDS, ("address", "entryPoint"))


def execute_call_data(calls: Sequence[AccountCall]) -> bytes:
    """Encodes what the account is called with to make these calls, all of them or none; by itself, or by the entry point.

    Raises:
        ValueError: there are no calls.
    """
    if len(require_calls(calls)) == 1:
        return encode_call(_EXECUTE, _SINGLE, calls[0].packed)
    return encode_call(_EXECUTE, _BATCH, encode(["(address,uint256,bytes)[]"], [list(calls)]))


def operation_message(operation: UserOperation, chain_id: int) -> TypedMessage:
    """Makes the message that the account's key signs for a user operation; the signature is the operation's, as it is."""
    domain = Domain(chain_id, operation.sender, _NAME)
    values = {**operation.pack().struct, "entryPoint": ENTRY_POINT}
    return TypedMessage(domain, "PackedUserOperation", _FIELDS, values)
