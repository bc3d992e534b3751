"""Safe transactions (`SafeTx`), which owners sign as typed data."""

import re
from collections.abc import Mapping
from typing import Any, Final

from eth_abi.abi import encode
from eth_abi.exceptions import EncodingError
from eth_utils.address import to_checksum_address

from walletmodal.core.decoding.abi import argument_types
from walletmodal.core.decoding.decoded_call import decode_call, selector
from walletmodal.core.decoding.inner_calls import calls_within
from walletmodal.core.decoding.typed_data_values import read_uint
from walletmodal.core.requests.typed_request import Call

SAFE_TX: Final = "SafeTx"
FIELDS: Final = {"to": "address", "value": "uint256", "data": "bytes", "operation": "uint8"}
"""Those that say what it does; without them, or with other types, it is no Safe's."""
_EXECUTE: Final = "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)"
_NOBODY: Final = "0x" + "0" * 40
_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")
_BYTES: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})*")


def safe_call(safe: str, fields: Mapping[str, str], message: Mapping[str, Any]) -> Call | None:
    """Decodes the transaction of a Safe, as the call that carries it out; None where it cannot be read.

    What the Safe would do stands within it; nothing does where that cannot be opened, as where it would run foreign code as its own.

    Args:
        safe: the verifying contract of the domain, in its normal spelling.
        fields: the type that is signed.
        message: its values.
    """
    to, given = message.get("to"), message.get("data")
    value, operation = read_uint(message.get("value")), read_uint(message.get("operation"))
    named = all(fields.get(name) == kind for name, kind in FIELDS.items()) and _ADDRESS.fullmatch(safe)
    if not named or not isinstance(to, str) or not _ADDRESS.fullmatch(to) or not isinstance(given, str):
        return None
    if value is None or operation is None or not _BYTES.fullmatch(given):
        return None
    # The same as the transaction that carries it out, without what that pays for its gas (`repays`).
    values = (to_checksum_address(to), value, bytes.fromhex(given[2:]), operation, 0, 0, 0, _NOBODY, _NOBODY, b"")
    try:
        call = encode(argument_types(_EXECUTE), values)
    except EncodingError:
        return None
    account, data = to_checksum_address(safe), bytes.fromhex(selector(_EXECUTE)[2:]) + call
    return Call(account, 0, data, decode_call(data), calls_within(account, data))


def is_delegate_call(message: Mapping[str, Any]) -> bool:
    """Whether it is no ordinary call: the Safe lets the code of another contract do with it whatever that does."""
    return read_uint(message.get("operation")) != 0


def has_gas_refund(message: Mapping[str, Any]) -> bool:
    """Whether the Safe pays whoever hands it in, for the gas and whatever is called so."""
    return read_uint(message.get("gasPrice", 0)) != 0
