"""Network and account ids that name their chain: CAIP-2 and CAIP-10."""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeGuard, get_args

from walletmodal.core.errors import CaipError

Namespace = Literal["eip155", "solana", "bip122", "polkadot"]
NAMESPACES: Final[tuple[Namespace, ...]] = get_args(Namespace)

_REFERENCE: Final = re.compile(r"[-_a-zA-Z0-9]{1,32}")
_EVM_REFERENCE: Final = re.compile(r"0|[1-9][0-9]{0,15}")
_MAX_CHAIN_ID: Final = 2**53 - 1
"""Hosts and wallets get the id as a JavaScript number: above this it would name another network."""
_ADDRESS: Final = re.compile(r"[-.%a-zA-Z0-9]{1,128}")
_MAX_NAME_CHAIN_ID: Final = 2**31


def is_namespace(text: object) -> TypeGuard[Namespace]:
    """Whether the value is one of the namespaces that we serve."""
    return isinstance(text, str) and text in NAMESPACES


def is_reference(namespace: Namespace, text: str) -> bool:
    """Whether the text may stand behind `namespace:` in a CAIP-2 id; eip155 takes decimal chain ids only."""
    if namespace == "eip155":
        return _EVM_REFERENCE.fullmatch(text) is not None and int(text) <= _MAX_CHAIN_ID
    return _REFERENCE.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class ChainId:
    """A CAIP-2 network id, such as `eip155:1`."""

    namespace: Namespace
    reference: str

    def __str__(self) -> str:
        return f"{self.namespace}:{self.reference}"

    @property
    def number(self) -> int:
        """The chain id of an EVM network as a number.

        Raises:
            CaipError: `Invalid chainId` when the network is no EVM one.
        """
        if self.namespace != "eip155":
            raise CaipError("Invalid chainId", details=str(self)[:80])
        return int(self.reference)


@dataclass(frozen=True, slots=True)
class AccountId:
    """A CAIP-10 account id, such as `eip155:1:0xab…`. The address is not checked here (`addresses.py` does)."""

    chain: ChainId
    address: str

    def __str__(self) -> str:
        return f"{self.chain}:{self.address}"

    @property
    def namespace(self) -> Namespace:
        """The namespace of the chain."""
        return self.chain.namespace


def parse_chain_id(text: str) -> ChainId:
    """Read a CAIP-2 network id.

    Raises:
        CaipError: `Invalid CAIP-2 network id: x`.
    """
    namespace, colon, reference = text.partition(":")
    if not colon or not is_namespace(namespace) or not is_reference(namespace, reference):
        raise CaipError(f"Invalid CAIP-2 network id: {text[:80]}")
    return ChainId(namespace, reference)


def parse_account_id(text: str) -> AccountId:
    """Read a CAIP-10 account id: three non-empty parts and a known namespace.

    Raises:
        CaipError: `Invalid CAIP-10 address: x`.
    """
    parts = text.split(":")
    if len(parts) != 3:
        raise CaipError(f"Invalid CAIP-10 address: {text[:120]}")
    namespace, reference, address = parts
    if not is_namespace(namespace) or not is_reference(namespace, reference) or not _ADDRESS.fullmatch(address):
        raise CaipError(f"Invalid CAIP-10 address: {text[:120]}")
    return AccountId(ChainId(namespace, reference), address)


def require_caip_address(text: str) -> AccountId:
    """As `parse_account_id`, with the text for a visitor: `Invalid CAIP Address`.

    Raises:
        CaipError: `Invalid CAIP Address`.
    """
    try:
        return parse_account_id(text)
    except CaipError as error:
        raise CaipError("Invalid CAIP Address", details=error.short_message) from error


def name_coin_chain(chain: ChainId) -> int:
    """The EVM chain id that a name's coin type may carry (ENSIP-11): below 2^31.

    Raises:
        CaipError: `Invalid chainId`.
    """
    number = chain.number
    if number >= _MAX_NAME_CHAIN_ID:
        raise CaipError("Invalid chainId", details=str(chain))
    return number
