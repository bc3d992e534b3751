"""User operations (ERC-4337) that owners sign as typed data: those of Safes, and of accounts that sign the packed form."""

import re
from collections.abc import Mapping
from typing import Any, Final

from eth_utils.address import to_checksum_address

from walletmodal.core.decoding.decoded_call import decode_call
from walletmodal.core.decoding.inner_calls import calls_within
from walletmodal.core.requests.typed_request import Call

PACKED_OPERATION: Final = "PackedUserOperation"
"""Primary type of what accounts of entry points 0.8 and later sign, and those of MetaMask's delegation framework."""
ACCOUNT_FIELDS: Final[Mapping[str, str]] = {"SafeOp": "safe", PACKED_OPERATION: "sender"}
"""By primary type, the field that names the account."""

_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")
_BYTES: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})*")


def operation_call(primary_type: str, fields: Mapping[str, str], message: Mapping[str, Any]) -> Call | None:
    """Decodes the call of the account that a signed user operation makes; None where it is none, or cannot be read.

    Args:
        primary_type: of the typed data.
        fields: the type that is signed.
        message: its values.
    """
    name = ACCOUNT_FIELDS.get(primary_type)
    if name is None or fields.get(name) != "address" or fields.get("callData") != "bytes":
        return None
    account, data = message.get(name), message.get("callData")
    if not isinstance(account, str) or not _ADDRESS.fullmatch(account):
        return None
    if not isinstance(data, str) or not _BYTES.fullmatch(data):
        return None
    sender, given = str(to_checksum_address(account)), bytes.fromhex(data[2:])
    return Call(sender, 0, given, decode_call(given), calls_within(sender, given))
