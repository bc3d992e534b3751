"""How much of what its page has said a session keeps, for the limit of all sessions of an address (walletmodal/web/sessions.py)."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.protocol.limits import text_bytes
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.host_calls import added_networks
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.requests.operations import OperationsState
from walletmodal.features.transactions.operations import SafeOperationsState
from walletmodal.reflex_internals.substates import get_substate
from walletmodal.services.session_size import note_session_size


async def note_size(state: rx.State, extent: Extent) -> None:
    """Counts the texts of a page's options, wallets, networks and requests, which alone can be large."""
    if extent == "place":
        return
    embed, bridge = await get_substate(state, EmbedState), await get_substate(state, BridgeState)
    networks, approve = await get_substate(state, NetworksState), await get_substate(state, ApproveState)
    operations = await get_substate(state, OperationsState)
    kept = (
        embed.get_value("_options"),
        embed._icon,
        bridge.get_value("_last"),
        bridge.get_value("commands"),
        bridge.get_value("_records"),
        added_networks(networks),
        approve._entries(),
        approve.get_value("request"),
        approve.get_value("_token_fee"),
        operations._kept(),
        (await get_substate(state, SafeOperationsState))._kept(),
    )
    note_session_size(state.router.session.client_token, text_bytes(kept))
