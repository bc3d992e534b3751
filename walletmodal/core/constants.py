"""Constants of the product: times, limits and lists. Seconds unless a name says otherwise."""

from typing import Final

from walletmodal.core.errors.codes import (
    INTERNAL_ERROR,
    LIMIT_EXCEEDED,
    REJECTED,
    REJECTED_CONNECTION,
    TRANSACTION_REJECTED,
    UNKNOWN,
)

# Retries of people
BALANCE_RETRY_GAP: Final = 30
EMAIL_LOGIN_COOLDOWN: Final = 30
PENDING_TRANSACTIONS_LIMIT: Final = 99

# Caches
PORTFOLIO_TTL: Final = 30
NATIVE_BALANCE_TTL: Final = 30
ENS_TTL: Final = 300
IDENTITY_TTL: Final = 300
SUPPORTED_CHAINS_TTL: Final = 24 * 3600
"""How long the blockchain service itself lets its list of networks be kept."""
CACHE_SIZE: Final = 8192

# Wallet directory
RECOMMENDED_ENTRIES: Final = 4
LIST_ENTRIES: Final = 40
SEARCH_ENTRIES: Final = 100
SEARCH_MINIMUM_MILLISECONDS: Final = 300
SEARCH_MINIMUM_CHARACTERS: Final = 2
RECENT_WALLETS: Final = 2

# Polling
SWAP_REFRESH: Final = 10
PURCHASE_POLL: Final = 4
PURCHASE_TIMEOUT: Final = 180
PURCHASE_ACTIVITY_POLL: Final = 3

# Formats
SHOWN_BALANCE_DECIMALS: Final = 3
SHOWN_NUMBER_DECIMALS: Final = 2
SHOWN_QUANTITY_DECIMALS: Final = 3
ADDRESS_START: Final = 4
ADDRESS_END: Final = 6

# JSON-RPC over HTTP, and every other HTTP service
RPC_RETRIES: Final = 3
RPC_RETRY_DELAY_MILLISECONDS: Final = 150
RETRYABLE_STATUSES: Final = frozenset({403, 408, 413, 429, 500, 502, 503, 504})
RETRYABLE_CODES: Final = frozenset({UNKNOWN, LIMIT_EXCEEDED, INTERNAL_ERROR})
FALLBACK_RETHROWN_CODES: Final = frozenset({TRANSACTION_REJECTED, REJECTED, REJECTED_CONNECTION})
"""Codes after which no other transport is tried: the answer would be the same, or a person has said no."""
FALLBACK_RETHROWN_TEXT: Final = "execution reverted"
HTTP_TIMEOUT: Final = 10
BATCH_SIZE: Final = 1000
RANK_INTERVAL: Final = 4
RANK_SAMPLES: Final = 10
RANK_TIMEOUT: Final = 1
RANK_STABILITY_WEIGHT: Final = 0.7
RANK_LATENCY_WEIGHT: Final = 0.3
RANK_METHOD: Final = "net_listening"
FORBIDDEN: Final = 403

# Secure frame
FRAME_TIMEOUT_MILLISECONDS: Final = 30_000
SOCIAL_LOGIN_TIMEOUT: Final = 45
FRAME_Z_INDEX: Final = 999_999

# Swap
SWAP_SLIPPAGE_PERCENT: Final = 1
SWAP_GAS_LIMIT: Final = 150_000
SWAP_NETWORKS: Final = (
    "eip155:1",
    "eip155:42161",
    "eip155:10",
    "eip155:324",
    "eip155:8453",
    "eip155:56",
    "eip155:137",
    "eip155:100",
    "eip155:43114",
    "eip155:250",
    "eip155:8217",
    "eip155:1313161554",
)
SWAP_SUGGESTED_SHOWN: Final = 8
SWAP_SUGGESTED_TOKENS: Final = (
    "ETH",
    "UNI",
    "1INCH",
    "AAVE",
    "SOL",
    "ADA",
    "AVAX",
    "DOT",
    "LINK",
    "NITRO",
    "GAIA",
    "MILK",
    "TRX",
    "NEAR",
    "GNO",
    "WBTC",
    "DAI",
    "WETH",
    "USDC",
    "USDT",
    "ARB",
    "BAL",
    "BICO",
    "CRV",
    "ENS",
    "MATIC",
    "OP",
)

# Card purchases
COINBASE_PAY_CHAINS: Final = (
    "ethereum",
    "arbitrum",
    "polygon",
    "berachain",
    "avalanche-c-chain",
    "optimism",
    "celo",
    "base",
)
COINBASE_PAY_DEFAULT_CHAIN: Final = "ethereum"

# Names
NAME_ZONE: Final = "reown.id"
"""Where names are registered, unless the deployment says otherwise."""
NAME_ZONES: Final = (NAME_ZONE, "wcn.id")
"""Zones of the public service, today's and the older one: their names are looked up there whatever zone is offered."""
NAME_COIN_TYPE_BASE: Final = 0x8000_0000
"""ENSIP-11: the coin type of an EVM chain is this, or-ed with its chain id."""

# Offer of the modal: the defaults of a host's options
DEFAULT_FEATURES: Final[dict[str, bool]] = {
    "swaps": True,
    "onramp": True,
    "receive": True,
    "send": True,
    "email": True,
    "emailShowWallets": True,
    "history": True,
    "analytics": True,
    "allWallets": True,
    "legalCheckbox": False,
    "smartSessions": False,
    "collapseWallets": False,
}
WALLET_FEATURES_ORDER: Final = ("onramp", "swaps", "receive", "send")
CONNECTOR_TYPE_ORDER: Final = (
    "walletConnect",
    "recent",
    "injected",
    "featured",
    "custom",
    "external",
    "recommended",
)
SOCIAL_PROVIDERS: Final = ("google", "x", "discord", "farcaster", "github", "apple", "facebook")
FRAME_SOCIAL_PROVIDERS: Final = ("google", "github", "apple", "facebook", "x", "discord")
"""The six that the secure frame logs in; Farcaster has messages of its own."""

RESTRICTED_TIMEZONES: Final = frozenset(
    {
        "ASIA/SHANGHAI",
        "ASIA/URUMQI",
        "ASIA/CHONGQING",
        "ASIA/HARBIN",
        "ASIA/KASHGAR",
        "ASIA/MACAU",
        "ASIA/HONG_KONG",
        "ASIA/MACAO",
        "ASIA/BEIJING",
    }
)
"""IANA zones in upper case; see `onramp.is_restricted_timezone`."""
