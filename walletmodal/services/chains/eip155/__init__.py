"""EVM networks: balances, ERC-20 tokens, transfers, signatures of keys and of contract accounts."""

from walletmodal.services.chains.adapter import TransportOf as _TransportOf
from walletmodal.services.chains.eip155.adapter import Eip155Adapter

__all__ = ["Eip155Adapter", "open_adapter"]


def open_adapter(transport: _TransportOf) -> Eip155Adapter:
    """The adapter of the namespace."""
    return Eip155Adapter(transport)
