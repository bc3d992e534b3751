"""EVM networks: addresses of EIP-55, and what is done with their accounts."""

import re
from functools import lru_cache
from typing import Final

from eth_utils.address import to_checksum_address

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.namespaces.descriptor import AddressFault, NamespaceDescriptor

_ADDRESS: Final = re.compile(r"(?:0[xX])?([0-9a-fA-F]{40})")
_SMALL: Final = 0xFFFF
"""Up to here addresses are those of the chains' own contracts, or nobody's."""
_BURNS: Final = frozenset(
    {
        "000000000000000000000000000000000000dead",
        "dead000000000000000000000000000000000000",
        "dead00000000000000000000000000000000dead",
        "dead000000000000000042069420694206942069",
        "00000000000000000000000000000000deadbeef",
        "deaddeaddeaddeaddeaddeaddeaddeaddeaddead",
        "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
        "1234567890123456789012345678901234567890",
    }
)


# A look-up of balances reads the same few addresses again and again, and the checksum is most of its work. Room for these, and not for all
# visitors of a worker: what is kept of those who have left is memory that grows.
@lru_cache(maxsize=512)
def _checksummed(address: str) -> str:
    return to_checksum_address("0x" + address[-40:].lower())


def _fault(address: str) -> AddressFault | None:
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return "malformed"
    digits = match[1]
    if digits in (digits.lower(), digits.upper()):
        return None
    return None if _checksummed(digits)[2:] == digits else "checksum"


def _claims(text: str) -> bool:
    return text[:2].lower() == "0x" and _fault(text) == "checksum"


def _is_burn(address: str) -> bool:
    digits = address[-40:].lower()
    return int(digits, 16) <= _SMALL or len(set(digits)) == 1 or digits in _BURNS


def _is_network(chain: ChainId, told: str) -> bool:
    try:
        return int(told, 16) == int(chain.reference)
    except ValueError:
        return False


DESCRIPTOR: Final = NamespaceDescriptor(
    title="EVM Networks",
    account_word="Ethereum",
    picture="/networks/eip155-1.svg",
    features=frozenset({"activity", "balance", "names", "nfts", "onramp", "send", "swaps"}),
    default_account_type="smartAccount",
    native_address="0x" + "e" * 40,
    address_fault=_fault,
    normal_address=_checksummed,
    comparable_address=lambda address: f"0x{address[-40:].lower()}",
    ignores_case=True,
    claims_address=_claims,
    is_burn_address=_is_burn,
    ping="net_listening",
    network_question="eth_chainId",
    is_network=_is_network,
    uri_scheme="ethereum",
    transaction_hash=re.compile(r"0x[0-9a-f]{64}"),
)
