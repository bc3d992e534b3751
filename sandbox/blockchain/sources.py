"""What the service reads the chains with; the explorer shows the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from walletmodal.core.clock import Clock
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.history.index import ChainIndex
from walletmodal.sandbox.blockchain.history.nfts import NftBook
from walletmodal.sandbox.blockchain.rpc import NodeClient
from walletmodal.sandbox.blockchain.solana.nfts import SolanaNfts
from walletmodal.sandbox.blockchain.solana.node import SolanaNode
from walletmodal.sandbox.blockchain.solana.tokens import SolanaTokens
from walletmodal.sandbox.blockchain.tokens import TokenBook


@dataclass(frozen=True)
class SolanaSources:
    """Solana's: its node as the services ask it and bare, and what mints are called."""

    node: SolanaNode
    client: NodeClient
    tokens: SolanaTokens
    nfts: SolanaNfts


@dataclass(frozen=True)
class Sources:
    """Every chain as the service reads it."""

    chains: Chains
    indexes: Mapping[str, ChainIndex]
    tokens: TokenBook
    nfts: NftBook
    solana: SolanaSources | None
    clock: Clock
