"""Authorizations of EIP-7702, by which a key has its account run the code of a contract, and the code that results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import rlp
from eth_utils.address import to_canonical_address, to_checksum_address
from eth_utils.crypto import keccak

from walletmodal.core.smart_accounts.fields import read_address, read_quantity, unreadable

NOBODY: Final = "0x" + "0" * 40
"""As the contract of an authorization it takes the delegation back."""
ANY_CHAIN: Final = 0
"""As the chain of an authorization it makes it one for every network."""

_MAGIC: Final = b"\x05"
_CODE_PREFIX: Final = bytes.fromhex("ef0100")
_ADDRESS: Final = 20
_WHAT: Final = "authorization"
_ORDER: Final = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_NONCE_BITS: Final = 64
_MAX_NONCE: Final = 2**_NONCE_BITS - 2
"""The account's nonce counts on, and must still fit."""


@dataclass(frozen=True, slots=True)
class Authorization:
    """What a key signs to delegate its account.

    Attributes:
        chain_id: of the network; 0 for every one.
        address: the contract whose code runs, in its normal spelling; the zero address takes the delegation back.
        nonce: of the account at that moment. Where the account sends the transaction itself, that is one more than the transaction's.
    """

    chain_id: int
    address: str
    nonce: int

    def __post_init__(self) -> None:
        if not 0 <= self.chain_id < 2**256 or not 0 <= self.nonce <= _MAX_NONCE:
            raise unreadable("chainId" if self.nonce <= _MAX_NONCE else "nonce", _WHAT)

    @property
    def hash(self) -> bytes:
        """The 32 bytes that the key signs."""
        return keccak(_MAGIC + rlp.encode([self.chain_id, to_canonical_address(self.address), self.nonce]))

    @property
    def revokes(self) -> bool:
        """Whether it takes a delegation back."""
        return self.address == NOBODY

    def is_for(self, chain_id: int) -> bool:
        """Whether it takes effect on this network."""
        return self.chain_id in (ANY_CHAIN, chain_id)


@dataclass(frozen=True, slots=True)
class SignedAuthorization:
    """An authorization with its signature.

    Attributes:
        y_parity, r, s: of the signature, with `s` in its lower half.
    """

    authorization: Authorization
    y_parity: int
    r: int
    s: int

    def __post_init__(self) -> None:
        if self.y_parity not in (0, 1):
            raise unreadable("yParity", _WHAT)
        # Nodes skip one whose s is in the upper half.
        if not 0 < self.r < _ORDER or not 0 < self.s <= _ORDER // 2:
            raise unreadable("r" if not 0 < self.r < _ORDER else "s", _WHAT)

    def to_json(self) -> dict[str, str]:
        """Writes it as transactions (`authorizationList`) and bundlers (`eip7702Auth`) take it."""
        signed = self.authorization
        return {
            "chainId": hex(signed.chain_id),
            "address": signed.address,
            "nonce": hex(signed.nonce),
            "yParity": hex(self.y_parity),
            "r": hex(self.r),
            "s": hex(self.s),
        }


def read_authorization(given: object) -> Authorization:
    """Reads the part of an authorization that is signed, from a signed one or one that a wallet is to sign.

    Raises:
        PayloadError: a field is missing or has the wrong form.
    """
    fields = _object(given)
    address = read_address(fields.get("address"), "address", _WHAT)
    return Authorization(_required(fields, "chainId"), address, _required(fields, "nonce"))


def read_signed_authorization(given: object) -> SignedAuthorization:
    """Reads an authorization with its signature.

    Raises:
        PayloadError: a field is missing or has the wrong form, or no key can have signed so.
    """
    fields = _object(given)
    return SignedAuthorization(read_authorization(fields), *(_required(fields, name) for name in ("yParity", "r", "s")))


def delegated_code(implementation: str) -> bytes:
    """The code of an account that is delegated to a contract."""
    return _CODE_PREFIX + to_canonical_address(implementation)


def read_delegation(code: bytes) -> str:
    """Reads to which contract an account with this code is delegated, in its normal spelling; "" where it is no delegation."""
    if len(code) != len(_CODE_PREFIX) + _ADDRESS or not code.startswith(_CODE_PREFIX):
        return ""
    return str(to_checksum_address(code[len(_CODE_PREFIX) :]))


def _object(given: object) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise unreadable("no object", _WHAT)
    return given


def _required(given: Mapping[str, Any], field: str) -> int:
    found = read_quantity(given, field, _WHAT)
    if found is None:
        raise unreadable(field, _WHAT)
    return found
