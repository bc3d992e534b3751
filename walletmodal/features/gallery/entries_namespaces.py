"""Entries of what several kinds of chain bring: the choice between them, networks that are out of reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import reflex as rx

from walletmodal.features.account.state import Eip155State
from walletmodal.features.connecting.state import ConnectState
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
_CHOICE: Final = ("Connect", "ConnectingMultiChain")


def _networks(active: int, **changes: object) -> Values:
    row = _ROWS[active]
    shown = {"rows": _ROWS, "active": row["id"], "active_name": row["name"], "active_image": row["image"]}
    return {**shown, **changes}


def _choice(name: str, icon: str, *choices: str) -> Mapping[type[rx.State], Values]:
    return {ConnectState: {"wallet_name": name, "wallet_icon": icon, "choices": list(choices)}}


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
