"""Solana: balances, SPL and Token-2022 tokens, transfers, ed25519 signatures."""

from walletmodal.services.chains.adapter import TransportOf as _TransportOf
from walletmodal.services.chains.solana.adapter import SolanaAdapter

__all__ = ["SolanaAdapter", "open_adapter"]


def open_adapter(transport: _TransportOf) -> SolanaAdapter:
    """The adapter of the namespace."""
    return SolanaAdapter(transport)
