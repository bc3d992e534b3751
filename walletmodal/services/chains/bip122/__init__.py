"""Bitcoin: addresses and signatures of messages (BIP-322 and its forerunners)."""

from walletmodal.services.chains.adapter import TransportOf as _TransportOf
from walletmodal.services.chains.bip122.adapter import Bip122Adapter

__all__ = ["Bip122Adapter", "open_adapter"]


def open_adapter(transport: _TransportOf) -> Bip122Adapter:
    """The adapter of the namespace."""
    return Bip122Adapter()
