"""Messages of EIP-712 whose struct holds no others: their digest, and the JSON that wallets sign (`eth_signTypedData_v4`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from eth_abi.abi import encode
from eth_utils.crypto import keccak

Value = str | int | bytes
Fields = tuple[tuple[str, str], ...]
"""The type and the name of each."""

_DOMAIN: Final = "EIP712Domain"
_DOMAIN_TYPES: Final = {"name": "string", "version": "string", "chainId": "uint256", "verifyingContract": "address"}


@dataclass(frozen=True, slots=True)
class Domain:
    """Where a message counts. `name`: of the contract, "" where its domain has neither name nor version; versions are 1."""

    chain_id: int
    contract: str
    name: str = ""

    @property
    def values(self) -> dict[str, Value]:
        """Its fields, in the order of EIP-712."""
        named: dict[str, Value] = {"name": self.name, "version": "1"} if self.name else {}
        return {**named, "chainId": self.chain_id, "verifyingContract": self.contract}


@dataclass(frozen=True, slots=True)
class TypedMessage:
    """One message.

    Attributes:
        domain: where it counts.
        name: of its struct.
        fields: of its struct, in their order; addresses, numbers and bytes.
        values: by name.
    """

    domain: Domain
    name: str
    fields: Fields
    values: Mapping[str, Value]

    @property
    def digest(self) -> bytes:
        """The 32 bytes that are signed."""
        domain = _hash_struct(_DOMAIN, _domain_fields(self.domain), self.domain.values)
        return keccak(b"\x19\x01" + domain + _hash_struct(self.name, self.fields, self.values))

    def to_json(self) -> dict[str, Any]:
        """The same as typed data, which wallets show and sign; numbers are decimal texts, so that no browser rounds them."""
        types = {_DOMAIN: _domain_fields(self.domain), self.name: self.fields}
        return {
            "types": {
                name: [{"name": field, "type": kind} for kind, field in fields] for name, fields in types.items()
            },
            "primaryType": self.name,
            "domain": {**self.domain.values, "chainId": str(self.domain.chain_id)},
            "message": {field: _json(self.values[field]) for _, field in self.fields},
        }


def _domain_fields(domain: Domain) -> Fields:
    return tuple((_DOMAIN_TYPES[name], name) for name in domain.values)


def _hash_struct(name: str, fields: Fields, values: Mapping[str, Value]) -> bytes:
    kind = f"{name}({','.join(f'{one} {field}' for one, field in fields)})"
    types, encoded = ["bytes32"], list[Value]([keccak(text=kind)])
    for one, field in fields:
        value = values[field]
        hashed = one in ("bytes", "string")
        types.append("bytes32" if hashed else one)
        encoded.append(keccak(value.encode() if isinstance(value, str) else value) if hashed else value)
    return keccak(encode(types, encoded))


def _json(value: Value) -> str:
    return "0x" + value.hex() if isinstance(value, bytes) else str(value)
