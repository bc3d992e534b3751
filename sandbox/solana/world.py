"""What stands on the sandbox's Solana: its id, the tokens, the NFTs, the funded accounts."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from types import MappingProxyType

from solders.keypair import Keypair

CHAIN = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
"""CAIP-2 id: the first 32 characters of the genesis hash."""

GENESIS_HASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
LAMPORTS_PER_SOL = 10**9


@dataclass(frozen=True)
class SolanaToken:
    """One SPL token under its public mint address.

    Attributes:
        mint: base58.
        name, symbol: as people know it; a mint itself tells neither.
        decimals: exponent between base units and the unit that people read.
        dollars: what one whole token counts as; there is no exchange here that could tell.
        granted: base units that each funded account has at the beginning.
    """

    mint: str
    name: str
    symbol: str
    decimals: int
    dollars: Decimal
    granted: int


TOKENS = (
    SolanaToken("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USD Coin", "USDC", 6, Decimal(1), 1_500_000_000),
    SolanaToken("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "Tether USD", "USDT", 6, Decimal(1), 220_000_000),
    SolanaToken(
        "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So", "Marinade staked SOL", "mSOL", 9, Decimal(190), 4_200_000_000
    ),
    SolanaToken("DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "Bonk", "BONK", 5, Decimal("0.00002"), 250_000_000_000),
)

WRAPPED_SOL = "So11111111111111111111111111111111111111112"


@dataclass(frozen=True)
class SolanaCollection:
    """A collection of NFTs, each a mint of its own, of which there is one.

    Attributes:
        name, symbol: as its metadata tells them.
        granted: how many each funded account has at the beginning.
    """

    name: str
    symbol: str
    granted: int

    def title(self, number: int) -> str:
        """The name of one of them; 0 is the collection itself."""
        return f"{self.name} #{number}" if number else self.name

    def key(self, number: int) -> Keypair:
        """The key of the mint of one of them."""
        return _key(f"{self.name} {number}")


COLLECTION = SolanaCollection("Harbours", "HARBOUR", 3)

GRANTED_LAMPORTS = 100 * LAMPORTS_PER_SOL
"""What each funded account has at the beginning."""


def tokens() -> Mapping[str, SolanaToken]:
    """The tokens by mint."""
    return MappingProxyType({token.mint: token for token in TOKENS})


def account_keys() -> tuple[Keypair, ...]:
    """The keys of the funded accounts. Everybody knows them, as they do those of the EVM chains."""
    return tuple(_key(f"account {number}") for number in range(3))


def faucet_key() -> Keypair:
    """The key of the account that pays the faucet and makes the tokens."""
    return _key("faucet")


def _key(name: str) -> Keypair:
    return Keypair.from_seed(sha256(f"walletmodal sandbox solana: {name}".encode()).digest())
