"""The wallets that the browser brings, as rows of the Connect view."""

from __future__ import annotations

from typing import TypedDict

import reflex as rx

from walletmodal.core.protocol import Snapshot
from walletmodal.core.wallets import Wallet
from walletmodal.features.bridge.state import Followups, on_snapshot
from walletmodal.features.embed.state import EmbedState

SUPPORTED = frozenset({"eip155"})
"""Namespaces whose wallets connect; the others are found, and used by a later issue."""


class WalletRow(TypedDict):
    """One row: `icon` is a data or https URL, or empty."""

    id: str
    name: str
    icon: str


class WalletsState(rx.State):
    """What was discovered and may be shown."""

    rows: list[WalletRow] = []
    searched: bool = False

    _wallets: dict[str, Wallet] = {}

    def _find(self, connector: str) -> Wallet | None:
        return self._wallets.get(connector)


@on_snapshot
async def take_wallets(state: rx.State, snapshot: Snapshot) -> Followups:
    """Keeps the announced wallets that the host's options leave in."""
    wallets = await state.get_state(WalletsState)
    options = (await state.get_state(EmbedState))._options
    shown = [
        wallet
        for wallet in snapshot.wallets
        if options.enable_wallets and SUPPORTED & set(wallet.namespaces) and wallet.id not in options.exclude_wallet_ids
    ]
    rows: list[WalletRow] = [
        {"id": w.id, "name": w.name, "icon": options.connector_images.get(w.id) or w.icon} for w in shown
    ]
    if rows != wallets.rows:
        wallets.rows = rows
        wallets._wallets = {w.id: w for w in shown}
    wallets.searched = True
    return []
