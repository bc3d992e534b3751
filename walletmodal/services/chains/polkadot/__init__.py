"""Polkadot and its like: addresses (SS58) and signatures of messages."""

from walletmodal.services.chains.adapter import TransportOf as _TransportOf
from walletmodal.services.chains.polkadot.adapter import PolkadotAdapter

__all__ = ["PolkadotAdapter", "open_adapter"]


def open_adapter(transport: _TransportOf) -> PolkadotAdapter:
    """The adapter of the namespace."""
    return PolkadotAdapter()
