"""Delegations (ERC-7710): who may act for an account within which caveats, their hash, and the context that redeemers hand in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from eth_abi.abi import encode
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

from walletmodal.core.decoding.abi import canonical_values
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.framework import MANAGER, MANAGER_NAME, MANAGER_VERSION

ROOT: Final = b"\xff" * 32
"""The authority of a delegation that the account itself has given; that of a redelegation is the hash of the one before it."""
MAX_CONTEXT: Final = 32_768
"""Bytes; a permission of ours has 1,440."""
MAX_CHAIN: Final = 8
"""Delegations of a context."""

DELEGATION_TUPLE: Final = "(address,address,bytes32,(address,bytes,bytes)[],uint256,bytes)"
DELEGATION_FIELDS: Final = (
    ("delegate", "address"),
    ("delegator", "address"),
    ("authority", "bytes32"),
    ("caveats", "Caveat[]"),
    ("salt", "uint256"),
)
CAVEAT_FIELDS: Final = (("enforcer", "address"), ("terms", "bytes"))
DOMAIN_FIELDS: Final = (
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
)


def _type(name: str, fields: Sequence[tuple[str, str]]) -> str:
    return f"{name}({','.join(f'{kind} {field}' for field, kind in fields)})"


_CAVEAT: Final = _type("Caveat", CAVEAT_FIELDS)
_CAVEAT_HASH: Final = keccak(text=_CAVEAT)
_DELEGATION_HASH: Final = keccak(text=_type("Delegation", DELEGATION_FIELDS) + _CAVEAT)
_DOMAIN_HASH: Final = keccak(text=_type("EIP712Domain", DOMAIN_FIELDS))


@dataclass(frozen=True, slots=True)
class Caveat:
    """One limit.

    Attributes:
        enforcer: the contract that holds it, in its normal spelling.
        terms: what the enforcer reads.
        args: what the redeemer adds; no part of what is signed.
    """

    enforcer: str
    terms: bytes
    args: bytes = b""


@dataclass(frozen=True, slots=True)
class Delegation:
    """One delegation.

    Attributes:
        delegate: who may act.
        delegator: the account for which.
        caveats: the limits; without any the delegate may do everything.
        salt: tells delegations apart that are the same otherwise.
        authority: `ROOT`, or the hash of the delegation that this one hands on.
        signature: of the delegator over `digest`; empty before it has signed.
    """

    delegate: str
    delegator: str
    caveats: tuple[Caveat, ...]
    salt: int = 0
    authority: bytes = ROOT
    signature: bytes = b""

    @property
    def hash(self) -> bytes:
        """By which the manager and the enforcers know it: the EIP-712 struct hash, 32 bytes, the same on every network."""
        caveats = b"".join(
            keccak(encode(["bytes32", "address", "bytes32"], [_CAVEAT_HASH, one.enforcer, keccak(one.terms)]))
            for one in self.caveats
        )
        values = [_DELEGATION_HASH, self.delegate, self.delegator, self.authority, keccak(caveats), self.salt]
        return bytes(keccak(encode(["bytes32", "address", "address", "bytes32", "bytes32", "uint256"], values)))

    def digest(self, chain_id: int) -> bytes:
        """What the delegator signs on a network (EIP-712), 32 bytes."""
        values = [_DOMAIN_HASH, keccak(text=MANAGER_NAME), keccak(text=MANAGER_VERSION), chain_id, MANAGER]
        domain = keccak(encode(["bytes32", "bytes32", "bytes32", "uint256", "address"], values))
        return bytes(keccak(b"\x19\x01" + domain + self.hash))

    def typed_data(self, chain_id: int) -> dict[str, Any]:
        """The same as `eth_signTypedData_v4` takes it."""
        structs = {"EIP712Domain": DOMAIN_FIELDS, "Caveat": CAVEAT_FIELDS, "Delegation": DELEGATION_FIELDS}
        return {
            "types": {
                name: [{"name": field, "type": kind} for field, kind in fields] for name, fields in structs.items()
            },
            "primaryType": "Delegation",
            "domain": {
                "name": MANAGER_NAME,
                "version": MANAGER_VERSION,
                "chainId": chain_id,
                "verifyingContract": MANAGER,
            },
            "message": {
                "delegate": self.delegate,
                "delegator": self.delegator,
                "authority": _hex(self.authority),
                "caveats": [{"enforcer": one.enforcer, "terms": _hex(one.terms)} for one in self.caveats],
                "salt": str(self.salt),
            },
        }

    def signed(self, signature: bytes) -> "Delegation":
        """Returns it with a signature."""
        return replace(self, signature=signature)

    @property
    def values(self) -> tuple[Any, ...]:
        """Its fields in the order of `DELEGATION_TUPLE`."""
        caveats = [(one.enforcer, one.terms, one.args) for one in self.caveats]
        return (self.delegate, self.delegator, self.authority, caveats, self.salt, self.signature)


def encode_context(chain: Sequence[Delegation]) -> bytes:
    """Encodes delegations as a permission context (ERC-7710), the newest first and the account's own last."""
    return bytes(encode([f"{DELEGATION_TUPLE}[]"], [[one.values for one in chain]]))


def decode_context(context: bytes) -> tuple[Delegation, ...]:
    """Decodes a permission context.

    Raises:
        PermissionUnreadableError: it is none, or is not encoded as every contract reads it alike.
    """
    if len(context) > MAX_CONTEXT:
        raise PermissionUnreadableError("the context is too long")
    values = canonical_values([f"{DELEGATION_TUPLE}[]"], context)
    if values is None or not 0 < len(values[0]) <= MAX_CHAIN:
        raise PermissionUnreadableError("the context is no list of delegations")
    return tuple(_delegation(one) for one in values[0])


def _delegation(values: tuple[Any, ...]) -> Delegation:
    delegate, delegator, authority, caveats, salt, signature = values
    return Delegation(
        delegate=to_checksum_address(delegate),
        delegator=to_checksum_address(delegator),
        caveats=tuple(Caveat(to_checksum_address(one[0]), one[1], one[2]) for one in caveats),
        salt=salt,
        authority=authority,
        signature=signature,
    )


def _hex(raw: bytes) -> str:
    return "0x" + raw.hex()
