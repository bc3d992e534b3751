"""Entries of what several kinds of chain bring: accounts of each, the choice between them, networks that are out of reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import reflex as rx

from walletmodal.core.addresses import avatar, truncate
from walletmodal.features.account.state import ActiveState, Bip122State, Eip155State, SolanaState
from walletmodal.features.connect.state import ConnectState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.networks.state import NetworksState

_EVERY_CHAIN: Final = (
    "eip155:1",
    "eip155:137",
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    "bip122:000000000019d6689c085ae165831e93",
    "polkadot:91b171bb158e2d3848fa23a9f1c25182",
)
_ROWS: Final = sample.networks(*_EVERY_CHAIN)
_OTHERS: Final = ("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC")
_SOLANA: Final = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
_BITCOIN: Final = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
_CHOICE: Final = ("Connect", "ConnectingMultiChain")
_ADDRESSES: Final = ("Account", "SwitchAddress")


def _networks(active: int, **changes: object) -> Values:
    row = _ROWS[active]
    shown = {"rows": _ROWS, "active": row["id"], "active_name": row["name"], "active_image": row["image"]}
    return {**shown, **changes}


def _choice(name: str, icon: str, *choices: str) -> Mapping[type[rx.State], Values]:
    return {ConnectState: {"wallet_name": name, "wallet_icon": icon, "choices": list(choices)}}


def _addresses(*addresses: str) -> Mapping[type[rx.State], Values]:
    # The view asks for its rows itself, so the account has what they are made of.
    return {
        EmbedState: {"_origin": "https://app.example", "_host_icon": sample.wallet(2)["icon"]},
        Eip155State: {**sample.account(several=True), "_offered": addresses},
        NetworksState: _networks(0),
    }


_WALLET: Final = sample.wallet(0)

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry(
        "connecting-multi-chain-all",
        _CHOICE,
        _choice(_WALLET["name"], _WALLET["icon"], "eip155", "solana", "bip122", "polkadot"),
    ),
    Entry("connecting-multi-chain-two", _CHOICE, _choice(_WALLET["name"], "", "eip155", "solana")),
    Entry(
        "connecting-multi-chain-hostile",
        _CHOICE,
        _choice(sample.HOSTILE_WALLETS[0]["name"], "", "solana", "bip122"),
    ),
    Entry(
        "account-several",
        ("Account",),
        {Eip155State: sample.account(several=True), NetworksState: _networks(0)},
        note="the wallet gave more than one account",
    ),
    Entry(
        "account-solana",
        ("Account",),
        {
            ActiveState: {"namespace": "solana"},
            SolanaState: sample.account(
                address=_SOLANA,
                short_address=truncate(_SOLANA),
                avatar=avatar(_SOLANA).background,
                balance="12.5",
                balance_symbol="SOL",
                explorer_url=f"https://solscan.io/account/{_SOLANA}",
            ),
            NetworksState: _networks(2),
        },
    ),
    Entry(
        "account-bitcoin",
        ("Account",),
        {
            ActiveState: {"namespace": "bip122"},
            Bip122State: sample.account(
                address=_BITCOIN,
                short_address=truncate(_BITCOIN),
                avatar=avatar(_BITCOIN).background,
                balance="0.021",
                balance_symbol="BTC",
                explorer_url="",
                several=True,
            ),
            NetworksState: _networks(3),
        },
    ),
    Entry("switch-address-two", _ADDRESSES, _addresses(sample.ADDRESS, _OTHERS[0])),
    Entry(
        "switch-address-many",
        _ADDRESSES,
        _addresses(sample.ADDRESS, *(f"0x{number:040x}" for number in range(1, 20))),
    ),
    Entry("networks-every-chain", ("Account", "Networks"), {NetworksState: _networks(0)}),
    Entry(
        "networks-barred",
        ("Account", "Networks"),
        {NetworksState: _networks(0, barred=[row["id"] for row in _ROWS[1:3]])},
        note="a paired wallet approved only some of them",
    ),
    Entry(
        "switch-active-chain",
        ("Account", "Networks", "SwitchActiveChain"),
        {
            Eip155State: sample.account(),
            NetworksState: _networks(0, target=_ROWS[2]["id"], target_name=_ROWS[2]["name"]),
        },
    ),
)
"""In the order in which the index lists them."""
