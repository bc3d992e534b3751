"""What the service reads the chains with; the explorer shows the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.blockchain.chains import Chains
from sandbox.blockchain.history.index import ChainIndex
from sandbox.blockchain.history.nfts import NftBook
from sandbox.blockchain.rpc import NodeClient
from sandbox.blockchain.solana.nfts import SolanaNfts
from sandbox.blockchain.solana.node import SolanaNode
from sandbox.blockchain.solana.tokens import SolanaTokens
from sandbox.blockchain.tokens import TokenBook
from walletmodal.core.clock import Clock


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
