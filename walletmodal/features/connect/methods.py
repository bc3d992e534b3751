"""The ways in that the Connect view offers, and their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.options import ConnectMethod, HostOptions
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.wallets.connect_order import collapses_wallets, method_order, methods_shown, separators
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.wallets.state import WalletsState

SEPARATOR: Final = "or"
OFFERS: Final[dict[ConnectMethod, Callable[[HostOptions], bool]]] = {
    "email": lambda _options: False,
    "social": lambda _options: False,
    "wallet": lambda options: options.enable_wallets,
}
"""Whether a method has a block in the view. Those of the embedded wallet take their places here when it comes."""


class MethodsState(rx.State):
    """The blocks of the view from top to bottom, `or` between them; `collapsed`: one button stands for the wallets."""

    blocks: list[str] = ["wallet"]
    collapsed: bool = False
    guide: bool = False


async def sync_methods(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates the blocks from the host's options and what is installed."""
    methods, wallets = await state.get_state(MethodsState), await state.get_state(WalletsState)
    options: HostOptions = (await state.get_state(EmbedState)).get_value("_options")
    features = options.features
    order = method_order(features.connect_methods_order, wallets._connectors(), wallets._surroundings())
    shown = methods_shown(
        order, email=OFFERS["email"](options), socials=OFFERS["social"](options), wallets=OFFERS["wallet"](options)
    )
    cuts = separators(shown)
    blocks = [part for at, method in enumerate(shown) for part in (method, *((SEPARATOR,) if at in cuts else ()))]
    collapsed = collapses_wallets(
        shown, collapse=features.collapse_wallets, email_show_wallets=features.email_show_wallets
    )
    if blocks != methods.blocks:
        methods.blocks = blocks
    if collapsed != methods.collapsed:
        methods.collapsed = collapsed
    if options.enable_wallet_guide != methods.guide:
        methods.guide = options.enable_wallet_guide
    return []
