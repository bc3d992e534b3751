"""A page and wallets of several kinds of chain, for the tests of states."""

from __future__ import annotations

from typing import Any

from tests.driver import METAMASK

ETHEREUM, POLYGON = "eip155:1", "eip155:137"
SOLANA, SOLANA_DEVNET = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"
BITCOIN = "bip122:000000000019d6689c085ae165831e93"
POLKADOT = "polkadot:91b171bb158e2d3848fa23a9f1c25182"
EVERY_CHAIN = (ETHEREUM, POLYGON, SOLANA, SOLANA_DEVNET, BITCOIN, POLKADOT)

SOL, OTHER_SOL = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV", "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"
BTC, OTHER_BTC = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
DOT = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"

PHANTOM = {**METAMASK, "id": "Phantom", "namespaces": ["solana", "bip122"], "name": "Phantom", "rdns": ""}
TALISMAN = {**METAMASK, "id": "talisman", "namespaces": ["polkadot"], "name": "Talisman", "rdns": ""}
# One wallet by two standards: two entries that are merged by their name.
PHANTOM_EVM = {**METAMASK, "id": "app.phantom", "name": "Phantom", "rdns": "app.phantom"}
WALLETS = [METAMASK, PHANTOM, TALISMAN]


def told(chain: str, *accounts: str, connector: str = "Phantom", **more: Any) -> dict[str, Any]:
    """A namespace's session as the browser reports it."""
    return {"connector": connector, "accounts": list(accounts), "chain": chain.partition(":")[2], **more}


def paired(chain: str, *accounts: str, approved: list[str] | None = None) -> dict[str, Any]:
    """A namespace's session of a pairing."""
    peer = {"name": "Pocket Wallet", "icon": ""}
    return told(chain, *accounts, connector="walletConnect", approved=approved or [chain], peer=peer)


def remembered(**more: Any) -> dict[str, Any]:
    """What the host page's storage holds."""
    return {
        "activeNetworkId": None,
        "activeNamespace": None,
        "recent": [],
        "interrupted": None,
        "connectors": {},
        **more,
    }
