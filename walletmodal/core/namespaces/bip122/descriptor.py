"""Bitcoin: addresses of Base58Check and of segwit."""

import re
from typing import Final

import base58

from walletmodal.core.chains.bech32 import decode_segwit
from walletmodal.core.namespaces.descriptor import AddressFault, NamespaceDescriptor

_BASE58: Final = re.compile(r"[1-9A-HJ-NP-Za-km-z]+")
_BECH32: Final = re.compile(r"(?:bc|tb|bcrt)1[ac-hj-np-z02-9]{8,87}")
_BURNS: Final = frozenset(
    {"1111111111111111111114oLvT2", "1BitcoinEaterAddressDontSendf59kuE", "1CounterpartyXXXXXXXXXXXXXXXUWLpVr"}
)


def _fault(address: str) -> AddressFault | None:
    """Base58Check (P2PKH, P2SH) or a segwit address (BIP-173, BIP-350)."""
    if address in (address.lower(), address.upper()) and _BECH32.fullmatch(address.lower()):
        return None if decode_segwit(address) else "checksum"
    if not 25 <= len(address) <= 36 or not _BASE58.fullmatch(address):
        return "malformed"
    if len(base58.b58decode(address)) != 25:
        return "malformed"
    try:
        version = base58.b58decode_check(address)[0]
    except ValueError:
        return "checksum"
    return None if version in (0x00, 0x05, 0x6F, 0xC4) else "malformed"


DESCRIPTOR: Final = NamespaceDescriptor(
    title="Bitcoin",
    account_word="Bitcoin",
    picture="/networks/bip122-000000000019d6689c085ae165831e93.svg",
    default_account_type="payment",
    paired_account_type="payment",
    address_fault=_fault,
    is_burn_address=_BURNS.__contains__,
    address_checksums=frozenset({"base58", "bech32"}),
    ping="getblockcount",
    uri_scheme="bitcoin",
)
