"""The tables from which the chains' contracts are made: public addresses, names, first liquidity."""

from typing import Literal, NamedTuple

Kind = Literal["plain", "tether", "wrapped"]


class TokenRow(NamedTuple):
    """A token: what it tells of itself, its public address, and how it behaves.

    `kind` is `tether` for a token whose transfers return nothing and whose allowances go through zero, `wrapped` for the chain's
    WETH9. `granted` is what each development account has of it at the beginning, in whole units.
    """

    name: str
    symbol: str
    address: str
    decimals: int
    granted: str
    kind: Kind = "plain"


class PoolRow(NamedTuple):
    """A pool's two tokens by symbol, and the liquidity it begins with in whole units of each."""

    one: str
    other: str
    amount_of_one: str
    amount_of_other: str


class CollectionRow(NamedTuple):
    """A collection of our own, with the tokens 1 to `size`."""

    name: str
    symbol: str
    standard: Literal["ERC721", "ERC1155"]
    size: int


class EnsRow(NamedTuple):
    """A name, the number of the development account that it belongs to, and whether its avatar is an NFT or drawn in the record."""

    label: str
    account: int
    avatar: Literal["drawing", "nft"]


class EnsRows(NamedTuple):
    """The public addresses of the name system, and the names under `eth` that exist at the beginning."""

    registry: str
    resolver: str
    reverse_registrar: str
    names: tuple[EnsRow, ...]


class FidRow(NamedTuple):
    """A Farcaster id, the number of the development account that signs for it, and as what: its custody or one of its auth addresses."""

    fid: int
    account: int
    signs_as: Literal["custody", "authAddress"]


class FarcasterRow(NamedTuple):
    """The public addresses of Farcaster's registries, and the ids that they know."""

    id_registry: str
    key_registry: str
    fids: tuple[FidRow, ...]


class ChainRow(NamedTuple):
    """One chain."""

    chain: str
    native_name: str
    native_symbol: str
    tokens: tuple[TokenRow, ...]
    factory: str
    router: str
    pools: tuple[PoolRow, ...]
    collections: tuple[CollectionRow, ...] = ()
    ens: EnsRows | None = None
    farcaster: FarcasterRow | None = None
    has_contract_account: bool = False


_COLLECTIONS = (
    CollectionRow("Lattice Birds", "BIRD", "ERC721", 24),
    CollectionRow("Tide Charts", "TIDE", "ERC721", 12),
    CollectionRow("Field Badges", "BADGE", "ERC1155", 5),
)

# The whole-unit prices that the first liquidity sets: ETH 3,200, BTC 64,000, UNI 8, LINK 16, POL 0.50 dollars.
CHAIN_ROWS = (
    ChainRow(
        chain="eip155:1",
        native_name="Ether",
        native_symbol="ETH",
        tokens=(
            TokenRow("Wrapped Ether", "WETH", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", 18, "5", "wrapped"),
            TokenRow("USD Coin", "USDC", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", 6, "12500"),
            TokenRow("Tether USD", "USDT", "0xdAC17F958D2ee523a2206206994597C13D831ec7", 6, "800", "tether"),
            TokenRow("Dai Stablecoin", "DAI", "0x6B175474E89094C44Da98b954EedeAC495271d0F", 18, "2500.75"),
            TokenRow("Wrapped BTC", "WBTC", "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", 8, "0.35"),
            TokenRow("Uniswap", "UNI", "0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984", 18, "120"),
            TokenRow("ChainLink Token", "LINK", "0x514910771AF9Ca656af840dff83E8264EcF986CA", 18, "64.5"),
        ),
        factory="0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f",
        router="0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
        pools=(
            PoolRow("WETH", "USDC", "5000", "16000000"),
            PoolRow("WETH", "DAI", "2000", "6400000"),
            PoolRow("WETH", "USDT", "2500", "8000000"),
            PoolRow("USDC", "DAI", "4000000", "4000000"),
            PoolRow("WBTC", "WETH", "100", "2000"),
            PoolRow("UNI", "WETH", "400000", "1000"),
            PoolRow("LINK", "WETH", "200000", "1000"),
        ),
        collections=_COLLECTIONS,
        ens=EnsRows(
            registry="0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e",
            resolver="0x4976fb03C32e5B8cfe2b6cCB31c09Ba78EBaBa41",
            reverse_registrar="0x084b1c3C81545d370f3634392De611CaaBFf8148",
            names=(EnsRow("alice", 0, "drawing"), EnsRow("bob", 1, "nft")),
        ),
        has_contract_account=True,
    ),
    ChainRow(
        chain="eip155:137",
        native_name="POL",
        native_symbol="POL",
        tokens=(
            TokenRow("Wrapped POL", "WPOL", "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270", 18, "40", "wrapped"),
            TokenRow("USD Coin", "USDC", "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", 6, "950"),
            TokenRow("USD Coin (PoS)", "USDC.e", "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174", 6, "75"),
            TokenRow("Dai Stablecoin", "DAI", "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063", 18, "310"),
            TokenRow("Wrapped BTC", "WBTC", "0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6", 8, "0.02"),
            TokenRow("Wrapped Ether", "WETH", "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619", 18, "0.75"),
        ),
        factory="0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C",
        router="0xedf6066a2b290C185783862C7F4776A2C8077AD1",
        pools=(
            PoolRow("WPOL", "USDC", "8000000", "4000000"),
            PoolRow("WETH", "USDC", "1500", "4800000"),
            PoolRow("USDC", "DAI", "1000000", "1000000"),
            PoolRow("USDC", "USDC.e", "1000000", "1000000"),
            PoolRow("WBTC", "WETH", "20", "400"),
            PoolRow("WPOL", "WETH", "3200000", "500"),
        ),
        collections=_COLLECTIONS[1:],
    ),
    ChainRow(
        chain="eip155:10",
        native_name="Ether",
        native_symbol="ETH",
        tokens=(
            TokenRow("Wrapped Ether", "WETH", "0x4200000000000000000000000000000000000006", 18, "0.5", "wrapped"),
            TokenRow("USD Coin", "USDC", "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", 6, "250"),
        ),
        factory="0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf",
        router="0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2",
        pools=(PoolRow("WETH", "USDC", "1000", "3200000"),),
        farcaster=FarcasterRow(
            id_registry="0x00000000Fc6c5F01Fc30151999387Bb99A9f489b",
            key_registry="0x00000000Fc1237824fb747aBDE0FF18990E59b7e",
            fids=(FidRow(20_001, 0, "custody"), FidRow(20_002, 1, "authAddress")),
        ),
    ),
    ChainRow(
        chain="eip155:8453",
        native_name="Ether",
        native_symbol="ETH",
        tokens=(
            TokenRow("Wrapped Ether", "WETH", "0x4200000000000000000000000000000000000006", 18, "0.5", "wrapped"),
            TokenRow("USD Coin", "USDC", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", 6, "250"),
        ),
        factory="0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6",
        router="0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24",
        pools=(PoolRow("WETH", "USDC", "1000", "3200000"),),
    ),
    ChainRow(
        chain="eip155:42161",
        native_name="Ether",
        native_symbol="ETH",
        tokens=(
            TokenRow("Wrapped Ether", "WETH", "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1", 18, "0.5", "wrapped"),
            TokenRow("USD Coin", "USDC", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", 6, "250"),
        ),
        factory="0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9",
        router="0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24",
        pools=(PoolRow("WETH", "USDC", "1000", "3200000"),),
    ),
)
