"""An account's history, read from the blocks of every chain, whoever sent what is in them."""

from sandbox.blockchain.history.endpoint import HistoryEndpoint
from sandbox.blockchain.history.entries import EntryWriter
from sandbox.blockchain.history.index import ChainIndex
from sandbox.blockchain.history.nfts import NftBook

__all__ = ["ChainIndex", "EntryWriter", "HistoryEndpoint", "NftBook"]
