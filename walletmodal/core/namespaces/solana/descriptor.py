"""Solana: addresses are public keys in base58."""

import re
from typing import Final

import base58

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.namespaces.descriptor import AddressFault, NamespaceDescriptor

_BASE58: Final = re.compile(r"[1-9A-HJ-NP-Za-km-z]+")
_GENESIS_LENGTH: Final = 32
_BURNS: Final = frozenset(
    {
        "11111111111111111111111111111111",
        "1nc1nerator11111111111111111111111111111111",
        "burn68h9dS2tvZwtCFMt79SyaEgvqtcZZWJphizQxgt",
        "deadbeef11111111111111111111111111111111111",
    }
)


def _fault(address: str) -> AddressFault | None:
    if not 32 <= len(address) <= 44 or not _BASE58.fullmatch(address):
        return "malformed"
    return None if len(base58.b58decode(address)) == 32 else "malformed"


def _is_network(chain: ChainId, told: str) -> bool:
    return told[:_GENESIS_LENGTH] == chain.reference


DESCRIPTOR: Final = NamespaceDescriptor(
    title="Solana",
    account_word="Solana",
    picture="/networks/solana-5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp.svg",
    features=frozenset({"activity", "balance", "nfts", "onramp", "send"}),
    # 43 characters: not the mint of wrapped SOL, which ends in 112.
    native_address="So11111111111111111111111111111111111111111",
    address_fault=_fault,
    is_burn_address=_BURNS.__contains__,
    ping="getHealth",
    network_question="getGenesisHash",
    is_network=_is_network,
    local_networks=True,
    account_page="account",
    uri_scheme="solana",
    transaction_hash=re.compile(r"[1-9A-HJ-NP-Za-km-z]{64,88}"),
)
