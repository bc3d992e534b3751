"""The digest of typed data (EIP-712), as ethers and viem make it: of what the types name, whatever else stands there."""

import re
from collections.abc import Mapping
from typing import Any, Final

from eth_utils.crypto import keccak

from walletmodal.core.errors import ShapeError
from walletmodal.services.rpc.web3_library import encode_typed_data

_DOMAIN: Final = "EIP712Domain"
_DOMAIN_FIELDS: Final = {
    "name": "string",
    "version": "string",
    "chainId": "uint256",
    "verifyingContract": "address",
    "salt": "bytes32",
}
"""Of a domain whose type is not given, those that are there, in this order."""
_ARRAY: Final = re.compile(r"(\[[0-9]*\])+$")

Types = Mapping[str, list[dict[str, str]]]


def typed_data_digest(typed_data: Mapping[str, object]) -> bytes:
    """What a wallet signs for `eth_signTypedData_v4`, 32 bytes.

    Raises:
        ShapeError: it is no typed data.
    """
    try:
        given: Any = typed_data
        types, domain = given["types"], given["domain"]
        if _DOMAIN not in types:
            present = [(name, kind) for name, kind in _DOMAIN_FIELDS.items() if domain.get(name) is not None]
            types = {**types, _DOMAIN: [{"name": name, "type": kind} for name, kind in present]}
        separator = _hash(types, _DOMAIN, domain)
        # Nothing but a domain is signed where that is the primary type.
        body = b"" if given["primaryType"] == _DOMAIN else _hash(types, given["primaryType"], given["message"])
    except Exception as error:
        # The library raises whatever its many parts happen to raise.
        raise ShapeError(f"typed data: {type(error).__name__}") from error
    return bytes(keccak(b"\x19\x01" + separator + body))


def _hash(types: Types, primary: str, value: Mapping[str, Any]) -> bytes:
    """`hashStruct` of EIP-712. The library takes types of which the primary one is the only one that no other names, and has no public function for a domain of other fields."""
    if not types[primary]:
        return bytes(keccak(keccak(text=f"{primary}()")))
    return bytes(encode_typed_data({}, dict(_needed(types, primary)), dict(value)).body)


def _needed(types: Types, primary: str) -> Types:
    """The types that a struct consists of, itself among them."""
    found, left = dict[str, list[dict[str, str]]](), [primary]
    while left:
        name = left.pop()
        if name in types and name not in found:
            found[name] = types[name]
            left += [_ARRAY.sub("", field["type"]) for field in types[name]]
    return found
