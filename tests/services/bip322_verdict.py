"""Whether a BIP-322 signature is believed: by us, and by an implementation with an interpreter of scripts that is not ours."""

from btclib import bip322

from walletmodal.core.chains.bitcoin_scripts import locked_by
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.services.chains.bip122.signatures import is_signed_by

MAINNET = parse_chain_id("bip122:000000000019d6689c085ae165831e93")
MESSAGE = "shop.example wants you to sign in"


def verified(address: str, message: str, signature: str) -> bool:
    """By us; what we believe the other implementation must believe."""
    found = is_signed_by(locked_by(address, MAINNET), message, signature)
    assert not found or bip322.verify(message.encode(), address, signature), "we alone believe it"
    return found
