"""An account's history, read from the blocks of every chain, whoever sent what is in them."""

from walletmodal.sandbox.blockchain.history.endpoint import HistoryEndpoint
from walletmodal.sandbox.blockchain.history.entries import EntryWriter
from walletmodal.sandbox.blockchain.history.index import ChainIndex
from walletmodal.sandbox.blockchain.history.nfts import NftBook

__all__ = ["ChainIndex", "EntryWriter", "HistoryEndpoint", "NftBook"]
