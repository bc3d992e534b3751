"""The ways in that the Connect view offers, and their order."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.options import HostOptions
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.wallets.connect_order import (
    blocks_shown,
    collapses_wallets,
    method_order,
    methods_shown,
    separators,
)
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.social import SocialState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.wallets.state import WalletsState

SEPARATOR: Final = "or"


class MethodsState(AssigningMixin, rx.State):
    """The blocks of the view from top to bottom, `or` between them; `collapsed`: one button stands for the wallets."""

    blocks: list[str] = ["wallet"]
    collapsed: bool = False
    guide: bool = False


async def sync_methods(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates the blocks from what is offered and what is installed."""
    await _update_methods(state)
    return []


async def filter_methods(state: rx.State, _namespace: Namespace | None) -> None:
    """Updates the blocks to the namespace that the modal is about."""
    await _update_methods(state)


async def _update_methods(state: rx.State) -> None:
    methods, wallets = await state.get_state(MethodsState), await state.get_state(WalletsState)
    options: HostOptions = (await state.get_state(EmbedState)).get_value("_options")
    features = options.features
    order = method_order(features.connect_methods_order, wallets._connectors(), wallets._surroundings())
    embedded = await state.get_state(EmbeddedState)
    socials = bool((await state.get_state(SocialState)).offered)
    shown = methods_shown(order, email=embedded.offered, socials=socials, wallets=options.enable_wallets)
    parts = blocks_shown(shown, passkeys=embedded.complete)
    cuts = separators(parts)
    methods._put(
        blocks=[part for at, block in enumerate(parts) for part in (block, *((SEPARATOR,) if at in cuts else ()))],
        collapsed=collapses_wallets(
            shown, collapse=features.collapse_wallets, email_show_wallets=features.email_show_wallets
        ),
        guide=options.enable_wallet_guide,
    )
