"""The blockchain service: balances, history, names, swaps, purchases and smart sessions. RPC nodes have a way of their own."""

from walletmodal.services.blockchain.accounts import Portfolio
from walletmodal.services.blockchain.client import BlockchainClient
from walletmodal.services.blockchain.onramp import DestinationWallet

__all__ = ["BlockchainClient", "DestinationWallet", "Portfolio"]
